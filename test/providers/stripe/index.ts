// A fake of Stripe with state, declines, idempotency and webhooks.
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CustomerPage } from '../../../src/rails/index.ts'
import {
  type HttpProvider,
  type ProviderAnswer,
  type ProviderRequest,
  startHttpProvider,
} from '../http-provider.ts'
import { wrongNumber } from './cards.ts'
import { invalid, StripeFailure } from './failure.ts'
import { type Form, parseForm, textAt, wholeAt } from './form.ts'
import {
  addMetadata,
  cancelIntent,
  captureIntent,
  confirmIntent,
  failIntent,
  type Intent,
  intentOnWire,
  type Method,
  newId,
  payIntent,
  type Refund,
  refundIntent,
} from './records.ts'

export const secretKey = 'sk_test_comporta123'
/** Another key of the account, and a key of another account. */
export const newSecretKey = 'sk_test_comporta789'
export const strangersKey = 'sk_test_stranger456'
export const webhookSecret = 'whsec_test_comporta'

interface AskedRequest {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly body: string
}

interface Event {
  readonly id: string
  readonly type: string
  readonly body: string
}

interface Booked {
  readonly id: string
  readonly type: string
  readonly amount: number
  readonly fee: number
  readonly created: number
  readonly currency: string
  readonly source: { readonly object: string }
}

const chargeOnWire = ({ charge, id }: Intent) => ({ ...charge, object: 'charge', payment_intent: id })

interface FakeDispute {
  readonly id: string
  readonly object: 'dispute'
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly reason: string
  balance_transactions: { readonly amount: number; readonly fee: number; readonly currency: string }[]
}

interface Kept {
  readonly asked: string
  answer?: ProviderAnswer
}

interface Asked {
  readonly account: string
  readonly id: string
  readonly form: Form
  readonly query: URLSearchParams
  readonly expand: readonly string[]
}

export interface FakeStripe {
  readonly provider: HttpProvider
  intentOf(key: string): Intent | undefined
  /** Movements of a key in cents. */
  movements(key: string): readonly bigint[]
  refundOf(key: string): Refund | undefined
  /** The customer answers at the page; answers the next address. Throws for a closed page. */
  answerPage(page: CustomerPage | string, answer: 'confirm' | 'refuse'): Promise<string>
  /** False if the request is over. */
  answerPhone(key: string, answer: 'approve' | 'refuse'): boolean
  /** False if the reference cannot be paid. */
  payReference(reference: string): boolean
  /** The bank pays, or fails with a Stripe code. False without such a debit. */
  answerDebit(key: string, problem?: string): boolean
  /** The customer disputes the payment of a key; answers the dispute's id. */
  dispute(key: string): string
  /** A hold runs out, or somebody cancels it by hand. */
  endHold(key: string): void
  /** The dispute was decided for the merchant. */
  winDispute(id: string): void
  /** The bank says later what became of a refund. */
  endRefund(key: string, status: 'succeeded' | 'failed'): void
  /** Oldest first; `kind` such as `POST payment_intents/:id/capture`. */
  readonly requests: readonly AskedRequest[]
  /** A payout of the balance, with a fee. */
  payOut(amount: number): void
  /** Somebody is paid without this gateway; answers the amount. */
  bookForeign(): bigint
  /** Forgets the bookings of a key's payment. */
  loseFromStatement(key: string): void
  readonly events: readonly Event[]
  /** Every key is refused. */
  setRevoked(isRevoked: boolean): void
  setSeveralCaptures(isAvailable: boolean): void
  /** Whether Stripe decides refunds of all methods later, as it does for bank accounts. */
  setLaterRefunds(isLater: boolean): void
  setTakesCardNumbers(isApproved: boolean): void
  /** Duration of each request, so that two meet under one idempotency key. */
  setWork(milliseconds: number): void
}

