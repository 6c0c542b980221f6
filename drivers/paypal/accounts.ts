// Accounts saved in PayPal's vault, and payments from them without a new approval.
// PayPal keeps request ids for 3 hours in the vault, and for 6 hours at orders. We assume that PayPal captures an
// order with `vault_id` in the call that makes it, or never.
import type { RailRequest } from '../../src/connections/index.ts'
import { after, type Clock, hour, instant } from '../../src/kernel/time.ts'
import type { OnlineWalletDecline, SavedAccounts, WalletAnswer, WalletOrder } from '../../src/rails/index.ts'
import { PaypalRefusal } from './client.ts'
import {
  answerOfOrder,
  captureOf,
  createOnce,
  isDeclined,
  type KeptOrder,
  keptOf,
  moneyOf,
  type Order,
  type PaypalDeps,
  pageOf,
  setupPath,
} from './model.ts'

export interface AccountDeps extends PaypalDeps {
  readonly clock: Clock
}

/** PayPal keeps the request id of an order for 6 hours. A request that is repeated later could pay twice. */
const repeatableHours = 5

const ended =
  /^(TOKEN_ID_NOT_FOUND|TOKEN_EXPIRED|AGREEMENT_ALREADY_CANCELLED|BILLING_AGREEMENT_NOT_FOUND|RESOURCE_NOT_FOUND)$/

/**
 * The request for the customer's permission. Each subscription gets its own token. With a shared token, the end of one
 * subscription would end all subscriptions of the customer.
 */
export function setupBody(order: WalletOrder): object {
  return {
    payment_source: {
      paypal: {
        ...{ usage_type: 'MERCHANT', permit_multiple_payment_tokens: true },
        experience_context: { ...pageOf(order), vault_instruction: 'ON_CREATE_PAYMENT_TOKENS' },
      },
    },
  }
}

/** The state of an order whose account is saved, but whose payment is not made yet. */
export function answerOfSaved(request: RailRequest): WalletAnswer | undefined {
  const { account, order } = request.ids
  if (account === undefined || order !== undefined) return undefined
  const { amount, decline } = keptOf(request)
  if (decline !== undefined) return { kind: 'declined', reason: decline }
  return amount === '0' ? { kind: 'paid', reference: account } : { kind: 'agreed' }
}

/** Saves the account after the customer agreed, then pays the order's amount from it. */
export async function saveAndPay(
  deps: AccountDeps,
  request: RailRequest,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { paypal, requests } = deps
  const { key, providerId: id = '', ids } = request
  let { account } = ids
  if (account === undefined) {
    await requests.begin(key, 'save')
    try {
      const token = await paypal.call<{ readonly id: string }>('POST', '/v3/vault/payment-tokens', {
        body: { payment_source: { token: { id, type: 'SETUP_TOKEN' } } },
        requestId: `${key}-save`,
        signal,
      })
      account = token.id
    } catch (error) {
      if (!(error instanceof PaypalRefusal && error.isFinal)) throw error
      // An earlier request whose answer was lost may have saved the account.
      const { status } = await paypal.call<Order>('GET', `${setupPath}/${encodeURIComponent(id)}`, { signal })
      if (status === 'VAULTED') throw error
      return declined(deps, request, 'refused')
    }
    await requests.record(key, 'save', { providerId: account, ids: { account }, status: 'saved' })
  }
  if (keptOf(request).amount === '0') return { kind: 'paid', reference: account }
  return pay(deps, request, account, signal)
}

/**
 * Sends a charge without a recorded answer again. PayPal then repeats its answer to the first request. Undefined if
 * the charge was never sent, or has an answer.
 */
export function payAgain(deps: AccountDeps, request: RailRequest): Promise<WalletAnswer> | undefined {
  const { sentAt, account } = (request.answer ?? {}) as Partial<KeptOrder>
  return sentAt === undefined || account === undefined ? undefined : pay(deps, request, account, undefined)
}

