// Creation of a checkout: read, decide, write in one batched statement.
import { type Customer, findCustomer } from '../customers/index.ts'
import { type Created, claimOf, createdWithClaim, type IdempotencyKey } from '../idempotency/index.ts'
import { newId } from '../kernel/random.ts'
import { deny, ok, type Result, unwrap } from '../kernel/result.ts'
import { tracing } from '../kernel/tracing.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { parsePhone } from '../kernel/values/phones.ts'
import type { PageCore } from '../module.ts'
import {
  askedSplit,
  type NewOperation,
  openedOperation,
  priceOf,
  withinLimits,
  withinPaymentLimit,
} from '../operations/index.ts'
import { batched, type Executor } from '../storage/index.ts'
import {
  insertSubscription,
  type NewSubscription,
  openedAutoCharge,
  openedSubscription,
} from '../subscriptions/index.ts'
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
) => Promise<Created | undefined>

/** A mandate can replace the PIN only for this phone: one named by a merchant with the right. */
function mandatePhoneOf(
  { client }: CheckoutDraft,
  customer: Customer | undefined,
  { permissions, rights }: Caller,
): string | undefined {
  if (!permissions.has('mandates') || !rights.has('partner')) return undefined
  if (client?.phone === undefined) return customer?.phone
  const phone = parsePhone(client.phone, 'client.phone')
  return phone.ok ? phone.value : undefined
}

/** A payment counts against the day's limit now, a subscription only with each charge. */
async function fitsLimits(
  { core }: Pick<CheckoutsDeps, 'core'>,
  draft: CheckoutDraft,
  wallet: Wallet,
): Promise<Result<undefined>> {
  const { kind, subscription } = draft
  if (kind !== 'subscription') {
    const fits = await withinLimits(core, wallet, { amount: draft.amount, field: `${kind}.amount` })
    if (!fits.ok) return fits
  }
  return subscription === undefined
    ? ok(undefined)
    : withinPaymentLimit(wallet, subscription.amount, 'subscription.amount')
}

/** The customer that the merchant named. Throws invalid_parameter for an unknown id. */
async function customerOf(
  db: Executor,
  { customerId }: CheckoutDraft,
  walletId: bigint,
): Promise<Customer | undefined> {
  if (customerId === undefined) return undefined
  return (
    (await findCustomer(db, walletId, customerId)) ??
    deny('invalid_parameter', 'customer.id must be a customer of this wallet: create it first')
  )
}

/** The payment takes the customer's reference, unless it has its own. */
function withReference(draft: CheckoutDraft, customer: Customer | undefined): CheckoutDraft {
  if (customer?.extCustomerId === undefined) return draft
  const { merchantReferences } = draft
  const extCustomerId = merchantReferences.extCustomerId ?? customer.extCustomerId
  return { ...draft, merchantReferences: { ...merchantReferences, extCustomerId } }
}

const typeOfKind = { payment: 'PAYMENT', authorization: 'AUTH' } as const

export interface Prepared {
  readonly checkout: Checkout
  readonly row: NewCheckout
  readonly subscription: NewSubscription | undefined
}

export function prepareCheckout(
  { clock, random }: PageCore,
  draft: CheckoutDraft,
  walletId: bigint,
  { split, mandatePhone }: { split?: NewOperation['split']; mandatePhone?: string | undefined } = {},
): Prepared {
  const now = clock.now()
  const id = newId(now, random)
  const common = { walletId, checkoutId: id, createdAt: now }
  const operationId = draft.kind === 'subscription' ? undefined : newId(now, random)
  const subscription = draft.subscription && {
    ...draft.subscription,
    ...common,
    id: newId(now, random),
    operationId,
  }
  const operation =
    draft.kind === 'subscription' || operationId === undefined
      ? undefined
      : ({
          ...draft.merchantReferences,
          ...common,
          id: operationId,
          type: typeOfKind[draft.kind],
          status: 'NEW',
          amount: draft.amount,
          currency: draft.currency,
          channel: 'WEBSITE',
          subscriptionId: subscription?.id,
          paymentLinkId: draft.paymentLinkId,
          store: draft.store,
          items: draft.items,
          client: draft.client,
          split,
          instant: draft.instant || undefined,
          starts: draft.starts,
          expires: draft.expiryWasAsked ? draft.expiresAt : undefined,
          traceparent: tracing?.traceparent(),
        } as const)
  const checkout = {
    ...draft,
    id,
    mandatePhone,
    walletId,
    createdAt: now,
    operation: operation && openedOperation(operation),
    subscription: subscription && openedSubscription(subscription),
  } as Checkout
  return { checkout, row: { ...checkout, operation, subscriptionId: subscription?.id }, subscription }
}

/** The answer is written before the checkout, so that one statement stores both with the idempotency key. */
export function createCheckoutCreation(deps: CheckoutsDeps): CreateCheckout {
  const { core, wallets } = deps
  const { database, baseUrl } = core
  const write = batched<NewCheckout, boolean>({ database, write: (rows) => insertCheckouts(database, rows) })

  return async (asked, { wallet, caller }, key) => {
    const customer = await customerOf(database, asked, wallet.id)
    const draft = withReference(asked, customer)
    const split = unwrap(
      await askedSplit(wallets.findByPublicId, {
        value: draft.split,
        field: `${draft.kind}.split`,
        amount: draft.amount,
        wallet,
        caller,
        prices: offeredMethods(wallet, draft).map((method) => priceOf(method, draft.instant)),
      }),
    )
    unwrap(await fitsLimits(deps, draft, wallet))
    const mandatePhone = mandatePhoneOf(draft, customer, caller)
    const prepared = prepareCheckout(core, draft, wallet.id, { split, mandatePhone })
    const { checkout, subscription } = prepared
    const auto = subscription && openedAutoCharge(subscription)
    const body = JSON.stringify(checkoutOnWire(checkout, wallet, baseUrl, { auto }))
    const claim = claimOf(key, { resourceId: checkout.id, href: `/api/v2/checkout/${checkout.id}`, body })
    const row = { ...prepared.row, claim }
    const written =
      subscription === undefined
        ? await write(row)
        : await database.transaction(async (tx) => {
            const [isNew = false] = await insertCheckouts(tx, [row])
            if (isNew) await insertSubscription(tx, subscription)
            return isNew
          })
    return createdWithClaim(written, body)
  }
}