export function signature(body: string, secret = webhookSecret, at = Date.now()): string {
  const seconds = Math.floor(at / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

export async function startStripe(now: () => number = Date.now): Promise<FakeStripe> {
  const intents = new Map<string, Intent>()
  const methods = new Map<string, Method>()
  const refunds = new Map<string, Refund>()
  const disputes = new Map<string, FakeDispute>()
  const kept = new Map<string, Kept>()
  const events: Event[] = []
  const requests: AskedRequest[] = []
  const asked = new Map<Intent, number>()
  const lines: Omit<Booked, 'currency'>[] = []
  let severalCaptures = true
  let laterRefunds = false
  let workMs = 0
  let takesCardNumbers = true
  let isRevoked = false

  function book(type: string, amount: number, fee: number, source: Booked['source']): void {
    lines.push({ id: newId('txn'), type, amount, fee, source, created: Math.floor(now() / 1000) })
  }

  function bookPaid(intent: Intent, before: number): void {
    const taken = intent.amount_received - before
    if (taken > 0) book(intent.method?.type === 'card' ? 'charge' : 'payment', taken, 25, intent)
  }

  function emit(type: string, object: object): void {
    const id = newId('evt')
    const event = { id, object: 'event', type, livemode: false, created: 1, data: { object } }
    events.push({ id, type, body: JSON.stringify(event) })
  }

  function expirePhone(intent: Intent): void {
    const at = asked.get(intent)
    if (at === undefined || intent.status !== 'requires_action' || now() < at + phoneMs) return
    failIntent(
      intent,
      { type: 'invalid_request_error', code: 'payment_intent_payment_attempt_expired' },
      emit,
    )
  }

  function booked(): readonly Booked[] {
    return lines.map(({ type, amount, fee, source, created, id }) => ({
      ...{ id, object: 'balance_transaction', type, amount, fee, currency: 'eur', created },
      source: source.object === 'payment_intent' ? chargeOnWire(source as Intent) : source,
    }))
  }

  function intentAt(id: string): Intent {
    const intent = intents.get(id)
    if (intent === undefined) throw invalid('resource_missing', 'intent')
    expirePhone(intent)
    return intent
  }

  function createIntent(object: Intent['object'], form: Form): Intent {
    if ('payment_method_types' in form) throw invalid('payment_method_types_no_longer_supported')
    const amount = wholeAt(form, 'amount') ?? 0
    const currency = textAt(form, 'currency') ?? ''
    if (object === 'payment_intent' && !(amount > 0)) throw invalid('parameter_invalid_integer', 'amount')
    if (object === 'payment_intent' && amount < leastAmount) throw invalid('amount_too_small', 'amount')
    if (object === 'payment_intent' && !/^[a-z]{3}$/.test(currency))
      throw invalid('parameter_invalid', 'currency')
    const wanted = textAt(form, 'payment_method_options', 'card', 'request_multicapture') === 'if_available'
    const intent: Intent = {
      id: newId(object === 'setup_intent' ? 'seti' : 'pi'),
      ...{ object, amount, currency, status: 'requires_payment_method', problem: null, next_action: null },
      ...{ amount_capturable: 0, amount_received: 0, method: undefined, charge: undefined, metadata: {} },
      capture_method: textAt(form, 'capture_method') ?? 'automatic',
      types: (form.allowed_payment_method_types as string[] | undefined) ?? ['card'],
      severalCaptures: severalCaptures && wanted,
    }
    addMetadata(intent, form)
    intents.set(intent.id, intent)
    return intent
  }

  function createMethod(form: Form): Method {
    const type = textAt(form, 'type') ?? ''
    const number = textAt(form, 'card', 'number')
    if (type === 'card' && !takesCardNumbers) throw invalid('')
    if (number === wrongNumber)
      throw new StripeFailure(402, { type: 'card_error', code: 'incorrect_number', message: 'wrong number' })
    const [phone, email] = ['phone', 'email'].map((name) => textAt(form, 'billing_details', name))
    const iban = textAt(form, 'sepa_debit', 'iban')
    const method = { id: newId('pm'), type, number, phone, email, iban }
    methods.set(method.id, method)
    return method
  }

  function confirm(intent: Intent, form: Form): void {
    if (form.payment_method_data !== undefined) intent.method = createMethod(form.payment_method_data as Form)
    else intent.method = methods.get(textAt(form, 'payment_method') ?? '')
    confirmIntent(intent, form, `${provider.url}/authenticate/${intent.id}`, emit)
    if (intent.method?.type === 'mb_way') asked.set(intent, now())
  }

  const actions: Readonly<Record<string, (asked: Asked) => object>> = {
    'GET balance': () => ({ object: 'balance', livemode: false, available: [], pending: [] }),
    'GET account': ({ account: id }) => ({ id, object: 'account', charges_enabled: true }),
    'POST payment_methods': ({ form }) => {
      const { id, type } = createMethod(form)
      return { id, type, object: 'payment_method' }
    },
    'GET balance_transactions': ({ query }) => {
      const [from, to] = ['created[gte]', 'created[lt]'].map((name) => Number(query.get(name)))
      const all = booked().filter(({ created }) => created >= (from ?? 0) && created < (to ?? 0))
      const start = all.findIndex(({ id }) => id === query.get('starting_after')) + 1
      // A small page, so that there is a next one.
      const data = all.slice(start, start + Math.min(Number(query.get('limit')), 3))
      return {
        object: 'list',
        data,
        has_more: start + data.length < all.length,
        url: '/v1/balance_transactions',
      }
    },
    'GET disputes/:id': ({ id }) => {
      const dispute = disputes.get(id)
      if (dispute === undefined) throw invalid('resource_missing', 'dispute')
      return dispute
    },
    'POST payment_intents': ({ form }) => intentOnWire(createIntent('payment_intent', form)),
    'POST setup_intents': ({ form }) => intentOnWire(createIntent('setup_intent', form)),
    'POST refunds': ({ form }) => {
      const refund = refundIntent(intentAt(textAt(form, 'payment_intent') ?? ''), form, emit, laterRefunds)
      refunds.set(refund.id, refund)
      book('refund', -refund.amount, 0, refund)
      return refund
    },
    'GET refunds/:id': ({ id }) => {
      const refund = refunds.get(id)
      if (refund === undefined) throw invalid('resource_missing', 'refund')
      return refund
    },
    'GET refunds': ({ query }) => {
      const data = [...refunds.values()].filter((one) => one.payment_intent === query.get('payment_intent'))
      return { object: 'list', data: data.reverse(), has_more: false, url: '/v1/refunds' }
    },
  }

  function actOnIntent({ id, form, expand }: Asked, verb: string | undefined): object {
    const intent = intentAt(id)
    const before = intent.amount_received
    if (verb === 'confirm') confirm(intent, form)
    if (verb === 'capture') captureIntent(intent, form, emit)
    if (verb === 'cancel') cancelIntent(intent, emit)
    bookPaid(intent, before)
    return intentOnWire(intent, expand)
  }

  function answerTo({ method, path, query, body, headers }: ProviderRequest, form: Form): object {
    const [, name = '', id, verb] = /^\/v1\/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? []
    const named = [name, ...(id === undefined ? [] : [':id']), ...(verb === undefined ? [] : [verb])].join(
      '/',
    )
    const kind = `${method} ${named}`
    const search = query.size === 0 ? '' : `?${query}`
    requests.push({ kind, method, path: path + search, body })
    const allowed = parameters[kind]
    if (allowed === undefined) throw invalid('resource_missing', path)
    const unknown = Object.keys(form).find((one) => one !== 'expand' && !allowed.includes(one))
    if (unknown !== undefined) throw invalid('parameter_unknown', unknown)
    const expand = (form.expand as string[] | undefined) ?? query.getAll('expand[0]')
    const asked = { id: id ?? '', form, query, expand, account: accounts[headers.authorization ?? ''] ?? '' }
    const action = actions[kind]
    return action === undefined ? actOnIntent(asked, verb) : action(asked)
  }

  /** Once per idempotency key. */
  async function answer(request: ProviderRequest, form: Form): Promise<ProviderAnswer> {
    const key = request.headers['idempotency-key']
    const asked = `${request.method} ${request.path} ${request.body}`
    const before = key === undefined ? undefined : kept.get(key)
    if (before !== undefined) return repeated(before, asked)
    const entry: Kept = { asked }
    if (key !== undefined) kept.set(key, entry)
    if (workMs > 0) await pause(workMs)
    try {
      entry.answer = json(200, answerTo(request, form))
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error
      if (!error.isKept && key !== undefined) kept.delete(key)
      entry.answer = json(error.status, { error: error.error })
    }
    return entry.answer
  }

  const provider = await startHttpProvider(async (request) => {
    const page = /^\/authenticate\/(\w+)$/.exec(request.path)
    if (page !== null) return authenticate(page[1] ?? '', parseForm(request.body))
    if (isRevoked || accounts[request.headers.authorization ?? ''] === undefined)
      return json(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
    return answer(request, parseForm(request.body))
  })

  /** GET shows the issuer's page, POST is the customer's answer. */
  async function authenticate(id: string, form: Form): Promise<ProviderAnswer> {
    const intent = intents.get(id)
    const redirect = intent?.next_action?.redirect_to_url
    if (intent === undefined || redirect === undefined) return { status: 410, body: 'this page is closed' }
    const said = textAt(form, 'answer')
    const before = intent.amount_received
    if (said === undefined)
      return {
        ...{ status: 200, headers: { 'content-type': 'text/html' } },
        body: `<form method="post"><button name="answer" value="confirm">Confirm</button></form>`,
      }
    if (said === 'confirm') payIntent(intent, emit)
    else
      failIntent(
        intent,
        { type: 'invalid_request_error', code: `${intent.object}_authentication_failure` },
        emit,
      )
    bookPaid(intent, before)
    const back = new URL(redirect.return_url)
    back.searchParams.set(intent.object, intent.id)
    return { status: 303, headers: { location: back.href }, body: '' }
  }

  const intentOf = (key: string) =>
    [...intents.values()].find(({ metadata }) => metadata.comporta_key === key)
  const refundOf = (key: string) =>
    [...refunds.values()].find(({ metadata }) => metadata.comporta_key === key)
  return {
    ...{ provider, requests, events, intentOf, refundOf },
    movements(key) {
      const made = [...intents.values()].filter(({ metadata }) => metadata.comporta_key === key)
      const taken = made.flatMap(({ charge, amount }) =>
        charge?.status === 'succeeded' ? [BigInt(amount)] : [],
      )
      const given = [...refunds.values()].filter(
        ({ metadata, status }) => metadata.comporta_key === key && status !== 'failed',
      )
      const captured = [...intents.values()].flatMap(({ metadata }) => {
        const cents = metadata[`cap_${key.replaceAll('-', '')}`]
        return cents === undefined ? [] : [BigInt(cents)]
      })
      return [...taken, ...captured, ...given.map(({ amount }) => BigInt(-amount))]
    },
    async answerPage(page, said) {
      const url = typeof page === 'string' ? page : 'url' in page ? page.url : ''
      const body = new URLSearchParams({ answer: said })
      const answered = await fetch(url, { method: 'POST', body, redirect: 'manual' })
      const back = answered.headers.get('location')
      if (back === null) throw new Error(await answered.text())
      return back
    },
    answerPhone(key, said) {
      const intent = intentOf(key)
      if (intent !== undefined) expirePhone(intent)
      if (intent?.status !== 'requires_action') return false
      const before = intent.amount_received
      if (said === 'approve') payIntent(intent, emit)
      else
        failIntent(intent, { type: 'invalid_request_error', code: 'payment_method_customer_decline' }, emit)
      bookPaid(intent, before)
      return true
    },
    payOut(amount) {
      book('payout', -amount, 0, { object: 'payout' })
      book('stripe_fee', -500, 0, { object: 'fee' })
    },
    bookForeign() {
      const amount = 777
      book('charge', amount, 25, { object: 'charge', payment_intent: null } as Booked['source'])
      return BigInt(amount)
    },
    loseFromStatement(key) {
      const lost = lines.findIndex(({ source }) => source === intentOf(key))
      if (lost === -1) throw new Error(`there is no booking of ${key}`)
      lines.splice(lost, 1)
    },
    payReference(reference) {
      const intent = [...intents.values()].find(
        ({ next_action: next }) =>
          next?.multibanco_display_details?.reference.replaceAll(' ', '') === reference,
      )
      if (intent === undefined) return false
      payIntent(intent, emit)
      bookPaid(intent, 0)
      return true
    },
    answerDebit(key, code) {
      const intent = intentOf(key)
      if (intent?.status !== 'processing') return false
      if (code === undefined) payIntent(intent, emit)
      else failIntent(intent, { type: 'invalid_request_error', code }, emit)
      bookPaid(intent, 0)
      return true
    },
    dispute(key) {
      const intent = intentOf(key)
      if (intent === undefined) throw new Error(`there is no payment ${key}`)
      const { id: payment_intent, amount, currency } = intent
      const dispute: FakeDispute = {
        ...{ id: newId('du'), object: 'dispute', payment_intent, amount, currency, reason: 'fraudulent' },
        balance_transactions: [],
      }
      disputes.set(dispute.id, dispute)
      emit('charge.dispute.created', { ...dispute })
      dispute.balance_transactions = [{ amount: -amount, fee: 2000, currency }]
      book('adjustment', -amount, 2000, dispute)
      emit('charge.dispute.funds_withdrawn', { ...dispute })
      return dispute.id
    },
    endHold(key) {
      const intent = intentOf(key)
      if (intent === undefined) throw new Error(`there is no payment ${key}`)
      cancelIntent(intent, emit)
    },
    winDispute(id) {
      const dispute = disputes.get(id)
      if (dispute === undefined) throw new Error(`there is no dispute ${id}`)
      const { amount, currency } = dispute
      dispute.balance_transactions.push({ amount, fee: -2000, currency })
      book('adjustment', amount, -2000, dispute)
      emit('charge.dispute.funds_reinstated', { ...dispute })
    },
    endRefund(key, status) {
      const refund = refundOf(key)
      if (refund === undefined) throw new Error(`there is no refund ${key}`)
      const { charge } = intentAt(refund.payment_intent)
      refund.status = status
      if (status === 'failed') book('refund_failure', refund.amount, 0, refund)
      if (status === 'failed') refund.failure_reason = 'expired_or_canceled_card'
      if (status === 'failed' && charge !== undefined) {
        charge.amount_refunded -= refund.amount
        charge.refunded = false
      }
      emit(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)
    },
    setLaterRefunds(isLater) {
      laterRefunds = isLater
    },
    setSeveralCaptures(isAvailable) {
      severalCaptures = isAvailable
    },
    setRevoked(now) {
      isRevoked = now
    },
    setTakesCardNumbers(isApproved) {
      takesCardNumbers = isApproved
    },
    setWork(milliseconds) {
      workMs = milliseconds
    },
  }
}

const accounts: Readonly<Record<string, string>> = {
  [`Bearer ${secretKey}`]: 'acct_Comporta1',
  [`Bearer ${newSecretKey}`]: 'acct_Comporta1',
  [`Bearer ${strangersKey}`]: 'acct_Stranger2',
}

const leastAmount = 50

const phoneMs = 4 * 60_000

const created = ['amount', 'currency', 'metadata', 'capture_method', 'allowed_payment_method_types']
const confirmed = [
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'return_url',
  'mandate_data',
]

const parameters: Readonly<Record<string, readonly string[]>> = {
  'GET balance': [],
  'GET account': [],
  'POST payment_methods': ['type', 'card', 'billing_details'],
  'POST payment_intents': [...created, 'payment_method_options', 'payment_method_types'],
  'GET payment_intents/:id': [],
  'POST payment_intents/:id/confirm': [
    ...confirmed,
    ...['off_session', 'setup_future_usage', 'error_on_requires_action'],
  ],
  'POST payment_intents/:id/capture': ['amount_to_capture', 'final_capture', 'metadata'],
  'POST payment_intents/:id/cancel': ['cancellation_reason'],
  'POST setup_intents': ['usage', 'metadata', 'allowed_payment_method_types'],
  'GET setup_intents/:id': [],
  'POST setup_intents/:id/confirm': ['payment_method', 'return_url'],
  'POST setup_intents/:id/cancel': ['cancellation_reason'],
  'POST refunds': ['payment_intent', 'amount', 'metadata'],
  'GET refunds/:id': [],
  'GET refunds': [],
  'GET disputes/:id': [],
  'GET balance_transactions': [],
}

export const servedRequests: readonly string[] = Object.keys(parameters)

function json(status: number, body: object): ProviderAnswer {
  return {
    ...{ status, headers: { 'content-type': 'application/json', 'request-id': newId('req') } },
    body: JSON.stringify(body),
  }
}

function repeated({ asked, answer }: Kept, again: string): ProviderAnswer {
  const error = { type: 'idempotency_error', message: 'the key was used before' }
  if (answer === undefined) return json(409, { error: { ...error, code: 'idempotency_key_in_use' } })
  return asked === again ? answer : json(400, { error })
}
