// A recurring reference: can be paid at once, and many times, with amounts between its limits.
import { claimOf, type IdempotencyKey, type Made, madeWithClaim } from '../../idempotency/index.ts'
import { cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import { grouped } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { type BankReferencesDeps, entityOf } from '../deps.ts'
import type { BankReference } from '../model.ts'
import { referenceDigits } from '../numbers/check-digits.ts'
import type { ReferenceNumbers } from '../numbers/numbers.ts'
import type { RecurringDraft } from '../schemas.ts'
import { insertRecurringReferences, type NewRecurringReference } from '../store.ts'

export type OpenRecurring = (
  draft: RecurringDraft,
  wallet: Wallet,
  key: IdempotencyKey | undefined,
) => Promise<Made | undefined>

/** Where the payer chooses the amount, the check digits contain none. */
const noAmount = cents(0)

/**
 * Opens recurring references.
 *
 * @returns a verb, answering undefined when its idempotency key had been used before.
 * Refusals: service_unavailable when the entity has no number left.
 */
export function createRecurring(deps: BankReferencesDeps, numbers: ReferenceNumbers): OpenRecurring {
  const { database, clock, random, network } = deps
  const write = grouped<NewRecurringReference, boolean>({
    database,
    write: (rows) => insertRecurringReferences(database, rows),
  })

  return async (draft, wallet, key) => {
    const entity = entityOf(network)
    const number = unwrap(await numbers.take(entity))
    const now = clock.now()
    const { extInvoiceId, extEmail, extCustomerId } = draft.merchantReferences
    const reference: BankReference = {
      id: newId(now, random),
      walletId: wallet.id,
      kind: 'recurring',
      entity,
      number,
      ref: referenceDigits(entity, number, noAmount),
      amountMin: draft.amountMin,
      amountMax: draft.amountMax,
      extInvoiceId,
      extEmail,
      extCustomerId,
      expires: draft.expires,
      createdAt: now,
    }
    const body = referenceOnWire(reference)
    const href = `/api/v2/operations?mb_ref=${reference.ref}`
    const claim = claimOf(key, { resourceId: reference.id, href, body })
    return madeWithClaim(await write({ reference, claim }), body)
  }
}

/** `{mb: {entity, ref}}` as JSON. */
function referenceOnWire({ entity, ref }: Pick<BankReference, 'entity' | 'ref'>): string {
  return JSON.stringify({ mb: { entity, ref } })
}
