// The contract of drivers to real providers.

import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Notices, RailName, Rails } from '../rails/index.ts'

/** A driver in `drivers/<name>`, listed in `drivers/index.ts`. */
export interface Driver {
  /** Lower case letters, digits and hyphens. Part of commands, tables and webhook addresses. */
  readonly name: string
  readonly rails: readonly RailName[]
  /** Whether it was tested against its provider. If not, it needs `--allow-unproven`. */
  readonly proven: boolean
  readonly settings: readonly SettingSpec[]
  /**
   * Opens the rails of one connection, without any call to the provider. Called at the first use, and again after a
   * change. The answer has every rail of {@link rails}; `creditorAccount` only for the gateway's own bank.
   */
  open(connection: Connection, tools: DriverTools): Partial<Rails>
  /** Asks the provider within a few seconds whether the settings work. Moves no money; may throw. */
  check(connection: Connection, tools: DriverTools): Promise<readonly CheckResult[]>
  /**
   * The account that the secrets belong to; throws if the provider does not say. Absent: a {@link SettingSpec.fixed}
   * setting names the account.
   */
  accountOf?(
    connection: Pick<Connection, 'settings' | 'secrets'>,
    tools: Pick<DriverTools, 'fetch' | 'logger'>,
  ): Promise<string>
  /** Whether only the gateway can have such a connection, and no merchant. */
  readonly gatewayOnly?: boolean
  /**
   * Exchanges files with the provider: every minute in each process, and by `comporta rails exchange`. Two calls can
   * overlap. If it throws, it is called again.
   */
  exchange?(connection: Connection, tools: DriverTools): Promise<readonly ExchangedFile[]>
  /** Absent: the provider sends no webhooks. */
  readonly webhook?: WebhookReceiver
  /** For `comporta connect`. Absent: it only sets the given values and checks them. */
  readonly connects?: ConnectSpec
  /**
   * All that the provider booked on a past Lisbon day, in any order. Providers book late, so later days ask again: a
   * line keeps its id. Absent: the connection is not reconciled.
   */
  statement?(connection: Connection, day: Day, tools: DriverTools): Promise<readonly StatementLine[]>
}

export interface ConnectSpec {
  /** Settings of the provider's own sandbox, for `--test`. */
  readonly test: Readonly<Record<string, string>>
  /**
   * Registers our webhook at the provider and answers the settings to store. Repeated, it finds the same webhook.
   * Absent: a person enters the address.
   */
  registerWebhook?(
    connection: Connection,
    url: string,
    tools: DriverTools,
  ): Promise<Readonly<Record<string, string>>>
  /** Steps that a person must still do at the provider, in order. */
  readonly byHand: readonly string[]
}

/** One movement on the gateway's account at a provider. */
export interface StatementLine {
  /** The provider's id, unique in a connection. */
  readonly id: string
  /** `payout`: to the operator's own bank. `fee`: a fee that no other line contains. */
  readonly kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'fee' | 'other'
  /** In cents, above zero if the account gained. A payment has its whole amount, before fees. */
  readonly amount: Cents
  /** In cents: the provider's fee, below zero if it was returned. */
  readonly fee: Cents
  /** Our key of the payment or refund; for a dispute, of the payment. */
  readonly key?: string | undefined
  /** If the key is not known: the provider's id (`RecordedAnswer.providerId`). */
  readonly providerId?: string | undefined
  readonly bookedAt: Instant
}

export interface ExchangedFile {
  readonly kind: 'written' | 'taken' | 'repeated' | 'refused'
  readonly file: string
  readonly detail: string
}

export interface SettingSpec {
  readonly name: string
  /** Secrets are read from a file or standard input, sealed, and never shown. */
  readonly secret: boolean
  readonly required: boolean
  /**
   * Whether the setting names the account at the provider. It then cannot change: later inquiries must reach the same
   * account.
   */
  readonly fixed?: boolean
  /** Whether another value can belong to another account. If so, {@link Driver.accountOf} is called. */
  readonly namesAccount?: boolean
  /** Whether it is the provider's address: https, or plain http on this machine. Checked before {@link check}. */
  readonly address?: boolean
  readonly neededFor?: RailName | undefined
  readonly help: string
  /** The problem with a value, as the end of a sentence (`must be an IBAN`), or undefined. */
  check?(text: string): string | undefined
}

