// An attempt: one request to a rail under one idempotency key.

import type { Cents } from '../../kernel/money.ts'
import { after, backoffMs, day, hour, type Instant, minute, second } from '../../kernel/time.ts'
import type { Method } from '../../methods/list.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { ChildOperation, Operation, OperationType } from '../model.ts'
import type { AccountRefunds } from '../refunds/to-account.ts'

/**
 * `ASKED`: money may move. `RETURNED`: asked again while a refund can change the amount. `GIVEN_UP`: the
 * operation failed, but the rail is still asked. `CLOSED`: the rail is not asked any more. `TO_REVERSE`: the
 * rail moved money for an operation that had ended.
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

/** A late approval of a declined or closed attempt is reversed. @public Tested against docs/states. */
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

/** Every attempt of a customer has a row. Other requests have one only if the rail did not answer at once. */
export const attempts = table(
  'attempts',
  {
    walletId: column.bigint(),
    operationId: column.uuid(),
    /** The idempotency key at the rail: the id of the operation or of the customer's attempt. */
    key: column.uuid().named('id'),
    type: column.text<OperationType>(),
    method: column.text<Method>(),
    state: column.text<AttemptState>(),
    /** How often a worker has claimed it in its present state. */
    tries: column.integer().default(0),
    givenUpAt: column.instant().optional(),
    owner: column.text<AttemptOwner>().optional(),
    /** The token of the page that posted it. If the page posts twice, this makes one attempt. */
    pageToken: column.uuid().optional(),
    amount: column.cents().optional(),
    currency: column.text().optional(),
    merchantName: column.text().optional(),
    /** Data that only the payment method reads. */
    details: column.json<unknown>().optional(),
    expiresAt: column.instant().optional(),
    /** When the customer cancelled. The rail is asked to cancel until the result is known. */
    withdrawnAt: column.instant().optional(),
    sealedCard: column.bytes().optional(),
    threeDsId: column.uuid().optional(),
    /** Reason of a failure, as one word of the rail. */
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

/**
 * Movements to ask about later: a row for each statement that opened some. @public Tested against the schema.
 */
export const openedMovements = table('opened_movements', {
  dueAt: column.instant(),
  id: column.uuid(),
  walletIds: column.bigint().array(),
  operationIds: column.uuid().array(),
})

/** A notice of a rail is handled at once and does not wait for this poll. */
export const pollMs = 1 * second
/** Attempts of all rails in one process. It leaves room for other rails if one is silent. */
export const concurrency = 64
/** The lease is longer than two calls to a rail, so it expires only if its process died. */
export const leaseMs = 30 * second

const inquiryMs = 5 * second
const inquiryMsMax = 5 * minute

/** A customer needs at least this long to decide on another page. */
const firstLookMs = 30 * second
/** A person needs some seconds to decide. If a notice arrives, it is handled without this pause. */
const customerMs = 10 * second

/** After this many inquiries nothing is sent again, and an attempt that the rail does not know is given up. */
export const inquiriesBeforeGivingUp = 4

/** Enough inquiries for about a day. A charge cannot arrive later. */
export const chargeInquiriesMax = 300

const askedAgainMs = [minute, 10 * minute, hour, day] as const
/** The pause is short, because the rail did not say whether it has the request. */
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

/** Returns undefined after the last inquiry. */
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

/** One method's calls to its rail. Each ends in time and moves nothing twice. Impossible ones are absent. */
export interface RailHandler {
  /**
   * `not_found`: the rail did not receive the request, or it was cancelled before it arrived. `operation` is
   * absent if a card is only stored.
   */
  inquire(request: RailRequest, operation: Operation | undefined): Promise<RailAnswer>
  /** Cancels a request. `not_found`: it has not arrived, and the rail will decline it if it does. */
  cancel?(request: RailRequest): Promise<RailAnswer>
  /** Reverses an approval completely, under its own key. */
  reverse?(key: string, request: RailRequest): Promise<RailAnswer>
  /** The amount of `refund` is negative. The idempotency key is the refund's id. */
  refund?(refund: ChildOperation, payment: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** Absent: refunds go back to the card, phone or account that paid. */
  readonly toAccount?: AccountRefunds
  capture?(capture: ChildOperation, authorization: Operation, beforeSend: MayStart): Promise<RailAnswer>
  release?(release: ChildOperation, authorization: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** True if the provider of this authorization can only release its whole rest. */
  releasesWholeOnly?(authorization: Operation): boolean
  /** True if the provider has ended the hold, false if it has not or does not say. */
  hasEnded?(authorization: Operation): Promise<boolean>
  /** Releases the rest of a hold, expected to be `remaining`. It is repeated while the outcome is unknown. */
  releaseRest?(key: string, authorization: Operation, remaining: Cents): Promise<RailAnswer>
}

/** Charges of subscriptions. No customer waits, so a charge that the rail did not receive is sent again. */
export interface ChargeHandler {
  inquire(payment: Operation): Promise<RailAnswer>
  /** Sends the charge again. `stopped`: it must not be sent any more, for `reason`. */
  send(
    payment: Operation,
    beforeSend: MayStart,
  ): Promise<RailAnswer | { readonly kind: 'stopped'; readonly reason: string }>
  /** Releases the amount reserved for a failed charge. It can be repeated. */
  givenUp(payment: Operation): Promise<void>
}

export type RailOf = (movement: Pick<Operation, 'type' | 'method'>) => RailHandler | undefined

export function requestOf({ walletId, id, type, method }: Operation): RailRequest {
  if (method === undefined) throw new Error(`operation ${id} has no method`)
  return { walletId, operationId: id, key: id, type, method }
}

/** The rail of movements that our ledger alone books, or that a rail reported after the money moved. */
export async function approvedAtOnce(): Promise<RailAnswer> {
  return { kind: 'approved' }
}
