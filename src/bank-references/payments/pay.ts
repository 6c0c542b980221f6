// A reference for one payment: one grouped statement writes the operation, the reference and the answer.
import { claimOf, type IdempotencyKey, type Made, madeWithClaim } from '../../idempotency/index.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import type { Caller } from '../../kernel/values/permissions.ts'
import { askedSplit, openedOperation, operationOnWire, pathOf } from '../../operations/index.ts'
import { grouped } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { type BankReferencesDeps, entityOf } from '../deps.ts'
import type { BankReference } from '../model.ts'
import { referenceDigits } from '../numbers/check-digits.ts'
import type { ReferenceNumbers } from '../numbers/numbers.ts'
import type { PaymentDraft } from '../schemas.ts'
import { insertReferencePayments, type NewReferencePayment } from '../store.ts'

export type PayByReference = (
  draft: PaymentDraft,
  merchant: { readonly wallet: Wallet; readonly caller: Caller },
  key: IdempotencyKey | undefined,
) => Promise<Made | undefined>

/**
 * Opens payments by reference, PENDING until somebody pays.
 *
 * @returns a verb, answering undefined when its idempotency key had been used before.
 * Refusals: service_unavailable when the entity has no number left; of a split, access_denied and invalid_split.
 */
export function createPayByReference(deps: BankReferencesDeps, numbers: ReferenceNumbers): PayByReference {
  const { database, clock, random, network, wallets } = deps
  const write = grouped<NewReferencePayment, boolean>({
    database,
    write: (rows) => insertReferencePayments(database, rows),
  })

  return async (draft, { wallet, caller }, key) => {
    const split = unwrap(
      await askedSplit(wallets.findByPublicId, {
        value: draft.split,
        field: 'split',
        amount: draft.amount,
        wallet,
        caller,
        prices: [draft.instant ? 'MB_INSTANT' : 'MB'],
      }),
    )
    const entity = entityOf(network)
    const number = unwrap(await numbers.take(entity))
    const now = clock.now()
    const id = newId(now, random)
    const ref = referenceDigits(entity, number, draft.amount)
    const operation = {
      ...draft.merchantReferences,
      id,
      walletId: wallet.id,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'MB',
      amount: draft.amount,
      currency: 'EUR',
      channel: 'API',
      mb: { entity, ref },
      store: draft.store,
      items: draft.items,
      client: draft.client,
      split,
      instant: draft.instant || undefined,
      starts: draft.window.starts,
      expires: draft.window.expires,
      // Only this reference can pay the operation, so both have the same id.
      attemptId: id,
      createdAt: now,
    } as const
    const reference: BankReference = {
      id,
      walletId: wallet.id,
      kind: draft.instant ? 'instant' : 'time_limited',
      entity,
      number,
      ref,
      operationId: id,
      amountMin: draft.amount,
      amountMax: draft.amount,
      starts: draft.window.starts,
      expires: draft.window.expires,
      createdAt: now,
    }
    const body = JSON.stringify(operationOnWire(openedOperation(operation), wallet))
    const claim = claimOf(key, { resourceId: id, href: pathOf(id), body })
    return madeWithClaim(await write({ operation, reference, claim }), body)
  }
}
