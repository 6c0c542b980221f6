// An event, its delivery, and the states of a delivery.
import type { Instant } from '../kernel/time.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** What an event is about (SPEC.md Events); a `ping` is about nothing but the address. */
export const eventKinds = ['operation', 'card_stored', 'mandate', 'subscription', 'charge', 'ping'] as const
export type EventKind = (typeof eventKinds)[number]

/** Where an event goes: to an address of its own, or to the wallet's, looked up at each attempt. */
export type Endpoint = 'operation' | 'mandate' | 'wallet' | 'card'

/** An event for the merchant. */
export interface NewEvent {
  /** UUIDv7; also the `webhook-id` of every attempt. */
  readonly id: string
  readonly walletId: bigint
  readonly kind: EventKind
  /** UUID of what the event is about; the payload carries it in one of its fields. */
  readonly subject: string
  /** The status reached, or the word of SPEC.md. */
  readonly event: string
  /** What is sent, frozen when the event is recorded. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly endpoint: Endpoint
  /** The address of its own; for the endpoints `operation` and `mandate`, and only for them. */
  readonly url?: string | undefined
  /** Whether there is an address now. Without one the event is kept and no attempt is made. */
  readonly hasEndpoint: boolean
  readonly createdAt: Instant
  /** Of the span that it belongs to; else the one in which it is written. */
  readonly traceparent?: string | undefined
}

export const deliveryStates = ['DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Every transition there is; sending again leads back to DUE. Drawn in docs/states/delivery.md.
 *
 * @public Compared with its drawing in docs/states.
 */
export const deliveryTransitions: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  DUE: ['DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT'],
  NO_ENDPOINT: ['DUE', 'VERIFIED'],
  GIVEN_UP: ['DUE', 'VERIFIED'],
  DELIVERED: ['DUE', 'VERIFIED'],
  VERIFIED: ['DUE'],
}

/** What happened, frozen as it is sent. */
export const events = table(
  'events',
  {
    walletId: column.bigint(),
    /** UUIDv7; also the `webhook-id` of every attempt. */
    id: column.uuid(),
    kind: column.text<EventKind>(),
    /** UUID of what the event is about; the payload carries it in one of its fields. */
    subject: column.uuid(),
    /** The status reached, or the word of SPEC.md. */
    event: column.text(),
    /** The body, byte for byte as every attempt sends it. */
    payload: column.text(),
    digest: column.bytes(),
    createdAt: column.instant(),
    /** Of the span that its deliveries belong to; null without tracing. */
    traceparent: column.text().nullable(),
  },
  {
    /** Its place in the order of all; given by the database. */
    writtenIn: column.bigint(),
  },
)

/**
 * What is added to the numbers of transactions to make places in the order of events.
 *
 * @public Compared with the schema.
 */
export const eventOrder = table('event_order', {
  isOnly: column.boolean(),
  shift: column.bigint(),
})

/** How far the delivery of each event got. */
export const deliveries = table('deliveries', {
  walletId: column.bigint(),
  eventId: column.uuid(),
  lane: column.text(),
  endpoint: column.text<Endpoint>(),
  url: column.text().nullable(),
  state: column.text<DeliveryState>(),
  attempts: column.integer(),
  /** When the next attempt is due; null when none is. */
  dueAt: column.instant().nullable(),
  claimId: column.uuid().nullable(),
  claimedUntil: column.instant().nullable(),
  lastStatus: column.integer().nullable(),
  lastError: column.text().nullable(),
  finishedAt: column.instant().nullable(),
})

export const deliveryAttempts = table('delivery_attempts', {
  walletId: column.bigint(),
  eventId: column.uuid(),
  id: column.bigint(),
  attemptedAt: column.instant(),
  httpStatus: column.integer().nullable(),
  error: column.text().nullable(),
  durationMs: column.integer(),
})

/** The deliveries of one wallet to one endpoint, which are limited together. */
export type Lane = Pick<RowOf<typeof deliveries>, 'walletId' | 'lane'>

/** What is read of a delivery that is claimed. */
export const claimedDeliveries = deliveries
  .pick('walletId', 'eventId', 'lane', 'endpoint', 'url', 'attempts')
  .with({ dueAt: column.instant(), payload: column.text(), traceparent: column.text().nullable() })

/** A delivery that this process may attempt until its lease runs out. */
export type ClaimedDelivery = RowOf<typeof claimedDeliveries> & { readonly claimId: string }

/** What an endpoint did with an attempt. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }

/** An attempt that was made. */
export interface Attempt {
  readonly at: Instant
  readonly answer: Answer
}

/** The state of a delivery after this process had it. */
export type DeliveryOutcome =
  | { readonly state: 'DUE'; readonly dueAt: Instant }
  | { readonly state: 'DELIVERED' | 'GIVEN_UP'; readonly finishedAt: Instant }
  | { readonly state: 'NO_ENDPOINT' }

/** A claimed delivery whose end is to be written; without an attempt it had no endpoint or is released. */
export interface FinishedDelivery {
  readonly delivery: ClaimedDelivery
  readonly outcome: DeliveryOutcome
  readonly attempt: Attempt | undefined
}

/** What callbacks are authorized and signed with. */
export interface CallbackCredentials {
  readonly user: string
  /** The Basic password. */
  readonly secret: string
  /** The password before, while receivers may still expect it. */
  readonly previousSecret?: string | undefined
  /** Never sent: the newest first, after it one that receivers may still expect. */
  readonly signingSecrets: readonly string[]
}

/** The addresses set for a wallet. */
export interface WalletEndpoints {
  readonly callbackUrl?: string | null | undefined
  readonly cardCallbackUrl?: string | null | undefined
}
