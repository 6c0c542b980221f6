// Offering a reference for an operation that exists already: the customer of a checkout chose to pay by one.
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { type Operation, operationEvent } from '../../operations/index.ts'
import { type BankReferencesDeps, entityOf } from '../deps.ts'
import type { BankReference } from '../model.ts'
import { referenceDigits } from '../numbers/check-digits.ts'
import type { ReferenceNumbers } from '../numbers/numbers.ts'
import { offeredExpiry, stateOf } from '../rules.ts'
import { findReference } from '../store.ts'
import { insertOffer } from './offer-store.ts'

export interface ReferenceOffers {
  /**
   * Until when a reference for `operation` can be paid, if it is offered now on a page that can be paid until
   * `pageEnds`.
   */
  expiryOf(operation: Operation, pageEnds: Instant): Instant
  /**
   * Makes a reference the means to pay `operation`, which becomes PENDING with an event for the merchant. False
   * when something else was chosen, paid or ended meanwhile. Refusals: service_unavailable without a free number.
   *
   * @param expires of {@link ReferenceOffers.expiryOf}
   */
  offer(operation: Operation, expires: Instant): Promise<boolean>
  /** The reference under which `operation` can be paid right now. */
  openReference(operation: Operation): Promise<BankReference | undefined>
}

export function createOffers(deps: BankReferencesDeps, numbers: ReferenceNumbers): ReferenceOffers {
  const { database, clock, random, network, wallets } = deps

  return {
    expiryOf: (operation, pageEnds) => offeredExpiry(operation, pageEnds, clock.now()),

    async offer(operation, expires) {
      const entity = entityOf(network)
      const number = unwrap(await numbers.take(entity))
      const now = clock.now()
      const { amount, walletId, starts } = operation
      const reference: BankReference = {
        id: newId(now, random),
        walletId,
        kind: operation.instant === true ? 'instant' : 'time_limited',
        entity,
        number,
        ref: referenceDigits(entity, number, amount),
        operationId: operation.id,
        amountMin: amount,
        amountMax: amount,
        starts,
        expires,
        createdAt: now,
      }
      const offered = {
        ...operation,
        status: 'PENDING',
        method: 'MB',
        mb: { entity, ref: reference.ref },
        expires,
        attemptId: reference.id,
        modifiedAt: now,
      } as const
      const event = operationEvent(offered, await wallets.get(walletId), newId(now, random))
      const won = await insertOffer(database, { reference, event, replaces: operation.attemptId })
      if (won) deps.callbacks.wake()
      return won
    },

    async openReference(operation) {
      const { walletId, method, attemptId } = operation
      if (method !== 'MB' || attemptId === undefined) return undefined
      const reference = await findReference(database, walletId, attemptId)
      if (reference === undefined) return undefined
      return stateOf(reference, operation, clock.now()) === 'open' ? reference : undefined
    },
  }
}
