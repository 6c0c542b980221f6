// Creating a checkout: read, decide, and one grouped statement that opens it with its operation.
import { newId } from '../kernel/ids.ts'
import type { Caller } from '../kernel/permissions.ts'
import { unwrap } from '../kernel/result.ts'
import { askedSplit, openedOperation } from '../operations/index.ts'
import { grouped, type RequestKey } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { CheckoutDraft } from './model.ts'
import { offeredMethods } from './rules.ts'
import { checkoutOnWire } from './schemas.ts'
import { insertCheckouts, type NewCheckout } from './store.ts'

export type CreateCheckout = (
  draft: CheckoutDraft,
  merchant: { readonly wallet: Wallet; readonly caller: Caller },
  request: RequestKey | undefined,
) => Promise<string | undefined>

const typeOfKind = { payment: 'PAYMENT', authorization: 'AUTH' } as const

/**
 * Opens checkouts. The answer's text is made before the statement runs, so that it is stored with the
 * request id in the same statement and repeated byte for byte.
 *
 * Refusals of a split: access_denied, invalid_split.
 *
 * @returns a verb answering the body, or undefined when its request id had been used before
 */
export function createCheckoutCreation(deps: CheckoutsDeps): CreateCheckout {
  const { database, clock, random, baseUrl, wallets } = deps
  const write = grouped<NewCheckout, boolean>({ database, write: (rows) => insertCheckouts(database, rows) })

  return async (draft, { wallet, caller }, request) => {
    const split = unwrap(
      await askedSplit(wallets.findByPublicId, {
        value: draft.split,
        field: `${draft.kind}.split`,
        type: typeOfKind[draft.kind],
        amount: draft.amount,
        wallet,
        caller,
        prices: offeredMethods(wallet.methods, draft).map((method) =>
          method === 'MB' && draft.instant ? 'MB_INSTANT' : method,
        ),
      }),
    )
    const now = clock.now()
    const id = newId(now, random)
    const operation = {
      ...draft.references,
      id: newId(now, random),
      walletId: wallet.id,
      type: typeOfKind[draft.kind],
      status: 'NEW',
      amount: draft.amount,
      currency: draft.currency,
      channel: 'WEBSITE',
      checkoutId: id,
      store: draft.store,
      items: draft.items,
      client: draft.client,
      split,
      instant: draft.instant || undefined,
      starts: draft.starts,
      expires: draft.expiryWasAsked ? draft.expiresAt : undefined,
      createdAt: now,
    } as const
    const checkout = {
      ...draft,
      id,
      walletId: wallet.id,
      createdAt: now,
      operation: openedOperation(operation),
    }
    const body = JSON.stringify(checkoutOnWire(checkout, wallet, baseUrl))
    const claim =
      request === undefined
        ? undefined
        : { ...request, resourceId: id, href: `/api/v2/checkout/${id}`, answer: { status: 200, body } }
    const written = await write({ ...checkout, operation, request: claim })
    return written ? body : undefined
  }
}
