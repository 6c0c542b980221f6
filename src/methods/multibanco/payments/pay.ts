// References for one payment.

import {
  type Claim,
  type Created,
  claimOf,
  createdWithClaim,
  type IdempotencyKey,
} from '../../../idempotency/index.ts'
import { newId } from '../../../kernel/random.ts'
import { deny, unwrap } from '../../../kernel/result.ts'
import { tracing } from '../../../kernel/tracing.ts'
import type { Caller } from '../../../kernel/values/permissions.ts'
import { pathOf } from '../../../operations/for-movements.ts'
import {
  askedSplit,
  openedOperation,
  operationOnWire,
  withinLimits,
  withinPaymentLimit,
} from '../../../operations/index.ts'
import { batched, type Database, type Executor } from '../../../storage/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { MultibancoDeps } from '../deps.ts'
import type { BankReference } from '../model.ts'
import type { NameReference } from '../naming.ts'
import type { PaymentDraft, RecurringDraft } from '../schemas.ts'
import {
  insertRecurringReferences,
  insertReferencePayments,
  type NewRecurringReference,
  type NewReferencePayment,
  type Numbering,
} from '../store.ts'

export type PayByReference = (
  draft: PaymentDraft,
  merchant: { readonly wallet: Wallet; readonly caller: Caller },
  key: IdempotencyKey | undefined,
) => Promise<Created | undefined>

/**
 * Opens payments by reference, which stay PENDING until paid. Returns undefined if the idempotency key was
 * used before. Refusals: those of {@link NameReference}, limit_reached, of a split, access_denied and
 * invalid_split.
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

interface NewRow {
  readonly reference: BankReference
  readonly claim: Claim | undefined
}

type Insert<Row> = (db: Executor, rows: readonly Row[], numbering: Numbering) => Promise<boolean[]>

function writingReferences<Row extends NewRow>(
  database: Database,
  insert: Insert<Row>,
): (row: Row) => Promise<boolean> {
  const write = batched<Row, boolean>({ database, write: (rows) => insert(database, rows, 'ours') })
  return async (row) => {
    if (row.reference.number !== undefined) return write(row)
    const [isNew = false] = await insert(database, [row], 'theirs')
    if (!isNew && row.claim === undefined)
      deny('rail_unavailable', 'the provider of references took too long: try again')
    return isNew
  }
}
