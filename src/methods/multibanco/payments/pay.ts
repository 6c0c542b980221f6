// References for one payment.
import { type Created, claimOf, createdWithClaim, type IdempotencyKey } from '../../../idempotency/index.ts'
import { newId } from '../../../kernel/random.ts'
import { unwrap } from '../../../kernel/result.ts'
import { tracing } from '../../../kernel/tracing.ts'
import type { Caller } from '../../../kernel/values/permissions.ts'
import { pathOf } from '../../../operations/for-movements.ts'
import { askedSplit, openedOperation, operationOnWire, withinLimits } from '../../../operations/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { MultibancoDeps } from '../deps.ts'
import type { BankReference } from '../model.ts'
import type { NameReference } from '../providers/naming.ts'
import { writingReferences } from '../providers/writing.ts'
import type { PaymentDraft } from '../schemas.ts'
import { insertReferencePayments, type NewReferencePayment } from '../store.ts'

export type PayByReference = (
  draft: PaymentDraft,
  merchant: { readonly wallet: Wallet; readonly caller: Caller },
  key: IdempotencyKey | undefined,
) => Promise<Created | undefined>

/**
 * Opens payments by reference, PENDING until paid; undefined for a repeated idempotency key.
 * Refusals: those of {@link NameReference}, limit_reached, of a split, access_denied and invalid_split.
 */
export function createPayByReference(deps: MultibancoDeps, nameReference: NameReference): PayByReference {
  const { database, random, wallets } = deps
  const write = writingReferences<NewReferencePayment>(database, insertReferencePayments)

  return async (draft, { wallet, caller }, key) => {
    const { amount, window } = draft
    const split = unwrap(
      await askedSplit(wallets.findByPublicId, {
        value: draft.split,
        field: 'split',
        amount,
        wallet,
        caller,
        prices: [draft.instant ? 'MB_INSTANT' : 'MB'],
      }),
    )
    unwrap(await withinLimits(deps, wallet, { amount, field: 'amount' }))
    const named = await nameReference({
      wallet,
      once: key,
      payableOnce: true,
      amountMin: amount,
      amountMax: amount,
      ...window,
      description: draft.merchantReferences.extInvoiceId,
      customer: { email: draft.client?.email ?? draft.merchantReferences.extEmail, name: draft.client?.name },
    })
    if (named === undefined) return undefined
    const { entity, ref, createdAt } = named
    const { expires = window.expires } = named
    const id = named.number === undefined ? newId(createdAt, random) : named.id
    const operation = {
      ...draft.merchantReferences,
      id,
      walletId: wallet.id,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'MB',
      amount,
      currency: 'EUR',
      channel: 'API',
      mb: { entity, ref },
      store: draft.store,
      items: draft.items,
      client: draft.client,
      split,
      instant: draft.instant || undefined,
      starts: window.starts,
      expires,
      attemptId: named.id,
      createdAt,
      traceparent: tracing?.traceparent(),
    } as const
    const reference: BankReference = {
      ...named,
      walletId: wallet.id,
      kind: draft.instant ? 'instant' : 'time_limited',
      operationId: id,
      amountMin: amount,
      amountMax: amount,
      starts: window.starts,
      expires,
    }
    const body = JSON.stringify(operationOnWire(openedOperation(operation), wallet))
    const claim = claimOf(key, { resourceId: id, href: pathOf(id), body })
    return createdWithClaim(await write({ operation, reference, claim }), body)
  }
}
