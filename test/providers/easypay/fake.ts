// A fake of Easypay 2.0 with state, idempotency and notifications, from its public documents.
import { randomUUID } from 'node:crypto'
import { lisbonTimeOf, parseLisbonTime } from '../../../src/kernel/lisbon.ts'
import { after, day, type Instant, minute } from '../../../src/kernel/time.ts'
import type { ReferenceName } from '../../../src/rails/index.ts'
import type { SentWebhook } from '../hostile-webhooks.ts'
import {
  type HttpProvider,
  type ProviderAnswer,
  type ProviderRequest,
  startHttpProvider,
} from '../http-provider.ts'
import {
  amountOnWire,
  type Capture,
  captureOnWire,
  centsIn,
  type Json,
  type Payment,
  paymentOnWire,
  type Refund,
  type Spelling,
  type Void,
} from './records.ts'

export const accountId = '0b8de6e7-89c8-4d76-93e8-019bc058f27d'
export const apiKey = 'c0de1234-0000-4000-8000-000000000001'
export const phone = '+351911234567'
/** Documented test number of a payment that fails. */
export const failingPhone = '+351917654321'

export interface FakeEasypay {
  readonly provider: HttpProvider
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  spelling: Spelling
  /** Whether it ends requests at phones and card pages, as it is assumed. */
  endsUnanswered: boolean
  /** Refunds stay `pending` until {@link endRefund}. */
  decidesLater: boolean
  isRevoked: boolean
  /** The next POST fails with 500, before or after it was executed. */
  failsNext: 'before' | 'after' | undefined
  /** Payments of these keys show statuses that contradict each other. */
  readonly lies: Set<string>
  /** Payments of these keys show another amount. */
  readonly wrongAmounts: Set<string>
  /** The generic notification address of the account. */
  generic: string
  approve(key: string): boolean
  refuse(key: string): boolean
  /** The customer pays at the page; throws if it is closed. */
  payPage(url: string, answer: 'confirm' | 'refuse'): void
  payReference(name: ReferenceName, amount: bigint): boolean
  endRefund(key: string, status: 'success' | 'failed'): void
  endHold(key: string): void
  /** In cents; refunds below zero. */
  movements(key: string): readonly bigint[]
  /** How many payments were made under a key. */
  made(key: string): number
  notifications(): readonly SentWebhook[]
  bookForeign(): bigint
  loseFromStatement(key: string): void
  close(): Promise<void>
}

const phoneMs = 5 * minute
const keyLastsMs = day
const entity = '11683'