export interface Connection {
  readonly id: bigint
  /** In the webhook's address; cannot be guessed. */
  readonly publicId: string
  readonly driver: string
  readonly walletId: bigint | undefined
  readonly rails: readonly RailName[]
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly enabled: boolean
  /**
   * Memory of this process about the connection. Each function makes its part once. A change of the connection drops all.
   */
  kept<Kept>(make: () => Kept): Kept
}

export interface DriverTools extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly requests: RailRequests
  /**
   * The gateway. Use it only after `open` has returned. Reported bookings must have a key of this connection; otherwise
   * it throws.
   */
  readonly notices: Notices
  readonly logger: DriverLogger
  /** Follows no redirect, ends after 8 seconds, and refuses plain http to another machine. */
  readonly fetch: typeof globalThis.fetch
}

/** Log names and provider codes only; no secrets, cards or bodies. */
export interface DriverLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/**
 * The requests of one connection, from our keys to the provider's ids. Providers without idempotency keys need it: a
 * step that was begun but not recorded may have reached the provider, so inquire first.
 */
export interface RailRequests {
  /**
   * Records that a step is about to be sent. Call it before each call that changes something.
   * @param step the driver's own name of the call, such as `checkout` or `purchase`
   */
  begin(key: string, step: string): Promise<BegunStep>
  /** Records the answer to `step`. Omitted fields keep their value; `ids` are added. */
  record(key: string, step: string, answer: RecordedAnswer): Promise<void>
  find(key: string): Promise<RailRequest | undefined>
  findByProviderId(providerId: string): Promise<RailRequest | undefined>
}

/** `unknown`: begun before without a recorded answer, so inquire first. */
export interface BegunStep {
  readonly before: 'new' | 'unknown' | 'recorded'
  readonly request: RailRequest
}

export interface RecordedAnswer {
  readonly providerId?: string
  readonly ids?: Readonly<Record<string, string>>
  /** The provider's signature for the next step; deleted an hour after the last change. */
  readonly signature?: string
  readonly status?: string
  /** Data for later steps; no card, no secret. */
  readonly answer?: unknown
}

export interface RailRequest {
  readonly key: string
  readonly walletId: bigint | undefined
  readonly rail: RailName
  readonly steps: Readonly<Record<string, 'begun' | 'recorded'>>
  readonly providerId: string | undefined
  readonly ids: Readonly<Record<string, string>>
  readonly signature: string | undefined
  readonly status: string | undefined
  readonly answer: unknown
}

export interface WebhookReceiver {
  /**
   * Verifies a signature or decrypts. It calls nobody, except to get the provider's certificate once. If it throws, the
   * answer is 401.
   */
  verify(
    connection: Connection,
    received: ReceivedWebhook,
    tools: Pick<DriverTools, 'clock' | 'fetch'>,
  ): VerifiedWebhook | Promise<VerifiedWebhook>
  /** Acts on a stored and acknowledged notification, mostly by `tools.notices`. If it throws, it is called again. */
  handle(connection: Connection, notification: WebhookNotification, tools: DriverTools): Promise<void>
}

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parameters of the address: some providers send their notifications by GET. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly rawBody: Uint8Array
}

export type VerifiedWebhook =
  | {
      readonly kind: 'accepted'
      /** The provider's id of the notification. Default: the hash of the body. Duplicates are dropped. */
      readonly id?: string | undefined
      /** Decrypted text to store and to pass to `handle`. */
      readonly payload: string
      /** The acknowledgement. Default: 200 without a body. */
      readonly answer?: WebhookAnswer | undefined
    }
  | { readonly kind: 'refused'; readonly answer?: WebhookAnswer | undefined }

export interface WebhookAnswer {
  readonly status: number
  readonly body?: unknown
}

export interface WebhookNotification {
  readonly id: string
  readonly payload: string
}
