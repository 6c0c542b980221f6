// An attempt: one request to a rail under one idempotency key.

import type { Cents } from '../../kernel/money.ts'
import { after, backoffMs, day, hour, type Instant, minute, second } from '../../kernel/time.ts'
import type { Method } from '../../methods/list.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { ChildOperation, Operation, OperationType } from '../model.ts'
import type { AccountRefunds } from '../refunds/to-account.ts'

/**
 * `ASKED`: money may move. `RETURNED`: due while a refund can change the amount. `GIVEN_UP`: the rail is asked
 * again. `CLOSED`: no more inquiries. `TO_REVERSE`: the rail moved money for an ended operation.
 */
export type AttemptState =
  | 'OPEN'
  | 'ASKED'
  | 'APPROVED'
  | 'DECLINED'
  | 'ABANDONED'
  | 'RETURNED'
  | 'GIVEN_UP'
  | 'CLOSED'
  | 'TO_REVERSE'
  | 'REVERSED'

/** A late approval of a declined or closed attempt is reversed. @public Compared with docs/states. */
export const attemptTransitions: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  OPEN: ['ASKED', 'DECLINED', 'ABANDONED'],
  ASKED: ['APPROVED', 'DECLINED', 'GIVEN_UP', 'TO_REVERSE'],
  APPROVED: ['RETURNED'],
  DECLINED: ['TO_REVERSE'],
  ABANDONED: [],
  RETURNED: [],
  GIVEN_UP: ['APPROVED', 'CLOSED', 'TO_REVERSE'],
  CLOSED: ['TO_REVERSE'],
  TO_REVERSE: ['REVERSED'],
  REVERSED: [],
}

export type AttemptOwner = 'checkout' | 'direct' | 'card_api' | 'card_store' | 'subscription'

/** All customers' attempts; other requests only if the rail did not answer at once. */
export const attempts = table(
  'attempts',
  {
    walletId: column.bigint(),
    operationId: column.uuid(),
    /** The rail's idempotency key: the id of the operation or of the customer's attempt. */
    key: column.uuid().named('id'),
    type: column.text<OperationType>(),
    method: column.text<Method>(),
    state: column.text<AttemptState>(),
    /** Number of claims in its present state. */
    tries: column.integer().default(0),
    givenUpAt: column.instant().optional(),
    owner: column.text<AttemptOwner>().optional(),
    /** The page that posted it: posted twice, it is one attempt. */
    pageToken: column.uuid().optional(),
    amount: column.cents().optional(),
    currency: column.text().optional(),
    merchantName: column.text().optional(),
    /** Data of the method, as is `Details`. */
    details: column.json<unknown>().optional(),
    expiresAt: column.instant().optional(),
    /** The customer cancelled; the rail is asked to cancel until the result is known. */
    withdrawnAt: column.instant().optional(),
    sealedCard: column.bytes().optional(),
    threeDsId: column.uuid().optional(),
    /** Reason of a failure, in a word of the rail. */
    failure: column.text().optional(),
    reference: column.text().optional(),
    createdAt: column.instant().optional(),
    modifiedAt: column.instant().optional(),
    endedAt: column.instant().optional(),
  },
  {
    dueAt: column.instant().optional(),
  },
)

export type Attempt = RowOf<typeof attempts>

export type CustomerAttempt<Details = unknown> = Attempt & {
  readonly owner: AttemptOwner
  readonly pageToken: string
  readonly amount: Cents
  readonly currency: string
  readonly merchantName: string
  readonly details: Details
  readonly createdAt: Instant
  readonly modifiedAt: Instant
}

export type RailRequest = Pick<Attempt, 'walletId' | 'operationId' | 'key' | 'type' | 'method'>

/** Due movements, one row for each statement that opened some. @public Compared with the schema. */
export const openedMovements = table('opened_movements', {
  dueAt: column.instant(),
  id: column.uuid(),
  walletIds: column.bigint().array(),
  operationIds: column.uuid().array(),
})

/** Notices of rails do not wait for this poll. */
export const pollMs = 1 * second
/** Attempts of all rails in one process: a silent rail must leave room for the others. */
export const concurrency = 64
/** Longer than two calls to a rail, so that a lease expires only if its process died. */
export const leaseMs = 30 * second

