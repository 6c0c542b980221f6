// What the sandbox's issuer works with.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'

/** The part of pino that the sandbox needs. */
export interface SandboxLogger {
  warn(details: object, message: string): void
}

export interface IssuerContext {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  /** Public address of the gateway, without a slash at its end. */
  readonly baseUrl: string
  readonly logger: SandboxLogger
}
