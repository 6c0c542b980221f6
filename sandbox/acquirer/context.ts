// Dependencies of the sandbox's acquirer.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'

export interface AcquirerContext {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
}
