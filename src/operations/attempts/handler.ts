// A method of payment as the engine sees it: one handler for all that its rail is asked after a customer has chosen it.

import type { Cents } from '../../kernel/money.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import type { ChildOperation, Operation } from '../model.ts'
import type { RailRequest } from './model.ts'

/**
 * Every call ends in time, and repeated under one key it moves nothing again. Each asks `mayStart` immediately before
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
  refund?(refund: ChildOperation, payment: Operation, mayStart: MayStart): Promise<RailAnswer>
  /** Takes the amount of `capture` of what is held, under the capture's id. */
  capture?(capture: ChildOperation, authorization: Operation, mayStart: MayStart): Promise<RailAnswer>
  /** Gives the amount of `release` of what is held back, under the release's id. */
  release?(release: ChildOperation, authorization: Operation, mayStart: MayStart): Promise<RailAnswer>
  /** Whether its provider has ended a hold; false where it does not say. */
  hasEnded?(authorization: Operation): Promise<boolean>
  /** Gives back all that is still held; `remaining` is what that should be. Asked again where it is unclear. */
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
    mayStart: MayStart,
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
