// The dependencies of authorizations.
import type { Core } from '../module.ts'
import type { Engine, PreviewSettlement, ShowPostings } from '../operations/for-movements.ts'
import type { RailOf, Settle, ShowOperations } from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface AuthorizationsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'onError'> {
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly engine: Engine
  readonly settle: Settle
  readonly show: ShowOperations
  readonly preview: PreviewSettlement
  readonly showPostings: ShowPostings
  readonly railOf: RailOf
}
