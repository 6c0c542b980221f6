// A fake of PayPal with state, written from its documentation: orders, vault, refunds, disputes, reports, webhooks.
import { createHash, createSign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  type HttpProvider,
  type ProviderAnswer,
  type ProviderRequest,
  startHttpProvider,
} from '../http-provider.ts'
import { type Call, isRequestId, problemsOf } from './schemas.ts'
import type { Signer } from './signer.ts'

export const clientId = 'AbCdEfGhIjKlMnOpQrStUvWxYz-0123456789'
export const clientSecret = 'EFghIjKlMnOpQrStUvWxYz_0123456789-abcd'

interface Money {
  readonly currency_code: string
  readonly value: string
}

interface FakeCapture {
  readonly id: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  readonly amount: Money
  readonly custom_id: string
  reason?: string
}

interface FakeAuthorization {
  readonly id: string
  status: 'CREATED' | 'PARTIALLY_CAPTURED' | 'CAPTURED' | 'VOIDED' | 'DENIED'
  readonly amount: Money
  readonly custom_id: string
  readonly expiration_time: string
}

interface FakeRefund {
  readonly id: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
  readonly amount: Money
  readonly custom_id: string
  readonly capture: string
}

interface FakeOrder {
  readonly id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  readonly amount: Money
  readonly custom_id: string
  readonly returnUrl: string
  readonly opened: number
  readonly intent: 'CAPTURE' | 'AUTHORIZE'
  readonly captures: FakeCapture[]
  readonly authorizations: FakeAuthorization[]
  readonly refunds: FakeRefund[]
  /** The issue that the next capture meets. */
  problem?: string
  pendingReason?: string
  /** A wrong amount, for all answers. */
  lie?: string
}

interface FakeSetup {
  readonly id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'
  readonly opened: number
  readonly problem?: string | undefined
  /** The issue with which PayPal refuses to save the account. */
  readonly saveProblem?: string | undefined
}

interface FakeAccount {
  readonly id: string
  isDeleted: boolean
  /** The issue that each payment meets. */
  problem?: string | undefined
}

interface FakeDispute {
  readonly dispute_id: string
  readonly disputed_transactions: readonly { readonly seller_transaction_id: string }[]
  readonly reason: string
  money_movements: { readonly affected_party: string; readonly type: string; readonly amount: Money }[]
}

interface Booked {
  readonly transaction_id: string
  readonly transaction_event_code: string
  readonly transaction_status: string
  readonly transaction_amount: Money
  readonly fee_amount?: Money
  readonly custom_field?: string
  readonly transaction_initiation_date: string
}

export interface FakeEvent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly type: string
}

export interface FakePaypal {
  readonly provider: HttpProvider
  /** Problems of requests by PayPal's documents, and POSTs without a request id. Must stay empty. */
  readonly faults: readonly string[]
  readonly events: readonly FakeEvent[]
  readonly webhooks: readonly { readonly id: string; url: string; event_types: readonly { name: string }[] }[]
  ordersOf(key: string): readonly FakeOrder[]
  /** Our key of an order, by the token in its page's address. */
  keyOf(order: string): string
  /** The customer agrees on the page. `problem`: the issue at the capture; `pending`: the reason of a review. */
  agree(key: string, then?: { readonly problem?: string; readonly pending?: string }): void
  /** The customer agrees to save the account: the latest request for it. `problem`: the issue of each payment. */
  agreeToSave(problem?: string, saveProblem?: string): void
  /** Tokens of saved accounts that can be charged. */
  accounts(): readonly string[]
  /** The customer ends the permission at PayPal. */
  endAccount(id: string): void
  /** From now on payments from the account meet this issue. */
  setProblem(id: string, problem: string | undefined): void
  endReview(key: string, status: 'COMPLETED' | 'DECLINED'): void
  /** Answers another amount than it captured. */
  lieAbout(key: string, value: string): void
  /** Somebody voids a hold at PayPal's site. */
  voidHold(key: string): void
  /** Money of a key in cents: paid less refunded. */
  moved(key: string): bigint
  /** In cents: payments, holds and captures of a key, refunds below zero. */
  movements(key: string): readonly bigint[]
  refundsOf(key: string): readonly FakeRefund[]
  /** Refunds from now on wait; undefined: they are done at once. */
  setRefunds(status: 'COMPLETED' | 'PENDING'): void
  endRefund(key: string, status: 'COMPLETED' | 'FAILED'): void
  /** The customer disputes a payment: its money is withdrawn. Answers the dispute's id. */
  dispute(key: string, cents: bigint): string
  winDispute(id: string): void
  /** A payment of the account that this gateway did not make. */
  bookStranger(cents: bigint): string
  /** Forgets an order, as PayPal does after its end. */
  forget(key: string): void
  /** Leaves the payment of a key out of the report. */
  loseFromReport(key: string): void
  revokeKeys(isRevoked?: boolean): void
  endTokens(): void
  /** Signs an event for a webhook. */
  sign(body: string, change?: { readonly certificateUrl?: string; readonly webhookId?: string }): FakeEvent
}

