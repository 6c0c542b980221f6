// Events, deliveries and their states.
import type { Instant } from '../kernel/time.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** The kinds of things that an event is about (SPEC.md Events). A `ping` only tests an address. */
export const eventKinds = ['operation', 'card_stored', 'mandate', 'subscription', 'charge', 'ping'] as const
export type EventKind = (typeof eventKinds)[number]

/** The owner of the address: the event, or the wallet, whose address is read at each attempt. */
export type Endpoint = 'operation' | 'mandate' | 'wallet' | 'card'

export interface NewEvent {
  readonly id: string
  readonly walletId: bigint
  readonly kind: EventKind
  readonly subject: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly endpoint: Endpoint
  readonly url?: string | undefined
  /** Without an address the event is kept and never attempted. */
  readonly hasEndpoint: boolean
  readonly createdAt: Instant
  readonly traceparent?: string | undefined
}

export const deliveryStates = ['DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * All allowed transitions. Sending again leads back to DUE.
 * @public A test compares it with docs/states/delivery.md.
 */
export const deliveryTransitions: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  DUE: ['DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT'],
  NO_ENDPOINT: ['DUE', 'VERIFIED'],
  GIVEN_UP: ['DUE', 'VERIFIED'],
  DELIVERED: ['DUE', 'VERIFIED'],
  VERIFIED: ['DUE'],
}

export const events = table(
  'events',
  {
    walletId: column.bigint(),
    id: column.uuid(),
    kind: column.text<EventKind>(),
    subject: column.uuid(),
    event: column.text(),
    payload: column.text(),
    digest: column.bytes(),
    createdAt: column.instant(),
    traceparent: column.text().nullable(),
  },
  {
    writtenIn: column.bigint(),
  },
)

/**
 * The offset that is added to transaction numbers to order events.
 * @public Tested against the schema.
 */
export const eventOrder = table('event_order', {
  isOnly: column.boolean(),
  shift: column.bigint(),
})

export const deliveries = table('deliveries', {
  walletId: column.bigint(),
  eventId: column.uuid(),
  lane: column.text(),
  endpoint: column.text<Endpoint>(),
  url: column.text().nullable(),
  state: column.text<DeliveryState>(),
  attempts: column.integer(),
  dueAt: column.instant().nullable(),
  claimId: column.uuid().nullable(),
  claimedUntil: column.instant().nullable(),
  lastStatus: column.integer().nullable(),
  lastError: column.text().nullable(),
  finishedAt: column.instant().nullable(),
  /** The first attempt is stored here if the receiver got it. */
  firstAttemptedAt: column.instant().nullable(),
  firstHttpStatus: column.integer().nullable(),
  firstDurationMs: column.integer().nullable(),
})

/** All attempts except those stored in the delivery's row. The view `delivery_tries` has both. */
export const deliveryAttempts = table('delivery_attempts', {
  walletId: column.bigint(),
  eventId: column.uuid(),
  id: column.bigint(),
  attemptedAt: column.instant(),
  httpStatus: column.integer().nullable(),
  error: column.text().nullable(),
  durationMs: column.integer(),
})

/** Deliveries of one wallet to one endpoint, which share a limit of parallel attempts. */
export type Lane = Pick<RowOf<typeof deliveries>, 'walletId' | 'lane'>

export const claimedDeliveries = deliveries
  .pick('walletId', 'eventId', 'lane', 'endpoint', 'url', 'attempts')
  .with({ dueAt: column.instant(), payload: column.text(), traceparent: column.text().nullable() })

/** A delivery that this process may attempt until its lease ends. */
export type ClaimedDelivery = RowOf<typeof claimedDeliveries> & {
  readonly claimId: string
  /** Default: the credentials of the wallet. Throws for a broken seal, which must stop this delivery only. */
  readonly credentials?: () => CallbackCredentials
}

export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }

export interface Attempt {
  readonly at: Instant
  readonly answer: Answer
}

export type DeliveryOutcome =
  | { readonly state: 'DUE'; readonly dueAt: Instant }
  | { readonly state: 'DELIVERED' | 'GIVEN_UP'; readonly finishedAt: Instant }
  | { readonly state: 'NO_ENDPOINT' }

export interface FinishedDelivery {
  readonly delivery: ClaimedDelivery
  readonly outcome: DeliveryOutcome
  readonly attempt: Attempt | undefined
}

export interface CallbackCredentials {
  readonly user: string
  readonly secret: string
  readonly previousSecret?: string | undefined
  readonly signingSecrets: readonly string[]
}

export interface WalletEndpoints {
  readonly callbackUrl?: string | null | undefined
  readonly cardCallbackUrl?: string | null | undefined
}