export function createAccounts(
  deps: AccountDeps,
  inquire: (key: string) => Promise<WalletAnswer | { readonly kind: 'not_found' }>,
): SavedAccounts {
  const { paypal, requests } = deps
  const once = createOnce<WalletAnswer>()

  async function accountOf(key: string): Promise<string | undefined> {
    const request = await requests.find(key)
    return request?.status === 'ended' ? undefined : request?.ids.account
  }

  return {
    charge: ({ key, account, amount, currency }, signal) =>
      once(key, async () => {
        const known = await inquire(key)
        if (known.kind !== 'not_found') return known
        const { request } = await requests.begin(key, 'charge')
        const charged = await accountOf(account)
        const asked = { ...request, answer: { amount: String(amount), currency, account: charged } }
        return charged === undefined
          ? declined(deps, asked, 'account_ended')
          : pay(deps, asked, charged, signal)
      }),
    async inquireAccount(key) {
      const request = await requests.find(key)
      if (request?.ids.account === undefined) return { kind: 'not_found' }
      const isSaved = request.status !== 'ended' && (await exists(deps, request.ids.account))
      return { kind: isSaved ? 'saved' : 'ended' }
    },
    async forget(key, signal) {
      if ((await requests.find(key))?.ids.account === undefined) return { kind: 'not_found' }
      const account = await accountOf(key)
      if (account !== undefined) {
        await ignoring404(() => paypal.call('DELETE', pathOf(account), { signal }))
        await requests.record(key, 'forget', { status: 'ended' })
      }
      return { kind: 'ended' }
    },
  }
}

const pathOf = (account: string) => `/v3/vault/payment-tokens/${encodeURIComponent(account)}`

async function exists({ paypal }: PaypalDeps, account: string): Promise<boolean> {
  return (await ignoring404(() => paypal.call('GET', pathOf(account)))) !== undefined
}

async function ignoring404<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 404) return undefined
    throw error
  }
}

async function pay(
  deps: AccountDeps,
  request: RailRequest,
  vault_id: string,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { paypal, requests, clock } = deps
  const { key } = request
  const { sentAt = clock.now(), ...rest } = keptOf(request)
  if (clock.now() > after(instant(sentAt), repeatableHours * hour))
    return { kind: 'unknown', why: 'PayPal forgets request ids: only its account shows whether it paid' }
  const kept = { ...rest, sentAt }
  await requests.record(key, 'pay', { answer: kept })
  const amount = moneyOf(BigInt(kept.amount), kept.currency)
  const stored_credential =
    kept.saves === true
      ? { payment_initiator: 'CUSTOMER', usage: 'FIRST' }
      : { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' }
  try {
    const made = await paypal.call<Order>('POST', '/v2/checkout/orders', {
      body: {
        intent: 'CAPTURE',
        purchase_units: [{ custom_id: key, amount }],
        payment_source: { paypal: { vault_id, stored_credential } },
      },
      requestId: `${key}-pay`,
      signal,
    })
    const capture = captureOf(made)
    const ids = { order: made.id, ...(capture && { capture: capture.id }) }
    const isNew = request.providerId === undefined
    await requests.record(key, 'pay', { status: made.status, ids, ...(isNew && { providerId: made.id }) })
    const answer = answerOfOrder(made, kept)
    const isUnpaid = answer.kind === 'open' || answer.kind === 'agreed'
    return isUnpaid ? declined(deps, { ...request, answer: kept }, 'refused') : answer
  } catch (error) {
    // Any other refusal may concern only the repeated request: the first one may have been paid.
    if (!(error instanceof PaypalRefusal) || !(ended.test(error.issue) || isDeclined(error.issue)))
      throw error
    const reason = ended.test(error.issue) ? 'account_ended' : 'refused'
    return declined(deps, { ...request, answer: kept }, reason)
  }
}

async function declined(
  { requests }: PaypalDeps,
  request: RailRequest,
  reason: OnlineWalletDecline,
): Promise<WalletAnswer> {
  const answer = { ...keptOf(request), decline: reason }
  await requests.record(request.key, 'pay', { answer })
  return { kind: 'declined', reason }
}
