// The contract of drivers to real providers: what one says of itself, and what it is handed for each connection.

import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Notices, RailName, Rails } from '../rails/index.ts'

/** Speaks to one provider, or to banks by files. Drivers lie in `drivers/<name>` and are listed in `drivers/index.ts`. */
export interface Driver {
  /** Lower case letters, digits and hyphens: it stands in commands, tables and addresses of webhooks. */
  readonly name: string
  /** Which contracts it implements. */
  readonly rails: readonly RailName[]
  /** Whether it has been run against its provider; one that has not needs `--allow-unproven`. */
  readonly proven: boolean
  /** What an operator has to set; names are unique. */
  readonly settings: readonly SettingSpec[]
  /**
   * The rails of one connection, and nothing sent: called when the connection is first used, and again after it was
   * changed. Every rail of {@link rails} is in the answer, and `creditorAccount` where the gateway's own bank is meant.
   */
  open(connection: Connection, tools: DriverTools): Partial<Rails>
  /** Asks the provider whether the settings work, within a few seconds. Moves nothing; throwing counts as a failure. */
  check(connection: Connection, tools: DriverTools): Promise<readonly CheckResult[]>
  /**
   * Which account at the provider the secrets of a connection belong to, within a few seconds; throws where the provider
   * does not say. Absent: its settings say it ({@link SettingSpec.fixed}).
   */
  accountOf?(
    connection: Pick<Connection, 'settings' | 'secrets'>,
    tools: Pick<DriverTools, 'fetch' | 'logger'>,
  ): Promise<string>
  /** Whether only the gateway can have a connection of it, and no merchant: so of its own bank. */
  readonly gatewayOnly?: boolean
  /**
   * Exchanges files with the provider. Called every minute in each process, and by `comporta rails exchange`: two may
   * call at once. Throwing has it called again.
   */
  exchange?(connection: Connection, tools: DriverTools): Promise<readonly ExchangedFile[]>
  /** Absent: the provider sends nothing, and the connection has no address. */
  readonly webhook?: WebhookReceiver
  /**
   * All that the provider has booked on a Lisbon day that is over, in no order; none is an answer too. It is asked again
   * on later days, because providers book late: a line has the same id each time. Throwing: it is asked again later.
   * Absent: the connection is not reconciled.
   */
  statement?(connection: Connection, day: Day, tools: DriverTools): Promise<readonly StatementLine[]>
}

/** One movement on the gateway's account at a provider, as the provider has booked it. */
export interface StatementLine {
  /** The provider's; one line of a connection has it. */
  readonly id: string
  /** `payout`: of the account to the operator's own bank; `fee`: charged by itself, in no other line. */
  readonly kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'fee' | 'other'
  /** In cents, above zero where the account gained: a payment's whole amount, whatever is kept as fee. */
  readonly amount: Cents
  /** In cents: what the provider kept for it, above zero; below zero where a fee was given back. */
  readonly fee: Cents
  /** Our key of what it is about; of a dispute, the payment's. */
  readonly key?: string | undefined
  /** Where the key is not known: what the provider calls the request (`RecordedAnswer.providerId`). */
  readonly providerId?: string | undefined
  readonly bookedAt: Instant
}

/** A file that was written for the provider, or came from it. */
export interface ExchangedFile {
  readonly kind: 'written' | 'taken' | 'repeated' | 'refused'
  readonly file: string
  /** For the operator: what is in it, or why it was refused, with its line. */
  readonly detail: string
}

/** A setting of a driver, by the name under which `comporta rails set` takes it. */
export interface SettingSpec {
  readonly name: string
  /** A secret is read from a file or from standard input, is sealed, and is never shown. */
  readonly secret: boolean
  readonly required: boolean
  /**
   * Whether another value is another account at the provider: once set it stays, so that what was sent there is asked
   * about there. Of settings alone.
   */
  readonly fixed?: boolean
  /** Whether another value may be another account: then {@link Driver.accountOf} is asked. */
  readonly namesAccount?: boolean
  /**
   * Whether it is an address at which the provider is called: by https, or by plain http on this machine alone, because
   * keys and cards go there. Checked before {@link check}.
   */
  readonly address?: boolean
  /** A rail that is not served without it; of settings alone. */
  readonly neededFor?: RailName | undefined
  /** One sentence for the operator. */
  readonly help: string
  /** What is wrong with a text, as the end of a sentence such as `must be an IBAN`; undefined where it is right. */
  check?(text: string): string | undefined
}

/** What an operator has set for one merchant, or for every merchant without a connection of their own. */
export interface Connection {
  readonly id: bigint
  /** In the address of its webhook; cannot be guessed. */
  readonly publicId: string
  readonly driver: string
  /** Undefined: the gateway's own. */
  readonly walletId: bigint | undefined
  /** Which of the driver's rails it serves. */
  readonly rails: readonly RailName[]
  /** Checked by their {@link SettingSpec}; those that are required are there. */
  readonly settings: Readonly<Record<string, string>>
  /** Not for logs, and not for the texts of errors. */
  readonly secrets: Readonly<Record<string, string>>
  /** False: it takes nothing new, and ends what it has begun. */
  readonly enabled: boolean
}