const inquiryMs = 5 * second
const inquiryMsMax = 5 * minute

/** A customer needs at least this long to decide on another page. */
const firstLookMs = 30 * second
/** A person decides, rarely sooner, and notices do not wait for it. */
const customerMs = 10 * second

/** From here on nobody sends the request again: the claim for this inquiry takes the attempt over. */
export const inquiriesBeforeGivingUp = 4

/** Inquiries of about a day. A charge does not arrive later. */
export const chargeInquiriesMax = 300

const askedAgainMs = [minute, 10 * minute, hour, day] as const
/** Soon, because the rail does not say whether it has the request. */
const unknownMs = minute

const reversalMs = 5 * second
const reversalMsMax = hour

export function nextInquiry(now: Instant, tries: number): Instant {
  return after(now, backoffMs(inquiryMs, tries, inquiryMsMax))
}

export function firstLook(now: Instant): Instant {
  return after(now, firstLookMs)
}

export function nextInquiryOfCustomer(now: Instant, tries: number): Instant {
  return after(now, backoffMs(customerMs, tries, inquiryMsMax))
}

/** Undefined after the last inquiry. */
export function nextLateInquiry(givenUpAt: Instant, now: Instant, tries: number): Instant | undefined {
  const pause = askedAgainMs[tries]
  if (pause === undefined) return undefined
  const due = after(givenUpAt, pause)
  return due > now ? due : after(now, second)
}

export function nextUnknownInquiry(now: Instant): Instant {
  return after(now, unknownMs)
}

export function nextReversal(now: Instant, tries: number): Instant {
  return after(now, backoffMs(reversalMs, tries, reversalMsMax))
}

/** Every call ends in time, and moves nothing twice. A method omits calls that its rail cannot do. */
export interface RailHandler {
  /** `not_found`: not received, or cancelled before it arrived. `operation` is absent for a card to store. */
  inquire(request: RailRequest, operation: Operation | undefined): Promise<RailAnswer>
  /** Cancels a request, also one that has not arrived yet: `not_found`. */
  cancel?(request: RailRequest): Promise<RailAnswer>
  /** Reverses an approval completely, under its own key. */
  reverse?(key: string, request: RailRequest): Promise<RailAnswer>
  /** The amount of `refund` is negative; the rail's key is the refund's id. */
  refund?(refund: ChildOperation, payment: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** Absent: refunds go back to the card, phone or account that paid. */
  readonly toAccount?: AccountRefunds
  capture?(capture: ChildOperation, authorization: Operation, beforeSend: MayStart): Promise<RailAnswer>
  release?(release: ChildOperation, authorization: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** Whether the provider of this authorization releases its whole rest only. */
  releasesWholeOnly?(authorization: Operation): boolean
  /** Whether the provider has ended a hold; false if it does not say. */
  hasEnded?(authorization: Operation): Promise<boolean>
  /** `remaining` is the expected rest of the hold. Repeated while the outcome is unknown. */
  releaseRest?(key: string, authorization: Operation, remaining: Cents): Promise<RailAnswer>
}

/** Charges of subscriptions. No customer waits, so a charge that was not received is sent again. */
export interface ChargeHandler {
  inquire(payment: Operation): Promise<RailAnswer>
  /** Sends it again; `stopped`: it may not be sent any more, for that reason. */
  send(
    payment: Operation,
    beforeSend: MayStart,
  ): Promise<RailAnswer | { readonly kind: 'stopped'; readonly reason: string }>
  /** Releases the reservation of a failed charge. Can be repeated. */
  givenUp(payment: Operation): Promise<void>
}

export type RailOf = (movement: Pick<Operation, 'type' | 'method'>) => RailHandler | undefined

export function requestOf({ walletId, id, type, method }: Operation): RailRequest {
  if (method === undefined) throw new Error(`operation ${id} has no method`)
  return { walletId, operationId: id, key: id, type, method }
}

/** For movements of our own ledger, or reported by a rail after the money moved. */
export async function approvedAtOnce(): Promise<RailAnswer> {
  return { kind: 'approved' }
}
