// Creating a checkout: read, decide, and one grouped statement that opens it with its operation.
import { claimOf, type IdempotencyKey, type Made, madeWithClaim } from '../idempotency/index.ts'
import { newId } from '../kernel/random.ts'
import { unwrap } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { parsePhone } from '../kernel/values/phones.ts'
import { askedSplit, type NewOperation, openedOperation } from '../operations/index.ts'
import { grouped } from '../storage/index.ts'
import { insertSubscription, openedSubscription } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { Checkout, CheckoutDraft } from './model.ts'
import { offeredMethods } from './rules.ts'
import { checkoutOnWire } from './schemas.ts'
import { insertCheckouts, type NewCheckout } from './store.ts'

export type CreateCheckout = (
  draft: CheckoutDraft,
  merchant: { readonly wallet: Wallet; readonly caller: Caller },
  key: IdempotencyKey | undefined,
) => Promise<Made | undefined>

/** The phone whose mandates may answer for its owner: one that the merchant names, who may use mandates. */
function mandatePhoneOf({ client }: CheckoutDraft, { permissions, rights }: Caller): string | undefined {
  if (client?.phone === undefined || !permissions.has('mandates') || !rights.has('partner')) return undefined
  const phone = parsePhone(client.phone, 'client.phone')
  return phone.ok ? phone.value : undefined
}

const typeOfKind = { payment: 'PAYMENT', authorization: 'AUTH' } as const

/**
 * Opens checkouts. The answer's text is made before the statement runs, so that it is stored with the
 * idempotency key in the same statement and repeated byte for byte.
 *
 * Refusals of a split: access_denied, invalid_split.
 *
 * @returns a verb, answering undefined when its idempotency key had been used before
 */
export function createCheckoutCreation(deps: CheckoutsDeps): CreateCheckout {
  const { database, clock, random, baseUrl, wallets } = deps
  const write = grouped<NewCheckout, boolean>({ database, write: (rows) => insertCheckouts(database, rows) })

  /** What a draft opens: an operation, a subscription, or both, which then know of each other. */
  function partsOf(
    draft: CheckoutDraft,
    split: NewOperation['split'],
    wallet: Wallet,
    checkoutId: string,
    now: Instant,
  ) {
    const common = { walletId: wallet.id, checkoutId, createdAt: now }
    const operationId = draft.kind === 'subscription' ? undefined : newId(now, random)
    const subscription = draft.subscription && {
      ...draft.subscription,
      ...common,
      id: newId(now, random),
      operationId,
    }
    if (draft.kind === 'subscription' || operationId === undefined) return { subscription }
    const operation = {
      ...draft.merchantReferences,
      ...common,
      id: operationId,
      type: typeOfKind[draft.kind],
      status: 'NEW',
      amount: draft.amount,
      currency: draft.currency,
      channel: 'WEBSITE',
      subscriptionId: subscription?.id,
      store: draft.store,
      items: draft.items,
      client: draft.client,
      split,
      instant: draft.instant || undefined,
      starts: draft.starts,
      expires: draft.expiryWasAsked ? draft.expiresAt : undefined,
    } as const
    return { operation, subscription }
  }

  return async (draft, { wallet, caller }, key) => {
    const split = unwrap(
      await askedSplit(wallets.findByPublicId, {
        value: draft.split,
        field: `${draft.kind}.split`,
        amount: draft.amount,
        wallet,
        caller,
        prices: offeredMethods(wallet, draft).map((method) =>
          method === 'MB' && draft.instant ? 'MB_INSTANT' : method,
        ),
      }),
    )
    const now = clock.now()
    const id = newId(now, random)
    const { operation, subscription } = partsOf(draft, split, wallet, id, now)
    const checkout = {
      ...draft,
      id,
      mandatePhone: mandatePhoneOf(draft, caller),
      walletId: wallet.id,
      createdAt: now,
      operation: operation && openedOperation(operation),
      subscription: subscription && openedSubscription(subscription),
    } as Checkout
    const body = JSON.stringify(checkoutOnWire(checkout, wallet, baseUrl))
    const claim = claimOf(key, { resourceId: id, href: `/api/v2/checkout/${id}`, body })
    const row = { ...checkout, operation, subscriptionId: subscription?.id, claim }
    const written =
      subscription === undefined
        ? await write(row)
        : await database.transaction(async (tx) => {
            const [isNew = false] = await insertCheckouts(tx, [row])
            if (isNew) await insertSubscription(tx, subscription)
            return isNew
          })
    return madeWithClaim(written, body)
  }
}
