// An attempt: one request to a rail under one idempotency key, what became of it, and when the rail is asked.

import type { Cents } from '../../kernel/money.ts'
import { after, backoffMs, day, hour, type Instant, minute, second } from '../../kernel/time.ts'
import { tracing } from '../../kernel/tracing.ts'
import type { Method } from '../../methods/list.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { ChildOperation, NewOperation, Operation, OperationType } from '../model.ts'

/**
 * `OPEN`: the customer decides, and no money can move. `ASKED`: the rail was asked, or is about to be, and money may
 * move. `APPROVED` and `DECLINED`: the operation ended, or the customer may try again, as the rail decided. `ABANDONED`:
 * the customer left it, or chose again, before the rail was asked. `RETURNED`: what was paid was taken back;
 * due, while a refund may still leave some of it to be withdrawn.
 * `GIVEN_UP`: the rail had not received the request when it was given up, and is asked again. `CLOSED`: it was asked
 * often enough. `TO_REVERSE`: the rail moved money for an operation that ended otherwise.
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

/**
 * Every transition there is; a state without any is final. A rail may approve what was declined or closed for want of
 * an answer: then the money is reversed.
 *
 * @public Compared with its drawing in docs/states.
 */
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

/** What a customer's attempt is made for, which says what a decline means. */
export type AttemptOwner = 'checkout' | 'direct' | 'card_api' | 'card_store' | 'subscription'

/**
 * Requests to rails. Those of customers have all a row of their own; of the others only what has to be looked at: their
 * rail did not answer at once, or what it did must be reversed.
 */
