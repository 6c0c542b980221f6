// What authorizations are handed.
import type { Randomness } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type { Engine, ShowOperations } from '../operations/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { HoldRails } from './rails.ts'

export interface AuthorizationsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly engine: Engine
  readonly show: ShowOperations
  readonly holdRails: HoldRails
  readonly onError: (error: unknown) => void
}