class Refused extends Error {
  readonly status: number
  readonly issue: string

  constructor(status: number, issue: string) {
    super(issue)
    this.status = status
    this.issue = issue
  }
}

const hourMs = 3_600_000
const keptMs = 6 * hourMs
const payerMs = 3 * hourMs
const tokenSeconds = 28_800

const centsOf = ({ value }: Money): bigint => BigInt(value.replace('.', ''))
const moneyOf = (cents: bigint, currency_code = 'EUR'): Money => {
  const sign = cents < 0n ? '-' : ''
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return { currency_code, value: `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}` }
}

export async function startPaypal(signer: Signer, now: () => number = Date.now): Promise<FakePaypal> {
  const orders = new Map<string, FakeOrder>()
  const setups = new Map<string, FakeSetup>()
  const accounts = new Map<string, FakeAccount>()
  const disputes = new Map<string, FakeDispute>()
  const kept = new Map<
    string,
    { readonly asked: string; readonly at: number; readonly again: () => object }
  >()
  const webhooks: { id: string; url: string; event_types: readonly { name: string }[] }[] = []
  const events: FakeEvent[] = []
  const faults: string[] = []
  const booked: Booked[] = []
  let tokens = new Set<string>()
  let isRevoked = false
  let refundStatus: 'COMPLETED' | 'PENDING' = 'COMPLETED'
  let ids = 0
  const newId = () => createHash('sha256').update(`${++ids}`).digest('hex').slice(0, 17).toUpperCase()
  const timeText = () => new Date(now()).toISOString()

  const ordersOf = (key: string) => [...orders.values()].filter((one) => one.custom_id === key)
  function last(key: string): FakeOrder {
    const order = ordersOf(key).at(-1)
    if (order === undefined) throw new Error(`there is no order of ${key}`)
    return order
  }

  function book(code: string, amount: Money, about: { id: string; key: string; fee?: Money }): void {
    booked.push({
      transaction_id: about.id,
      transaction_event_code: code,
      transaction_status: 'S',
      transaction_amount: amount,
      ...(about.fee && { fee_amount: about.fee }),
      custom_field: about.key,
      transaction_initiation_date: timeText(),
    })
  }

  function sign(
    body: string,
    { certificateUrl, webhookId = webhooks[0]?.id ?? '' }: Parameters<FakePaypal['sign']>[1] = {},
  ): FakeEvent {
    const [id, time] = [newId(), timeText()]
    const text = `${id}|${time}|${webhookId}|${crc32(Buffer.from(body))}`
    const headers = {
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': createSign('RSA-SHA256').update(text).sign(signer.key, 'base64'),
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': certificateUrl ?? `${provider.url}/v1/notifications/certs/CERT-${signer.id}`,
      'content-type': 'application/json',
    }
    return { headers, body, type: String(JSON.parse(body).event_type) }
  }

  function emit(event_type: string, resource: object): void {
    events.push(sign(JSON.stringify({ id: `WH-${newId()}`, event_type, create_time: timeText(), resource })))
  }

  function orderOnWire(order: FakeOrder): object {
    const { id, status, amount, custom_id, intent, captures, authorizations, refunds } = order
    const page = {
      href: `https://www.paypal.com/checkoutnow?token=${id}`,
      rel: 'payer-action',
      method: 'GET',
    }
    return {
      ...{ id, status, intent },
      purchase_units: [
        {
          ...{ reference_id: 'default', amount, custom_id },
          ...(captures.length + authorizations.length > 0 && {
            payments: {
              ...(authorizations.length > 0 && { authorizations }),
              captures: captures.map(captureOnWire),
              refunds: refunds.map(refundOnWire),
            },
          }),
        },
      ],
      links: status === 'PAYER_ACTION_REQUIRED' ? [page] : [],
    }
  }

  const captureOnWire = ({ reason, ...capture }: FakeCapture) => ({
    ...capture,
    final_capture: true,
    ...(reason !== undefined && { status_details: { reason } }),
    ...(capture.status === 'COMPLETED' && {
      seller_receivable_breakdown: { gross_amount: capture.amount, paypal_fee: moneyOf(35n) },
    }),
  })

  const refundOnWire = ({ capture, ...refund }: FakeRefund) => ({
    ...refund,
    ...(refund.status === 'FAILED' && { status_details: { reason: 'ECHECK' } }),
    links: [{ href: `${provider.url}/v2/payments/captures/${capture}`, rel: 'up', method: 'GET' }],
  })

  function orderAt(id: string): FakeOrder {
    const order = orders.get(id)
    const isOver = order !== undefined && order.status !== 'COMPLETED' && now() > order.opened + payerMs
    if (order === undefined || isOver) throw new Refused(404, 'RESOURCE_NOT_FOUND')
    return order
  }

  function create(body: {
    intent: FakeOrder['intent']
    purchase_units: [{ amount: Money; custom_id: string }]
    payment_source: { paypal: { experience_context: { return_url: string } } | { vault_id: string } }
  }): () => object {
    const [{ amount, custom_id }] = body.purchase_units
    const { paypal: source } = body.payment_source
    if (centsOf(amount) === 0n) throw new Refused(422, 'CANNOT_BE_ZERO_OR_NEGATIVE')
    const account = 'vault_id' in source ? accounts.get(source.vault_id) : undefined
    if ('vault_id' in source && account?.isDeleted !== false) throw new Refused(422, 'TOKEN_ID_NOT_FOUND')
    if (account?.problem !== undefined) throw new Refused(422, account.problem)
    const order: FakeOrder = {
      id: newId(),
      status: 'PAYER_ACTION_REQUIRED',
      ...{ amount, custom_id, opened: now(), captures: [], authorizations: [], refunds: [] },
      intent: body.intent,
      returnUrl: 'vault_id' in source ? '' : source.experience_context.return_url,
    }
    orders.set(order.id, order)
    if (account !== undefined) {
      order.status = 'APPROVED'
      capture(order)
    }
    return () => orderOnWire(order)
  }

  function setUp(): () => object {
    const setup: FakeSetup = { id: newId(), status: 'PAYER_ACTION_REQUIRED', opened: now() }
    setups.set(setup.id, setup)
    return () => setupOnWire(setup)
  }

  const setupOnWire = ({ id, status }: FakeSetup) => ({
    ...{ id, status },
    links:
      status === 'PAYER_ACTION_REQUIRED'
        ? [
            {
              href: `https://www.paypal.com/agreements/approve?ba_token=${id}`,
              rel: 'approve',
              method: 'GET',
            },
          ]
        : [],
  })

  function setupAt(id: string): FakeSetup {
    const setup = setups.get(id)
    if (setup === undefined || now() > setup.opened + payerMs) throw new Refused(404, 'RESOURCE_NOT_FOUND')
    return setup
  }

  function save(body: { payment_source: { token: { id: string } } }): () => object {
    const setup = setupAt(body.payment_source.token.id)
    if (setup.saveProblem !== undefined) throw new Refused(422, setup.saveProblem)
    if (setup.status !== 'APPROVED') throw new Refused(422, 'PAYER_ACTION_REQUIRED')
    setup.status = 'VAULTED'
    const account: FakeAccount = { id: newId().toLowerCase(), isDeleted: false, problem: setup.problem }
    accounts.set(account.id, account)
    return () => ({ id: account.id, customer: { id: 'customer' } })
  }

  function accountAt(id: string): FakeAccount {
    const account = accounts.get(id)
    if (account?.isDeleted !== false) throw new Refused(404, 'RESOURCE_NOT_FOUND')
    return account
  }

  function deleteAccount(id: string): void {
    accountAt(id).isDeleted = true
    emit('VAULT.PAYMENT-TOKEN.DELETED', { id })
  }

  function capture(order: FakeOrder): () => object {
    if (order.intent !== 'CAPTURE') throw new Refused(422, 'ACTION_DOES_NOT_MATCH_INTENT')
    if (order.status === 'COMPLETED') throw new Refused(422, 'ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') throw new Refused(422, 'ORDER_NOT_APPROVED')
    if (order.problem !== undefined) throw new Refused(422, order.problem)
    const { custom_id, pendingReason: reason, lie } = order
    const amount = lie === undefined ? order.amount : { ...order.amount, value: lie }
    const made: FakeCapture = {
      ...{ id: newId(), amount, custom_id },
      status: reason === undefined ? 'COMPLETED' : 'PENDING',
      ...(reason !== undefined && { reason }),
    }
    order.captures.push(made)
    order.status = 'COMPLETED'
    if (reason === undefined) book('T0006', amount, { id: made.id, key: custom_id, fee: moneyOf(-35n) })
    emit(`PAYMENT.CAPTURE.${made.status}`, captureOnWire(made))
    return () => orderOnWire(order)
  }

  function authorize(order: FakeOrder): () => object {
    if (order.intent !== 'AUTHORIZE') throw new Refused(422, 'ACTION_DOES_NOT_MATCH_INTENT')
    if (order.status === 'COMPLETED') throw new Refused(422, 'ORDER_ALREADY_AUTHORIZED')
    if (order.status !== 'APPROVED') throw new Refused(422, 'ORDER_NOT_APPROVED')
    if (order.problem !== undefined) throw new Refused(422, order.problem)
    const { amount, custom_id } = order
    const expiration_time = new Date(now() + 29 * 24 * hourMs).toISOString()
    const made: FakeAuthorization = { id: newId(), status: 'CREATED', amount, custom_id, expiration_time }
    order.authorizations.push(made)
    order.status = 'COMPLETED'
    emit('PAYMENT.AUTHORIZATION.CREATED', made)
    return () => orderOnWire(order)
  }

  function heldAt(id: string) {
    for (const order of orders.values())
      for (const held of order.authorizations) if (held.id === id) return { order, held }
    throw new Refused(404, 'RESOURCE_NOT_FOUND')
  }

  function captureHeld(id: string, { amount }: { amount: Money }): () => object {
    const { order, held } = heldAt(id)
    if (held.status === 'VOIDED') throw new Refused(422, 'PREVIOUSLY_VOIDED')
    if (held.status === 'CAPTURED') throw new Refused(422, 'AUTHORIZATION_ALREADY_CAPTURED')
    if (now() > Date.parse(held.expiration_time)) throw new Refused(422, 'AUTHORIZATION_EXPIRED')
    const before = order.captures.reduce((sum, one) => sum + centsOf(one.amount), 0n)
    const most = (centsOf(held.amount) * 115n) / 100n
    if (before + centsOf(amount) > most) throw new Refused(422, 'MAX_CAPTURE_AMOUNT_EXCEEDED')
    const made: FakeCapture = { id: newId(), status: 'COMPLETED', amount, custom_id: held.custom_id }
    order.captures.push(made)
    held.status = before + centsOf(amount) >= centsOf(held.amount) ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
    book('T0006', amount, { id: made.id, key: held.custom_id, fee: moneyOf(-35n) })
    emit('PAYMENT.CAPTURE.COMPLETED', captureOnWire(made))
    return () => captureOnWire(made)
  }

  function voidHeld(id: string): object {
    const { held } = heldAt(id)
    if (held.status === 'VOIDED') throw new Refused(422, 'PREVIOUSLY_VOIDED')
    if (held.status === 'CAPTURED') throw new Refused(422, 'PREVIOUSLY_CAPTURED')
    held.status = 'VOIDED'
    emit('PAYMENT.AUTHORIZATION.VOIDED', held)
    return held
  }

  function captureAt(id: string) {
    for (const order of orders.values())
      for (const one of order.captures) if (one.id === id) return { order, capture: one }
    throw new Refused(404, 'RESOURCE_NOT_FOUND')
  }

  function refund(id: string, { amount, custom_id }: { amount: Money; custom_id: string }): () => object {
    const { order, capture: of } = captureAt(id)
    if (of.status === 'PENDING') throw new Refused(422, 'PENDING_CAPTURE')
    const given = order.refunds.filter((one) => one.capture === id && one.status !== 'FAILED')
    const before = given.reduce((sum, one) => sum + centsOf(one.amount), 0n)
    if (before === centsOf(of.amount)) throw new Refused(422, 'CAPTURE_FULLY_REFUNDED')
    if (before + centsOf(amount) > centsOf(of.amount)) throw new Refused(422, 'REFUND_AMOUNT_EXCEEDED')
    const made: FakeRefund = { id: newId(), status: refundStatus, amount, custom_id, capture: id }
    order.refunds.push(made)
    of.status = before + centsOf(amount) === centsOf(of.amount) ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    book('T1107', moneyOf(-centsOf(amount)), { id: made.id, key: custom_id })
    emit('PAYMENT.CAPTURE.REFUNDED', refundOnWire(made))
    return () => refundOnWire(made)
  }

  function refundAt(id: string): FakeRefund {
    const made = [...orders.values()].flatMap(({ refunds }) => refunds).find((one) => one.id === id)
    if (made === undefined) throw new Refused(404, 'RESOURCE_NOT_FOUND')
    return made
  }

  function token({ headers, body }: ProviderRequest): object {
    const wanted = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (isRevoked || headers.authorization !== wanted || body !== 'grant_type=client_credentials')
      throw new Refused(401, 'invalid_client')
    const access_token = `A21AA${newId()}`
    tokens.add(access_token)
    const services = 'https://uri.paypal.com/services'
    const scope = `${services}/reporting/search/read ${services}/vault/payment-tokens/readwrite openid`
    return { scope, access_token, token_type: 'Bearer', app_id: 'APP-1', expires_in: tokenSeconds }
  }

  /** A repeated request id answers the latest state for six hours, in Payments for 45 days, and moves nothing. */
  function once(request: ProviderRequest, act: () => () => object): ProviderAnswer {
    const id = request.headers['paypal-request-id']
    if (!isRequestId(id)) faults.push(`${request.method} ${request.path} has no request id`)
    const asked = `${request.path} ${request.body}`
    const before = kept.get(id ?? '')
    const vaultMs = /vault/.test(request.path) ? 3 * hourMs : keptMs
    const lifetimeMs = /v2\/payments/.test(request.path) ? 45 * 24 * hourMs : vaultMs
    if (before !== undefined && now() < before.at + lifetimeMs) {
      if (before.asked !== asked) throw new Refused(422, 'PAYPAL_REQUEST_ID_PREVIOUSLY_USED')
      return { status: 200, body: JSON.stringify(before.again()) }
    }
    const again = act()
    kept.set(id ?? '', { asked, at: now(), again })
    return { status: 201, body: JSON.stringify(again()) }
  }

  function report(query: URLSearchParams): object {
    const [from, to] = [query.get('start_date') ?? '', query.get('end_date') ?? '']
    if (!/(Z|[+-]\d{4})$/.test(from)) throw new Refused(400, 'INVALID_REQUEST')
    if (Date.parse(to) - Date.parse(from) > 31 * 24 * hourMs) throw new Refused(400, 'INVALID_REQUEST')
    const size = Number(query.get('page_size'))
    const page = Number(query.get('page'))
    const found = booked.filter(({ transaction_initiation_date: at }) => at >= from && at <= to)
    return {
      transaction_details: found
        .slice((page - 1) * size, page * size)
        .map((transaction_info) => ({ transaction_info })),
      last_refreshed_datetime: new Date(now() - 3 * hourMs).toISOString(),
      ...{ page, total_items: found.length, total_pages: Math.max(1, Math.ceil(found.length / size)) },
    }
  }

  function check(call: Call, { body }: ProviderRequest): unknown {
    const read: unknown = JSON.parse(body)
    const problems = problemsOf(call, read)
    if (problems.length > 0) {
      faults.push(...problems.map((problem) => `${call}: ${problem}`))
      throw new Refused(400, 'INVALID_REQUEST')
    }
    return read
  }

  function act(request: ProviderRequest): ProviderAnswer {
    const { method, path, query } = request
    const [, version, area, kind, id = '', verb] = path.split('/')
    const ok = (body: object): ProviderAnswer => ({ status: 200, body: JSON.stringify(body) })
    switch (`${method} /${version}/${area}/${kind}${id && '/:id'}${verb ? `/${verb}` : ''}`) {
      case 'POST /v2/checkout/orders':
        return once(request, () => create(check('POST /v2/checkout/orders', request) as never))
      case 'POST /v3/vault/setup-tokens':
        check('POST /v3/vault/setup-tokens', request)
        return once(request, setUp)
      case 'GET /v3/vault/setup-tokens/:id':
        return ok(setupOnWire(setupAt(id)))
      case 'POST /v3/vault/payment-tokens':
        return once(request, () => save(check('POST /v3/vault/payment-tokens', request) as never))
      case 'GET /v3/vault/payment-tokens/:id':
        return ok({ id: accountAt(id).id })
      case 'DELETE /v3/vault/payment-tokens/:id':
        deleteAccount(id)
        return { status: 204, body: '' }
      case 'GET /v2/checkout/orders/:id':
        return ok(orderOnWire(orderAt(id)))
      case 'POST /v2/checkout/orders/:id/capture':
        check('POST /v2/checkout/orders/:id/capture', request)
        return once(request, () => capture(orderAt(id)))
      case 'POST /v2/checkout/orders/:id/authorize':
        check('POST /v2/checkout/orders/:id/authorize', request)
        return once(request, () => authorize(orderAt(id)))
      case 'GET /v2/payments/authorizations/:id':
        return ok(heldAt(id).held)
      case 'POST /v2/payments/authorizations/:id/capture':
        return once(request, () =>
          captureHeld(id, check('POST /v2/payments/authorizations/:id/capture', request) as never),
        )
      case 'POST /v2/payments/authorizations/:id/void':
        check('POST /v2/payments/authorizations/:id/void', request)
        return ok(voidHeld(id))
      case 'GET /v2/payments/captures/:id':
        return ok(captureOnWire(captureAt(id).capture))
      case 'POST /v2/payments/captures/:id/refund':
        return once(request, () =>
          refund(id, check('POST /v2/payments/captures/:id/refund', request) as never),
        )
      case 'GET /v2/payments/refunds/:id':
        return ok(refundOnWire(refundAt(id)))
      case 'GET /v1/customer/disputes/:id': {
        const dispute = disputes.get(id)
        if (dispute === undefined) throw new Refused(404, 'RESOURCE_NOT_FOUND')
        return ok(dispute)
      }
      case 'GET /v1/reporting/transactions':
        return ok(report(query))
      case 'GET /v1/notifications/webhooks':
        return ok({ webhooks })
      case 'GET /v1/notifications/webhooks/:id': {
        const known = webhooks.find((one) => one.id === id)
        if (known === undefined) throw new Refused(404, 'INVALID_RESOURCE_ID')
        return ok(known)
      }
      case 'POST /v1/notifications/webhooks': {
        const asked = check('POST /v1/notifications/webhooks', request) as (typeof webhooks)[number]
        if (webhooks.some(({ url }) => url === asked.url))
          throw new Refused(400, 'WEBHOOK_URL_ALREADY_EXISTS')
        const made = { id: newId(), url: asked.url, event_types: asked.event_types }
        webhooks.push(made)
        return { status: 201, body: JSON.stringify(made) }
      }
      case 'PATCH /v1/notifications/webhooks/:id': {
        const changes = check('PATCH /v1/notifications/webhooks/:id', request) as {
          value: readonly { name: string }[]
        }[]
        const known = webhooks.find((one) => one.id === id)
        if (known === undefined) throw new Refused(404, 'INVALID_RESOURCE_ID')
        known.event_types = changes[0]?.value ?? []
        return ok(known)
      }
      default:
        throw new Refused(404, 'NOT_FOUND')
    }
  }

  async function handle(request: ProviderRequest): Promise<ProviderAnswer> {
    const { path, headers } = request
    try {
      if (path === '/v1/oauth2/token') return { status: 200, body: JSON.stringify(token(request)) }
      if (path.startsWith('/v1/notifications/certs/')) return { status: 200, body: signer.pem }
      if (isRevoked || !tokens.has(/^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? ''))
        throw new Refused(401, 'invalid_token')
      return act(request)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const name = error.status === 404 ? 'RESOURCE_NOT_FOUND' : 'UNPROCESSABLE_ENTITY'
      const answer = { name, message: 'refused', debug_id: newId(), details: [{ issue: error.issue }] }
      return { status: error.status, body: JSON.stringify(answer) }
    }
  }

  const provider = await startHttpProvider(handle)
  const captureOf = (key: string): FakeCapture => {
    const made = last(key).captures.at(-1)
    if (made === undefined) throw new Error(`the order of ${key} was not captured`)
    return made
  }
  const all = () => [...orders.values()]

  return {
    ...{ provider, faults, events, webhooks, ordersOf, sign },
    keyOf: (order) => orders.get(order)?.custom_id ?? '',
    agree(key, { problem, pending } = {}) {
      const order = last(key)
      order.status = 'APPROVED'
      if (problem !== undefined) order.problem = problem
      if (pending !== undefined) order.pendingReason = pending
      emit('CHECKOUT.ORDER.APPROVED', orderOnWire(order))
    },
    agreeToSave(problem, saveProblem) {
      const setup = [...setups.values()].at(-1)
      if (setup === undefined) throw new Error('nobody was asked to save an account')
      setups.set(setup.id, { ...setup, status: 'APPROVED', problem, saveProblem })
    },
    accounts: () => [...accounts.values()].filter(({ isDeleted }) => !isDeleted).map(({ id }) => id),
    endAccount: deleteAccount,
    setProblem(id, problem) {
      accountAt(id).problem = problem
    },
    endReview(key, status) {
      const made = captureOf(key)
      made.status = status
      if (status === 'COMPLETED') book('T0006', made.amount, { id: made.id, key, fee: moneyOf(-35n) })
      emit(`PAYMENT.CAPTURE.${status}`, captureOnWire(made))
    },
    lieAbout(key, value) {
      last(key).lie = value
    },
    voidHold(key) {
      voidHeld(last(key).authorizations[0]?.id ?? '')
    },
    moved: (key) =>
      ordersOf(key).reduce((sum, order) => {
        const taken = order.captures.filter(({ status }) => !/PENDING|DECLINED/.test(status))
        const given = order.refunds.filter(({ status }) => status !== 'FAILED')
        const total = (list: readonly { amount: Money }[]) =>
          list.reduce((all, one) => all + centsOf(one.amount), 0n)
        return sum + total(taken) - total(given)
      }, 0n),
    movements: (key) =>
      all().flatMap(({ captures, authorizations, refunds }) => [
        ...[...captures, ...authorizations]
          .filter(({ custom_id, status }) => custom_id === key && !/PENDING|DECLINED|VOIDED/.test(status))
          .map(({ amount }) => centsOf(amount)),
        ...refunds
          .filter(({ custom_id, status }) => custom_id === key && status !== 'FAILED')
          .map(({ amount }) => -centsOf(amount)),
      ]),
    refundsOf: (key) => all().flatMap(({ refunds }) => refunds.filter(({ custom_id }) => custom_id === key)),
    setRefunds(status) {
      refundStatus = status
    },
    endRefund(key, status) {
      const [made] = all().flatMap(({ refunds }) => refunds.filter(({ custom_id }) => custom_id === key))
      if (made === undefined) throw new Error(`there is no refund ${key}`)
      made.status = status
      emit(status === 'FAILED' ? 'PAYMENT.REFUND.FAILED' : 'PAYMENT.CAPTURE.REFUNDED', refundOnWire(made))
    },
    dispute(key, cents) {
      const { id, custom_id } = captureOf(key)
      const dispute_id = `PP-D-${newId()}`
      const amount = moneyOf(cents)
      disputes.set(dispute_id, {
        dispute_id,
        disputed_transactions: [{ seller_transaction_id: id }],
        reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
        money_movements: [
          { affected_party: 'SELLER', type: 'DEBIT', amount },
          { affected_party: 'BUYER', type: 'CREDIT', amount },
        ],
      })
      book('T1201', moneyOf(-cents), { id: dispute_id, key: custom_id })
      emit('CUSTOMER.DISPUTE.CREATED', { dispute_id })
      return dispute_id
    },
    winDispute(id) {
      const dispute = disputes.get(id)
      const amount = dispute?.money_movements[0]?.amount
      if (dispute === undefined || amount === undefined) throw new Error(`there is no dispute ${id}`)
      dispute.money_movements.push({ affected_party: 'SELLER', type: 'CREDIT', amount })
      emit('CUSTOMER.DISPUTE.RESOLVED', { dispute_id: id })
    },
    bookStranger(cents) {
      const id = newId()
      book('T0006', moneyOf(cents), { id, key: 'another shop', fee: moneyOf(-35n) })
      return id
    },
    forget(key) {
      for (const { id } of ordersOf(key)) orders.delete(id)
    },
    loseFromReport(key) {
      const lost = booked.findIndex(({ custom_field }) => custom_field === key)
      if (lost === -1) throw new Error(`there is no booking of ${key}`)
      booked.splice(lost, 1)
    },
    revokeKeys(now = true) {
      isRevoked = now
    },
    endTokens() {
      tokens = new Set()
    },
  }
}
