// Recurring references: many payments within two limits.
import { type Created, claimOf, createdWithClaim, type IdempotencyKey } from '../../../idempotency/index.ts'
import { unwrap } from '../../../kernel/result.ts'
import { withinPaymentLimit } from '../../../operations/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { MultibancoDeps } from '../deps.ts'
import type { BankReference } from '../model.ts'
import type { NameReference } from '../providers/naming.ts'
import { writingReferences } from '../providers/writing.ts'
import type { RecurringDraft } from '../schemas.ts'
import { insertRecurringReferences, type NewRecurringReference } from '../store.ts'

export type OpenRecurring = (
  draft: RecurringDraft,
  wallet: Wallet,
  key: IdempotencyKey | undefined,
) => Promise<Created | undefined>

export function createRecurring(
  { database }: Pick<MultibancoDeps, 'database'>,
  nameReference: NameReference,
): OpenRecurring {
  const write = writingReferences<NewRecurringReference>(database, insertRecurringReferences)

  return async (draft, wallet, key) => {
    const { amountMin, amountMax, expires } = draft
    const { extInvoiceId, extEmail, extCustomerId } = draft.merchantReferences
    unwrap(withinPaymentLimit(wallet, amountMax, 'max_amount'))
    const asked = { payableOnce: false, amountMin, amountMax, expires }
    const named = await nameReference({
      ...{ wallet, once: key, ...asked },
      description: extInvoiceId,
      customer: { email: extEmail },
    })
    if (named === undefined) return undefined
    const reference: BankReference = {
      ...named,
      ...{ walletId: wallet.id, kind: 'recurring', amountMin, amountMax },
      ...{ extInvoiceId, extEmail, extCustomerId },
    }
    const body = referenceOnWire(reference)
    const href = `/api/v2/operations?mb_ref=${reference.ref}`
    const claim = claimOf(key, { resourceId: reference.id, href, body })
    return createdWithClaim(await write({ reference, claim }), body)
  }
}

function referenceOnWire({ entity, ref }: Pick<BankReference, 'entity' | 'ref'>): string {
  return JSON.stringify({ mb: { entity, ref } })
}