/** What a driver works with. */
export interface DriverTools extends Pick<Core, 'database' | 'clock' | 'random'> {
  /** Of this connection. */
  readonly requests: RailRequests
  /**
   * The gateway. Not to be called before `open` has answered. What is booked as it is reported must be of a key that was
   * sent over this connection: otherwise it throws.
   */
  readonly notices: Notices
  /** Each line names the connection and its driver. */
  readonly logger: DriverLogger
  /** Follows no redirect, gives up after 8 seconds, and refuses plain http to another machine. */
  readonly fetch: typeof globalThis.fetch
}

/** Where a driver logs: names of things and codes of providers; no secrets, no cards, no bodies of requests or answers. */
export interface DriverLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** One line of `comporta rails check`. */
export interface CheckResult {
  /** What was looked at, such as `credentials`. */
  readonly name: string
  readonly ok: boolean
  /** For the operator: what was found, or what to do; holds no secret. */
  readonly detail: string
}

/**
 * From our keys to what a provider knows of them, of one connection. Providers that have no idempotency keys of their
 * own need it: what was begun and not recorded may have reached the provider, which is to be asked before anything is
 * sent again.
 */
export interface RailRequests {
  /**
   * Notes that a step of the request is about to be sent; call it before each call that changes something.
   *
   * @param key our idempotency key, as the rail was handed it
   * @param step the driver's own name for the call, such as `checkout`, `purchase`
   */
  begin(key: string, step: string): Promise<BegunStep>
  /** Notes what the provider answered to `step`. What is left out stays as it was; `ids` are added to those there are. */
  record(key: string, step: string, answer: RecordedAnswer): Promise<void>
  /** Undefined: no call under this key was ever begun over this connection. */
  find(key: string): Promise<RailRequest | undefined>
  /** The request that the provider calls so. */
  findByProviderId(providerId: string): Promise<RailRequest | undefined>
}

/**
 * `new`: it may be sent. `unknown`: it was begun before, and what came of it was not recorded: inquire first.
 * `recorded`: it was answered before.
 */
export interface BegunStep {
  readonly before: 'new' | 'unknown' | 'recorded'
  readonly request: RailRequest
}

export interface RecordedAnswer {
  /** By which the provider finds the request; one request of a connection has it. */
  readonly providerId?: string
  /** Other names that it has there. */
  readonly ids?: Readonly<Record<string, string>>
  /** By which the provider wants the next step signed; forgotten an hour after the request has last changed. */
  readonly signature?: string
  /** The provider's last word on it, in its own words. */
  readonly status?: string
  /** What of its answer is needed later; no card, no secret. */
  readonly answer?: unknown
}

/** A request to a provider, as far as it is known. */
export interface RailRequest {
  readonly key: string
  /** Whose money it is about; undefined where the rail does not say. */
  readonly walletId: bigint | undefined
  readonly rail: RailName
  /** The steps that were begun, in no order. */
  readonly steps: Readonly<Record<string, 'begun' | 'recorded'>>
  readonly providerId: string | undefined
  readonly ids: Readonly<Record<string, string>>
  readonly signature: string | undefined
  readonly status: string | undefined
  readonly answer: unknown
}

/** How a driver takes what its provider sends: `POST /rails/<driver>/<public id of the connection>`. */
export interface WebhookReceiver {
  /** Whether it is the provider's, by signature or decryption; without I/O. Throwing refuses it with 401. */
  verify(
    connection: Connection,
    received: ReceivedWebhook,
    tools: Pick<DriverTools, 'clock'>,
  ): VerifiedWebhook
  /** Acts on it, mostly by one of `tools.notices`. Called after it was stored and answered; where it throws, again later. */
  handle(connection: Connection, notification: WebhookNotification, tools: DriverTools): Promise<void>
}

export interface ReceivedWebhook {
  /** In lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As it arrived, to the byte. */
  readonly rawBody: Uint8Array
}

export type VerifiedWebhook =
  | {
      readonly kind: 'accepted'
      /** The provider's id of the notification; undefined: its hash is taken. The same one is taken once. */
      readonly id?: string | undefined
      /** What is stored and handed to `handle`: decrypted, and without what is not needed. */
      readonly payload: string
      /** What the provider wants as acknowledgement; undefined: 200 without a body. */
      readonly answer?: WebhookAnswer | undefined
    }
  | { readonly kind: 'refused'; readonly answer?: WebhookAnswer | undefined }

export interface WebhookAnswer {
  readonly status: number
  /** Sent as JSON. */
  readonly body?: unknown
}

export interface WebhookNotification {
  readonly id: string
  readonly payload: string
}
