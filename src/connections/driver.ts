// The contract of drivers to real providers.

import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Notices, RailName, Rails } from '../rails/index.ts'

/** A driver in `drivers/<name>`, listed in `drivers/index.ts`. */
export interface Driver {
  /** Lower case letters, digits and hyphens. The name is used in commands, tables and webhook addresses. */
  readonly name: string
  readonly rails: readonly RailName[]
  /** True if it was tested against its provider. Otherwise it needs `--allow-unproven`. */
  readonly proven: boolean
  readonly settings: readonly SettingSpec[]
  /**
   * Opens the rails of one connection, without any call to the provider. Called at the first use, and again
   * after a change. Returns every rail of {@link rails}. `creditorAccount` is only for the gateway's own
   * bank.
   */
  open(connection: Connection, tools: DriverTools): Partial<Rails>
  /** Asks the provider, within a few seconds, whether the settings work. It moves no money. It may throw. */
  check(connection: Connection, tools: DriverTools): Promise<readonly CheckResult[]>
  /**
   * Asks the provider for the account of these secrets. Absent: a {@link SettingSpec.fixed} setting is it.
   */
  accountOf?(
    connection: Pick<Connection, 'settings' | 'secrets'>,
    tools: Pick<DriverTools, 'fetch' | 'logger'>,
  ): Promise<string>
  /** True if only the gateway, and no merchant, can have such a connection. */
  readonly gatewayOnly?: boolean
  /**
   * Exchanges files with the provider: every minute in each process, and by `comporta rails exchange`. Two calls can
   * overlap. If it throws, it is called again.
   */
  exchange?(connection: Connection, tools: DriverTools): Promise<readonly ExchangedFile[]>
  /** Absent if the provider sends no webhooks. */
  readonly webhook?: WebhookReceiver
  /** The steps of `comporta connect`. Absent: it sets the given values and checks them. */
  readonly connects?: ConnectSpec
  /**
   * All movements of a past Lisbon day, in any order. The gateway reads a day again, because providers book
   * late: a line keeps its id. Absent: the connection is not reconciled.
   */
  statement?(connection: Connection, day: Day, tools: DriverTools): Promise<readonly StatementLine[]>
}

export interface ConnectSpec {
  /** Settings for the provider's own sandbox, which `--test` sets. */
  readonly test: Readonly<Record<string, string>>
  /**
   * Registers our webhook at the provider and returns the settings to store. A repeated call finds the same
   * webhook. Absent: a person enters the address.
   */
  registerWebhook?(
    connection: Connection,
    url: string,
    tools: DriverTools,
  ): Promise<Readonly<Record<string, string>>>
  /** Steps that a person must still do at the provider, in their order. */
  readonly byHand: readonly string[]
}

/** One movement on the gateway's account at a provider. */
export interface StatementLine {
  /** The provider's id of the line, unique in a connection. */
  readonly id: string
  /** `payout`: to the operator's own bank. `fee`: a fee that is in no other line. */
  readonly kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'fee' | 'other'
  /** Above zero if the account gained. A payment has its amount before fees. */
  readonly amount: Cents
  /** The provider's fee. It is below zero if the provider returned a fee. */
  readonly fee: Cents
  /** Our key of the payment or refund. For a dispute: our key of the payment. */
  readonly key?: string | undefined
  /** The provider's id (`RecordedAnswer.providerId`), if the key is not known. */
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
  /** True for a secret: it is read from a file or standard input, sealed, and never shown. */
  readonly secret: boolean
  readonly required: boolean
  /**
   * True if the setting names the account at the provider. It then cannot change, because later inquiries
   * must reach the same account.
   */
  readonly fixed?: boolean
  /** True if another value may belong to another account. {@link Driver.accountOf} is then called. */
  readonly namesAccount?: boolean
  /** True for the provider's address, checked before {@link check}: https, or plain http on this machine. */
  readonly address?: boolean
  readonly neededFor?: RailName | undefined
  readonly help: string
  /** Returns the problem with a value as the end of a sentence (`must be an IBAN`), or undefined. */
  check?(text: string): string | undefined
}

export interface Connection {
  readonly id: bigint
  /** The part of the webhook's address that nobody can guess. */
  readonly publicId: string
  readonly driver: string
  readonly walletId: bigint | undefined
  readonly rails: readonly RailName[]
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly enabled: boolean
  /** Objects in this process's memory: each `make` is called once, and again after a change. */
  kept<Kept>(make: () => Kept): Kept
}

export interface DriverTools extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly requests: RailRequests
  /**
   * The gateway. Do not use it before `open` has returned. A reported booking must have a key of this
   * connection, otherwise the call throws.
   */
  readonly notices: Notices
  readonly logger: DriverLogger
  /** Follows no redirect, ends after 8 seconds, and refuses plain http to another machine. */
  readonly fetch: typeof globalThis.fetch
}

/** Log only names and codes of the provider, never secrets, cards or bodies. */
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
 * The requests of one connection: maps our keys to the provider's ids. Providers without idempotency keys
 * need this. If a step was begun but not recorded, it may have reached the provider, so inquire first.
 */
export interface RailRequests {
  /**
   * Records that a step will be sent now. Call it before each call that changes something.
   * @param step the driver's own name of the call, such as `checkout` or `purchase`
   */
  begin(key: string, step: string): Promise<BegunStep>
  /** Records the answer to `step`. Omitted fields keep their value; `ids` are added to the stored ones. */
  record(key: string, step: string, answer: RecordedAnswer): Promise<void>
  find(key: string): Promise<RailRequest | undefined>
  findByProviderId(providerId: string): Promise<RailRequest | undefined>
}

/** `unknown`: the step was begun before, but has no recorded answer, so inquire first. */
export interface BegunStep {
  readonly before: 'new' | 'unknown' | 'recorded'
  readonly request: RailRequest
}

export interface RecordedAnswer {
  readonly providerId?: string
  readonly ids?: Readonly<Record<string, string>>
  /** The provider's signature for the next step. It is deleted an hour after the last change. */
  readonly signature?: string
  readonly status?: string
  /** Data for later steps. It must not contain a card or a secret. */
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
   * Verifies a signature, or decrypts. It may call the provider only to get its certificate, once. If it
   * throws, the gateway answers 401.
   */
  verify(
    connection: Connection,
    received: ReceivedWebhook,
    tools: Pick<DriverTools, 'clock' | 'fetch'>,
  ): VerifiedWebhook | Promise<VerifiedWebhook>
  /** Acts on a stored and acknowledged notification, mostly by `tools.notices`. Called again if it throws. */
  handle(connection: Connection, notification: WebhookNotification, tools: DriverTools): Promise<void>
}

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parameters of the address, because some providers send notifications by GET. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly rawBody: Uint8Array
}

export type VerifiedWebhook =
  | {
      readonly kind: 'accepted'
      /** The provider's id of the notification. Default: the hash of the body. Repeated ids are dropped. */
      readonly id?: string | undefined
      /** The decrypted text to store, which `handle` gets. */
      readonly payload: string
      /** The acknowledgement to the provider. Default: 200 without a body. */
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