class Refusal extends Error {
  readonly status: number

  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/** @param now the fake's time */
export async function startFakeEasypay(now: () => Instant): Promise<FakeEasypay> {
  const payments: Payment[] = []
  const captures: Capture[] = []
  const refunds: Refund[] = []
  const voids: Void[] = []
  const kept = new Map<string, { asked: string; at: Instant; answer?: ProviderAnswer }>()
  const events: SentWebhook[] = []
  let references = 0

  function emit(type: string, id: string, key: string, status = 'success'): void {
    const date = lisbonTimeOf(now())
    send({ id, key, type, status, messages: [`Your ${type} was ${status}`], date })
  }

  function send(body: object): void {
    events.push({ headers: { 'content-type': 'text/plain' }, body: JSON.stringify(body) })
  }

  function current(payment: Payment): Payment {
    const { method, ends, status } = payment
    if (status === 'pending' && ends !== undefined && now() >= ends)
      payment.status = method === 'mbw' ? 'failed' : 'deleted'
    return payment
  }

  function find<One extends { id: string }>(all: readonly One[], id: string): One {
    const one = all.find((item) => item.id === id)
    if (one === undefined) throw new Refusal(404, 'not-found')
    return one
  }

  function capture(payment: Payment, key: string, value: bigint): Capture {
    const made: Capture = {
      ...{ id: randomUUID(), payment, key, value, at: now(), status: 'success', isLost: false },
    }
    captures.push(made)
    emit('capture', payment.id, key)
    // An account with both addresses gets each event twice, in two forms.
    send({
      ...{ id: payment.id, key: payment.key, value: amountOnWire(value, 'old'), currency: 'EUR' },
      ...{ method: payment.method.toUpperCase(), account: { id: accountId } },
      transaction: { id: made.id, key, type: 'capture', date: new Date(made.at).toISOString() },
    })
    return made
  }

  const takenOf = (payment: Payment) =>
    captures.filter((one) => one.payment === payment).reduce((sum, { value }) => sum + value, 0n)

  function create(of: Payment['of'], body: Json): Json {
    const { key, method, type = 'sale', customer, multibanco } = body
    const { min, max } = boundsIn(of, body)
    const isPhone = method === 'mbw'
    const until = of === 'single' ? multibanco?.expiration_time : body.expiration_time
    const payment: Payment = {
      ...{ id: randomUUID(), of, key: String(key), method, type, min, max },
      ...{ isOnce: of === 'single' || body.unlimited_payments !== true, isLapsed: false },
      ...{ starts: localTime(multibanco?.start_time), status: 'pending' },
      ends: isPhone ? after(now(), phoneMs) : localTime(until),
      ...{ entity, reference: method === 'mb' ? String(++references).padStart(9, '0') : undefined },
    }
    if (isPhone && `+351${customer.phone}` !== phone) payment.status = 'failed'
    payments.push(payment)
    return { message: ['Your request was successfully created'], id: payment.id, method: {} }
  }

  function settle(payment: Payment, isApproved: boolean): boolean {
    if (current(payment).status !== 'pending') return false
    const isHold = payment.type === 'authorisation'
    payment.status = !isApproved ? 'failed' : isHold ? 'authorised' : 'paid'
    if (isApproved && !isHold) capture(payment, payment.key, payment.max)
    else
      emit(isHold ? 'authorisation' : 'capture', payment.id, payment.key, isApproved ? 'success' : 'failed')
    return true
  }

  const verbs: Readonly<Record<string, (id: string, body: Json) => Json>> = {
    single: (_, body) => create('single', body),
    frequent: (_, body) => create('frequent', body),
    capture(id, body) {
      only(body, ['transaction_key', 'descriptive', 'value'])
      const payment = find(payments, id)
      const value = centsIn(body.value) ?? 0n
      const isHeld = payment.status === 'authorised' && !payment.isLapsed
      if (!isHeld || value <= 0n || value > payment.max - takenOf(payment)) throw new Refusal(400, 'no-hold')
      const made = capture(payment, body.transaction_key, value)
      if (takenOf(payment) === payment.max) payment.status = 'paid'
      return { id: made.id }
    },
    void(id, body) {
      only(body, ['transaction_key', 'descriptive'])
      const payment = find(payments, id)
      if (payment.status !== 'authorised' || body.descriptive === undefined) throw new Refusal(400, 'no-hold')
      payment.status = 'voided'
      const made = { id: randomUUID(), payment, key: body.transaction_key, status: 'success' }
      voids.push(made)
      emit('void', made.id, made.key)
      return { id: made.id }
    },
    refund(id, body) {
      only(body, ['transaction_key', 'value', 'iban', 'account_holder'])
      const refunded = find(captures, id)
      const value = centsIn(body.value) ?? 0n
      const given = refunds.filter((one) => one.capture === refunded && one.status !== 'failed')
      const left = given.reduce((rest, one) => rest - one.value, refunded.value)
      if (value <= 0n || value > left) throw new Refusal(400, 'invalid-value')
      if (refunded.payment?.method === 'mb' && !/^PT50\d{21}$/.test(body.iban ?? ''))
        throw new Refusal(400, 'invalid-iban')
      const status = fake.decidesLater ? 'pending' : 'success'
      const made = {
        id: randomUUID(),
        capture: refunded,
        key: body.transaction_key,
        value,
        at: now(),
        status,
      }
      refunds.push(made)
      emit('refund', made.id, made.key)
      return { id: made.id }
    },
  }

  function show(of: string, id: string): Json {
    const { spelling } = fake
    if (of === 'capture') return captureOnWire(find(captures, id), spelling)
    if (of === 'refund') return captureOnWire(find(refunds, id), spelling)
    if (of === 'void') {
      const { id: voided, key: transaction_key, status } = find(voids, id)
      return { id: voided, transaction_key, status, descriptive: 'Release' }
    }
    const payment = current(find(payments, id))
    const shown = paymentOnWire(payment, captures, spelling, `${provider.url}/page/${id}`)
    const wrong = fake.wrongAmounts.has(payment.key) ? { value: 0.99 } : {}
    const lie = { payment_status: 'paid', captures: [], method: { ...shown.method, status: 'failed' } }
    return { ...shown, ...wrong, ...(fake.lies.has(payment.key) && lie) }
  }

  function list(of: string, query: URLSearchParams): Json {
    if (of === 'single' || of === 'frequent') {
      const key = query.get('key')
      const data = payments.filter((one) => one.of === of && (key === null || one.key === key))
      return { data: data.map(({ id, key: ours }) => ({ id, key: ours })), meta: { page: {} } }
    }
    const times = /^interval\((.+),(.+)\)$/.exec(query.get('created_at') ?? '')
    const [from, until] = [times?.[1], times?.[2]].map((time) => Date.parse(`${time?.replace(' ', 'T')}:00Z`))
    const items: readonly (Capture | Refund)[] =
      of === 'capture' ? captures.filter(({ isLost }) => !isLost) : refunds
    const listed = items.filter(({ at }) => at >= Number(from) && at < Number(until) + minute)
    const start = Number(query.get('cursor') ?? 0)
    // Small pages, so that there is a next one.
    const page = listed.slice(start, start + 3)
    const next = start + page.length
    return {
      metadata: { next_cursor: next < listed.length ? String(next) : '', count: page.length },
      data: page.map((item) => captureOnWire(item, fake.spelling)),
    }
  }

  function remove(of: string, id: string): void {
    const payment = current(find(payments, id))
    if (of === 'single' && payment.status === 'paid') throw new Refusal(400, 'already-paid')
    if (payment.status === 'authorised') payment.status = 'voided'
    else if (payment.method === 'mb' || fake.endsUnanswered) payment.status = 'deleted'
  }

  function perform({ method, path, query, body }: ProviderRequest): ProviderAnswer {
    const [, of = '', id = ''] = path.split('/')
    if (method === 'PATCH' && of === 'config') fake.generic = JSON.parse(body).generic
    if (of === 'config') return written(200, { generic: fake.generic, account: accountId })
    if (method === 'GET') return written(200, id === '' ? list(of, query) : show(of, id))
    if (method === 'DELETE') remove(of, id)
    if (method === 'DELETE') return { status: 204, body: '' }
    const verb = verbs[of]
    if (verb === undefined || (id === '') !== (of === 'single' || of === 'frequent'))
      throw new Refusal(404, 'not-found')
    return written(201, { status: 'ok', ...verb(id, JSON.parse(body)) })
  }

  /** Once per idempotency key and day; failures of the server are not kept. */
  function once(request: ProviderRequest): ProviderAnswer {
    const key = request.headers['idempotency-key'] ?? ''
    if (key === '' || key.length > 50) throw new Refusal(400, 'idempotency-key')
    const asked = `${request.path} ${request.body}`
    const before = kept.get(key)
    if (before !== undefined && now() < after(before.at, keyLastsMs)) {
      if (before.asked !== asked) throw new Refusal(422, 'idempotency-mismatch')
      const { status, body, headers } = before.answer ?? written(409, { code: 'in-progress' })
      return { status, body, headers: { ...headers, 'idempotency-replay': 'true' } }
    }
    const fails = fake.failsNext
    fake.failsNext = undefined
    if (fails !== 'before') {
      const entry = { asked, at: now(), answer: perform(request) }
      if (fails === undefined) kept.set(key, entry)
      if (fails === undefined) return entry.answer
    }
    return { status: 500, body: 'internal error' }
  }

  const provider = await startHttpProvider(async (request) => {
    const { accountid, apikey } = request.headers
    try {
      if (fake.isRevoked || accountid !== accountId || apikey !== apiKey) throw new Refusal(403, 'forbidden')
      return request.method === 'POST' ? once(request) : perform(request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return written(error.status, { status: 'error', message: [error.message], code: error.message })
    }
  })

  /** The content type is wrong in the old spelling. */
  function written(status: number, body: object): ProviderAnswer {
    const type = fake.spelling === 'old' ? 'text/html; charset=utf-8' : 'application/json'
    return { status, headers: { 'content-type': type }, body: JSON.stringify(body) }
  }

  const byKey = (key: string) => payments.find((one) => one.key === key)
  const answerOf = (key: string, isApproved: boolean) => {
    const payment = byKey(key)
    return payment?.method === 'mbw' && settle(payment, isApproved)
  }
  const fake: FakeEasypay = {
    provider,
    settings: { api_base: provider.url, account_id: accountId },
    secrets: { api_key: apiKey },
    ...{ spelling: 'new', endsUnanswered: true, decidesLater: false, isRevoked: false, failsNext: undefined },
    ...{ lies: new Set(), wrongAmounts: new Set(), generic: '' },
    approve: (key) => answerOf(key, true),
    refuse: (key) => answerOf(key, false),
    payPage(url, answer) {
      const payment = find(payments, url.split('/').at(-1) ?? '')
      if (!settle(payment, answer === 'confirm')) throw new Error('the page is closed')
    },
    payReference({ ref }, amount) {
      const payment = payments.find(({ reference }) => reference === ref)
      if (payment === undefined || current(payment).status === 'deleted') return false
      const isPaid = payment.isOnce && takenOf(payment) > 0n
      const isEarly = payment.starts !== undefined && now() < payment.starts
      if (isPaid || isEarly || amount < payment.min || amount > payment.max) return false
      payment.status = 'paid'
      capture(payment, payment.key, amount)
      return true
    },
    endRefund(key, status) {
      const refund = refunds.find((one) => one.key === key)
      if (refund !== undefined) refund.status = status
      emit('refund', refund?.id ?? '', key, status)
    },
    endHold(key) {
      const payment = byKey(key)
      if (payment !== undefined) payment.isLapsed = true
    },
    movements: (key) => [
      ...payments
        .filter(
          (one) => one.key === key && one.type === 'authorisation' && /^(authorised|paid)$/.test(one.status),
        )
        .map(({ max }) => max),
      ...captures.filter((one) => one.key === key).map(({ value }) => value),
      ...refunds.filter((one) => one.key === key && one.status !== 'failed').map(({ value }) => -value),
    ],
    made: (key) => payments.filter((one) => one.key === key).length,
    notifications: () => events.splice(0),
    bookForeign() {
      const [value, at] = [777n, now()]
      captures.push({
        ...{
          id: randomUUID(),
          payment: undefined,
          key: 'ORDER-77',
          value,
          at,
          status: 'success',
          isLost: false,
        },
      })
      return value
    },
    loseFromStatement(key) {
      for (const one of captures) if (one.key === key) one.isLost = true
    },
    close: () => provider.close(),
  }
  return fake
}

const common = ['key', 'method', 'currency', 'customer']
const singleFields = [...common, 'type', 'value', 'capture', 'multibanco']
const frequentFields = [
  ...common,
  'min_value',
  'max_value',
  'unlimited_payments',
  'expiration_time',
  'start_time',
]

/** Refuses what the documents do not allow. */
function boundsIn(of: Payment['of'], body: Json): { readonly min: bigint; readonly max: bigint } {
  const { method, type = 'sale', customer } = body
  only(body, of === 'single' ? singleFields : frequentFields)
  const max = centsIn(of === 'single' ? body.value : body.max_value) ?? 0n
  const min = of === 'single' ? max : (centsIn(body.min_value) ?? 0n)
  const isMethod = of === 'single' ? /^(cc|mb|mbw)$/.test(method) : method === 'mb'
  if (max < min || min < 50n || !isMethod || body.currency !== 'EUR') throw new Refusal(400, 'invalid-value')
  const isDescribed = typeof body.capture?.descriptive === 'string'
  if (of === 'single' && type === 'sale' && !isDescribed) throw new Refusal(400, 'missing-capture')
  const isReachable =
    method !== 'mbw' || (customer?.phone_indicative === '+351' && /^9\d{8}$/.test(customer.phone))
  if (!isReachable) throw new Refusal(400, 'invalid-phone')
  return { min, max }
}

/** Documented: unknown fields are refused. */
function only(body: Json, fields: readonly string[]): void {
  for (const name of Object.keys(body)) if (!fields.includes(name)) throw new Refusal(400, `unknown-${name}`)
}

function localTime(text: string | undefined): Instant | undefined {
  return text === undefined ? undefined : parseLisbonTime(`${text}:00`)
}