export const attempts = table(
  'attempts',
  {
    walletId: column.bigint(),
    /** What it is about: an operation, or what else {@link AttemptOwner} says. */
    operationId: column.uuid(),
    /** The rail's idempotency key: the operation's id, or that of the customer's attempt to pay it. */
    key: column.uuid().named('id'),
    type: column.text<OperationType>(),
    method: column.text<Method>(),
    state: column.text<AttemptState>(),
    /** How often it was taken up in its present state, this time included. */
    tries: column.integer().default(0),
    /** When it was given up. */
    givenUpAt: column.instant().optional(),
    /** Of a customer's attempt; all that follows is of those alone. */
    owner: column.text<AttemptOwner>().optional(),
    /** Of the page that posted it: the same one twice is one attempt. */
    pageToken: column.uuid().optional(),
    amount: column.cents().optional(),
    currency: column.text().optional(),
    merchantName: column.text().optional(),
    /** What is the method's own. */
    details: column.json<unknown>().optional(),
    /** Until when the customer may decide. */
    expiresAt: column.instant().optional(),
    /** When the customer took it back; the rail is told so until it has said what became of it. */
    withdrawnAt: column.instant().optional(),
    /** A card between its form and the acquirer. */
    sealedCard: column.bytes().optional(),
    /** `threeDSServerTransID` of every message about the card's holder. */
    threeDsId: column.uuid().optional(),
    /** Why no money came, in a word of the rail. */
    failure: column.text().optional(),
    /** What the rail calls the payment. */
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

/** A customer's attempt to pay, by one method; `Details` are the method's own. */
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

/** A request as it was, or may have been, sent to a rail. */
export type RailRequest = Pick<Attempt, 'walletId' | 'operationId' | 'key' | 'type' | 'method'>

/**
 * Movements to be looked at, written in one row by the statement that opened them.
 *
 * @public Compared with the schema.
 */
export const openedMovements = table('opened_movements', {
  dueAt: column.instant(),
  id: column.uuid(),
  walletIds: column.bigint().array(),
  operationIds: column.uuid().array(),
})

/** An operation that waits for its rail, and is looked after should this process die. */
export type OpenedOperation = NewOperation & ReturnType<typeof underApproval>

/**
 * Marks an operation that is about to be opened as decided by its rail under its own id.
 *
 * @param at when the rail is about to be asked
 */
export function underApproval<Asked extends NewOperation>(asked: Asked, at = asked.createdAt) {
  return {
    ...asked,
    traceparent: asked.traceparent ?? tracing?.traceparent(),
    status: 'PENDING',
    attemptId: asked.id,
    underApproval: true,
    dueAt: firstInquiry(at),
  } as const
}

// Timings: when rails are asked, how long they may take, and how often they are asked again. One set for all of them.

/** How often the resolver looks for attempts that are due; notices of rails do not wait for it. */
export const pollMs = 1 * second
/** Attempts of all rails that one process works at the same time: a silent rail must leave room for the others. */
export const concurrency = 64
/** Longer than two calls to a rail may take, so that a lease runs out only under a process that died. */
export const leaseMs = 30 * second

/** Longer than the call that asks a rail may take: until then its own answer is waited for. */
const firstInquiryMs = 10 * second
const inquiryMs = 5 * second
const inquiryMsMax = 5 * minute

/** A customer needs at least that to decide on another page. */
const firstLookMs = 30 * second
/** Whoever decides is a person: rarely there sooner, and notices do not wait for it. */
const customerMs = 10 * second

/**
 * A rail that has not received a request by this inquiry is not sent it any more. Claiming the attempt for that inquiry
 * takes it over: whoever was held up before calling the rail finds that out, and does not call.
 */
export const inquiriesBeforeGivingUp = 4

/** About a day: a rail that has not received a charge by then, and cannot be reached, will not take it any more. */
export const chargeInquiriesMax = 300

/** When the rail is asked again whether what was given up has arrived after all, counted from giving it up. */
const askedAgainMs = [minute, 10 * minute, hour, day] as const
/** A rail that does not say whether it has a request that was given up is asked again soon. */
const unknownMs = minute

const reversalMs = 5 * second
const reversalMsMax = hour

/** When the resolver looks at a request that is sent at `now`. */
export function firstInquiry(now: Instant): Instant {
  return after(now, firstInquiryMs)
}

/** When the rail is asked after `tries` inquiries: after twice as long each time. */
export function nextInquiry(now: Instant, tries: number): Instant {
  return after(now, backoffMs(inquiryMs, tries, inquiryMsMax))
}

/** When the resolver looks at an attempt about which its customer begins to decide. */
export function firstLook(now: Instant): Instant {
  return after(now, firstLookMs)
}

/** When the rail is asked whether the customer has decided, after `tries` inquiries: after twice as long each time. */
export function nextInquiryOfCustomer(now: Instant, tries: number): Instant {
  return after(now, backoffMs(customerMs, tries, inquiryMsMax))
}

/**
 * When the rail is asked about a request that was given up, after it was asked `tries` times since; undefined when it
 * was asked often enough.
 */
export function nextLook(givenUpAt: Instant, now: Instant, tries: number): Instant | undefined {
  const pause = askedAgainMs[tries]
  if (pause === undefined) return undefined
  const due = after(givenUpAt, pause)
  return due > now ? due : after(now, second)
}

/** When a rail that did not say is asked again about a request that was given up. */
export function nextLookWhenUnknown(now: Instant): Instant {
  return after(now, unknownMs)
}

/** When a reversal that was not confirmed is asked for again: after twice as long each time. */
export function nextReversal(now: Instant, tries: number): Instant {
  return after(now, backoffMs(reversalMs, tries, reversalMsMax))
}

/**
 * Every call ends in time, and repeated under one key it moves nothing again. Each asks `beforeSend` immediately before
 * the rail is called. What a method cannot do it does not have.
 */
export interface RailHandler {
  /**
   * What became of a request. `not_found`: the rail has not received it, or it was cancelled before it arrived. A rail
   * that cannot cancel is sent it again instead, under the same key.
   *
   * @param operation that the request is about; undefined for a card that is stored
   */
  inquire(request: RailRequest, operation: Operation | undefined): Promise<RailAnswer>
  /**
   * What became of a request; one that has not arrived is declined should it arrive later, where the rail can do
   * that: `not_found`.
   */
  cancel?(request: RailRequest): Promise<RailAnswer>
  /** Undoes what was approved, whole, under a key of its own. */
  reverse?(key: string, request: RailRequest): Promise<RailAnswer>
  /** Gives the amount of `refund` (negative) back to who paid `payment`, under the refund's id. */
  refund?(refund: ChildOperation, payment: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** Takes the amount of `capture` of what is held, under the capture's id. */
  capture?(capture: ChildOperation, authorization: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** Gives the amount of `release` of what is held back, under the release's id. */
  release?(release: ChildOperation, authorization: Operation, beforeSend: MayStart): Promise<RailAnswer>
  /** Whether its provider has ended a hold; false where it does not say. */
  hasEnded?(authorization: Operation): Promise<boolean>
  /** Gives back all that is still held; `remaining` is what that should be. Asked again where it is unknown. */
  releaseRest?(key: string, authorization: Operation, remaining: Cents): Promise<RailAnswer>
}

/**
 * Charges of subscriptions, as the engine sees them. Nobody waits for them: what their rail has not received is sent
 * again, under the same key, as long as the subscription allows it.
 */
export interface ChargeHandler {
  /** What became of a charge. */
  inquire(payment: Operation): Promise<RailAnswer>
  /** Asks for it again; `stopped`: it may not be asked for any more, for that reason. */
  send(
    payment: Operation,
    beforeSend: MayStart,
  ): Promise<RailAnswer | { readonly kind: 'stopped'; readonly reason: string }>
  /** It failed, and will not be asked for again: releases what was reserved for it. Repeated after a crash. */
  givenUp(payment: Operation): Promise<void>
}

/** Finds the rail of a movement: payouts have their own, everything else has that of its method. */
export type RailOf = (movement: Pick<Operation, 'type' | 'method'>) => RailHandler | undefined

/** The key under which the rail moved or holds the money of an operation: of the customer's attempt, or its own. */
export function keyOf({ attemptId, id }: Pick<Operation, 'attemptId' | 'id'>): string {
  return attemptId ?? id
}

/** The request by which an operation was, or was to be, sent to its rail under its own id. */
export function requestOf({ walletId, id, type, method }: Operation): RailRequest {
  if (method === undefined) throw new Error(`operation ${id} goes by no method`)
  return { walletId, operationId: id, key: id, type, method }
}

/** Of a movement whose rail is our own ledger, or has told of it once the money was there. */
export async function approvedAtOnce(): Promise<RailAnswer> {
  return { kind: 'approved' }
}
