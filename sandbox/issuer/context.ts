// Dependencies of the sandbox's issuer.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'

export interface SandboxLogger {
  warn(details: object, message: string): void
}

export interface IssuerContext {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  /** Public address of the gateway, without a final slash. */
  readonly baseUrl: string
  readonly logger: SandboxLogger
}
