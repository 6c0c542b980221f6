// What authorizations are handed.
import type { Randomness } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type {
  Engine,
  PreviewSettlement,
  RailOf,
  Settle,
  ShowOperations,
  ShowPostings,
} from '../operations/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface AuthorizationsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly engine: Engine
  readonly settle: Settle
  readonly show: ShowOperations
  readonly preview: PreviewSettlement
  readonly showPostings: ShowPostings
  readonly railOf: RailOf
  readonly onError: (error: unknown) => void
}
