// A fake of ifthenpay over HTTP, from its public documents and clients.
import { endOfLisbonDay, lisbonDayOf, lisbonTimeOf } from '../../../src/kernel/lisbon.ts'
import { decimalText } from '../../../src/kernel/money.ts'
import { after, day, type Instant, minute } from '../../../src/kernel/time.ts'
import type { ReferenceName } from '../../../src/rails/index.ts'
import {
  type HttpProvider,
  type ProviderAnswer,
  type ProviderRequest,
  startHttpProvider,
} from '../http-provider.ts'

type Method = 'MB' | 'MBWAY' | 'CCARD'

interface Order {
  readonly method: Method
  readonly orderId: string
  readonly requestId: string
  readonly amount: bigint
  readonly entity: string
  readonly reference: string
  readonly until: Instant | undefined
  readonly page?: Readonly<Record<'successUrl' | 'errorUrl' | 'cancelUrl', string>> | undefined
  status: 'open' | 'paid' | 'refused'
  paidAt: Instant | undefined
  refunded: bigint
}

/** How the fake departs from its documents. */
interface Habits {
  /** Amounts of the list with a comma. */
  commas: boolean
  /** A list with one payment is sent as the payment itself. */
  objects: boolean
  /** Dates with the year first. */
  yearFirst: boolean
  /** JSON as text/html. */
  html: boolean
  /** Paid orders are not listed yet. */
  lags: boolean
  /** The list ignores the filter by order. */
  unfiltered: boolean
  /** The code for an undecided or expired request. */
  shows123: boolean
  /** Every reference has this number. */
  repeats: string | undefined
  /** The code that the status answers in any case. */
  lies: string | undefined
  /** Added to the amounts of the list. */
  adds: bigint
  /** The keys of the contract are refused. */
  revoked: boolean
  callbacks: 'once' | 'twice' | 'held' | 'lost'
}

export interface FakeIfthenpay {
  readonly provider: HttpProvider
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<'backoffice_key' | 'anti_phishing_key', string>>
  readonly habits: Habits
  /** Registered templates of callbacks, by method. */
  readonly callbacks: ReadonlyMap<string, string>
  /** Receives callbacks; answers the HTTP status. */
  receiver: (query: URLSearchParams) => Promise<number>
  /** The answers to callbacks. */
  readonly acknowledged: number[]
  payReference(name: ReferenceName, amount: bigint): Promise<boolean>
  /** The phone of the newest unanswered request of this amount. */
  answerPhone(requestId: string, answer: 'approve' | 'refuse'): Promise<boolean>
  /** The customer at the page; answers the next address. */
  answerPage(url: string, answer: 'confirm' | 'refuse'): Promise<string>
  /** Orders of an order id's first 14 characters. */
  ordersOf(stem: string): readonly Order[]
  /** Sends the held callbacks, the newest first. */
  release(): Promise<void>
  /** In cents: payments less refunds. */
  taken(): bigint
  /** In cents, oldest first. */
  readonly refunds: readonly bigint[]
  close(): Promise<void>
}

const answerWithinMs = 4 * minute
const entity = '12345'

export async function startFakeIfthenpay(
  now: () => Instant,
  customers: ReadonlySet<string>,
): Promise<FakeIfthenpay> {
  const secrets = { backoffice_key: '1234-5678-9012-3456', anti_phishing_key: 'Chave0AntiPhishing0Teste' }
  const keys = { mb_key: 'MBK-000001', mbway_key: 'WAY-000002', card_key: 'CCK-000003' }
  const orders: Order[] = []
  const held: URLSearchParams[] = []
  const callbacks = new Map<string, string>()
  const refunds: bigint[] = []
  const habits: Habits = {
    ...{ commas: false, objects: false, yearFirst: false, html: false, lags: false, shows123: false },
    ...{
      repeats: undefined,
      lies: undefined,
      adds: 0n,
      callbacks: 'once',
      revoked: false,
      unfiltered: false,
    },
  }
  let ids = 0

  function add(
    order: Pick<Order, 'method' | 'orderId' | 'amount' | 'until' | 'page'> & { reference?: string },
  ): Order {
    const made: Order = {
      ...{ reference: '', entity: order.method === 'MB' ? entity : order.method },
      ...order,
      ...{
        requestId: `R${String(++ids).padStart(19, '0')}`,
        status: 'open',
        paidAt: undefined,
        refunded: 0n,
      },
    }
    orders.push(made)
    return made
  }

  function reference(body: Body): ProviderAnswer {
    const { orderId, amount: text, expiryDays, mbKey } = body
    const amount = centsIn(text)
    if (mbKey !== keys.mb_key || habits.revoked) return json(unauthorized)
    if (amount === undefined || !isOrderId(orderId))
      return json({ Status: '-1', Message: 'Invalid request', Entity: '', Reference: '' })
    const last = expiryDays === undefined ? undefined : after(now(), Number(expiryDays) * day)
    const until = last && endOfLisbonDay(lisbonDayOf(last))
    const number = habits.repeats ?? String(++ids + 12_345).padStart(9, '0')
    const made = add({ method: 'MB', orderId, amount, until, reference: number })
    return json({
      ...{ Amount: Number(text), Entity: Number(entity), OrderId: orderId, Reference: number, Status: '0' },
      ...{ Message: 'Success', RequestId: made.requestId },
      ExpiryDate: last === undefined ? '' : dayFirst(lisbonDayOf(last)),
    })
  }

  function phone(body: Body): ProviderAnswer {
    const { orderId, amount: text, mobileNumber = '', mbWayKey } = body
    const amount = centsIn(text)
    const refused = (code: string) => json({ Status: code, Message: 'Error', RequestId: '', OrderId: '' })
    if (mbWayKey !== keys.mbway_key || habits.revoked || amount === undefined || !isOrderId(orderId))
      return refused('999')
    if (!customers.has(`+${mobileNumber.replace('#', '')}`)) return refused('122')
    const made = add({ method: 'MBWAY', orderId, amount, until: after(now(), answerWithinMs) })
    const answer = { Amount: text, Message: 'Pending', OrderId: orderId, RequestId: made.requestId }
    return json({ ...answer, Status: '000' })
  }

  function phoneStatus(query: URLSearchParams): ProviderAnswer {
    const found = orders.find(({ requestId }) => requestId === query.get('requestId'))
    if (query.get('mbWayKey') !== keys.mbway_key || habits.revoked)
      return json({ Status: '999', Message: 'Unauthorized' })
    const isOver = found?.until !== undefined && now() >= found.until
    const code =
      found === undefined || (found.status === 'open' && habits.shows123)
        ? '123'
        : { open: isOver ? '101' : '123', paid: '000', refused: '020' }[found.status]
    return json({ Status: habits.lies ?? code, Message: '', RequestId: found?.requestId ?? '' })
  }

  function page(body: Body, key: string): ProviderAnswer {
    const { orderId, amount: text, successUrl, errorUrl, cancelUrl } = body
    const amount = centsIn(text)
    if (key !== keys.card_key || habits.revoked) return json(unauthorized)
    if (amount === undefined || !isOrderId(orderId) || !successUrl)
      return json({ Status: '-1', Message: 'Invalid request', PaymentUrl: '', RequestId: '' })
    const urls = { successUrl, errorUrl: errorUrl ?? '', cancelUrl: cancelUrl ?? '' }
    const { requestId } = add({ method: 'CCARD', orderId, amount, until: undefined, page: urls })
    const url = `${provider.url}/page?token=${requestId}`
    return json({ Status: '0', Message: 'Success', PaymentUrl: url, RequestId: requestId })
  }

  function list({ boKey, orderId }: Body): ProviderAnswer {
    if (boKey !== secrets.backoffice_key || habits.revoked)
      return json({ status: 403, message: 'Forbidden', payments: [] })
    const paid = orders.filter(
      (one) => one.paidAt !== undefined && (habits.unfiltered || one.orderId === orderId) && !habits.lags,
    )
    const payments = paid.map((one) => {
      const text = decimalText(one.amount + habits.adds)
      const time = lisbonTimeOf(one.paidAt as Instant)
      return {
        amount: habits.commas ? text.replace('.', ',') : Number(text),
        ...{ entity: one.entity, fee: 0.5, netAmount: Number(text) - 0.5, orderId: one.orderId },
        paymentDate: habits.yearFirst ? time : dayFirst(time),
        ...{ reference: one.method === 'MB' ? one.reference : one.orderId, requestId: one.requestId },
        ...{ subEntity: 'XXX-000000', terminal: '' },
      }
    })
    const [only, ...more] = payments
    if (habits.objects && only !== undefined && more.length === 0) return json(only)
    return json({ message: 'OK', payments, status: 200 })
  }

  function refund({ backofficekey, requestId, amount: text }: Body): ProviderAnswer {
    const found = orders.find((one) => one.requestId === requestId && one.status === 'paid')
    const amount = centsIn(text) ?? 0n
    if (backofficekey !== secrets.backoffice_key || found === undefined || found.method === 'MB')
      return json({ Code: '0', Message: 'Invalid request' })
    if (amount <= 0n || found.refunded + amount > found.amount)
      return json({ Code: 0, Message: 'Invalid amount' })
    if (found.amount === 66_66n) return json({ Code: '-1', Message: 'Insufficient funds' })
    found.refunded += amount
    refunds.push(amount)
    return json({ Code: 1, Message: 'Success' })
  }

  async function handle({ method, path, query, body: text }: ProviderRequest): Promise<ProviderAnswer> {
    const body = (text === '' ? {} : JSON.parse(text)) as Body
    const routes: Readonly<Record<string, () => ProviderAnswer>> = {
      'GET /spg/payment/mbway/status': () => phoneStatus(query),
      'POST /multibanco/reference/init': () => reference(body),
      'POST /spg/payment/mbway': () => phone(body),
      'POST /creditcard/init': () => page(body, path.split('/').at(-1) ?? ''),
      'POST /v2/payments/read': () => list(body),
      'POST /endpoint/payments/refund': () => refund(body),
      'POST /endpoint/callback/activation': () => register(body),
    }
    const route = `${method} ${path.replace(/^\/creditcard\/(sandbox\/)?init\/.*/, '/creditcard/init')}`
    const answer = routes[route] ?? (() => ({ status: 404, body: '<html>Not found</html>' }))
    const { status, body: sent } = answer()
    return { status, body: sent, headers: { 'content-type': habits.html ? 'text/html' : 'application/json' } }
  }

  function register({ chave, entidade = '', subentidade, apKey, urlCb = '' }: Body): ProviderAnswer {
    const isKnown = chave === secrets.backoffice_key && Object.values(keys).some((key) => key === subentidade)
    if (!isKnown || apKey !== secrets.anti_phishing_key || urlCb.length > 300 || habits.revoked)
      return { status: 200, body: 'INVALID' }
    callbacks.set(entidade, urlCb)
    return { status: 200, body: 'OK: Callback' }
  }

  const provider = await startHttpProvider(handle)

  async function deliver(query: URLSearchParams): Promise<void> {
    fake.acknowledged.push(await fake.receiver(query))
  }

  async function pay(order: Order): Promise<void> {
    order.status = 'paid'
    order.paidAt = now()
    const values: Readonly<Record<string, string>> = {
      ...{ ANTI_PHISHING_KEY: secrets.anti_phishing_key, ORDER_ID: order.orderId },
      ...{ REQUEST_ID: order.requestId, AMOUNT: decimalText(order.amount) },
      PAYMENT_DATETIME: dayFirst(lisbonTimeOf(now())),
    }
    const template = callbacks.get(order.method) ?? usualTemplate
    const filled = template.replaceAll(/\[([A-Z_]+)\]/g, (_, name) => encodeURIComponent(values[name] ?? ''))
    const query = new URL(filled).searchParams
    if (habits.callbacks === 'held') held.push(query)
    const times = { once: 1, twice: 2, held: 0, lost: 0 }[habits.callbacks]
    for (let n = 0; n < times; n++) await deliver(query)
  }

  const fake: FakeIfthenpay = {
    ...{ provider, secrets, habits, refunds, callbacks, acknowledged: [] },
    settings: { ...keys, api_base: provider.url },
    receiver: async () => 200,
    async payReference({ entity: of, ref }, amount) {
      const found = orders.find(
        (one) =>
          one.method === 'MB' &&
          of === entity &&
          one.reference === ref &&
          one.status === 'open' &&
          one.amount === amount &&
          (one.until === undefined || now() <= one.until),
      )
      if (found !== undefined) await pay(found)
      return found !== undefined
    },
    async answerPhone(requestId, answer) {
      const found = orders.find((one) => one.requestId === requestId)
      if (found?.status !== 'open' || found.until === undefined || now() >= found.until) return false
      if (answer === 'approve') await pay(found)
      else found.status = 'refused'
      return true
    },
    async answerPage(url, answer) {
      const found = orders.find(({ requestId }) => requestId === new URL(url).searchParams.get('token'))
      if (found?.page === undefined || found.status !== 'open') throw new Error('the page is closed')
      if (answer === 'confirm') await pay(found)
      return answer === 'confirm' ? found.page.successUrl : found.page.errorUrl
    },
    ordersOf: (stem) => orders.filter(({ orderId }) => orderId.startsWith(stem)),
    async release() {
      for (const query of held.splice(0).reverse()) await deliver(query)
    },
    taken: () =>
      orders.reduce((sum, one) => sum + (one.paidAt === undefined ? 0n : one.amount - one.refunded), 0n),
    close: () => provider.close(),
  }
  return fake
}

const usualTemplate =
  'https://pay.example.com/?key=[ANTI_PHISHING_KEY]&order=[ORDER_ID]&request=[REQUEST_ID]&amount=[AMOUNT]&at=[PAYMENT_DATETIME]'
const unauthorized = { Status: '-1', Message: 'Unauthorized request', PaymentUrl: '', RequestId: '' }

type Body = Readonly<Partial<Record<string, string>>>

function json(body: object): ProviderAnswer {
  return { status: 200, body: JSON.stringify(body) }
}

function centsIn(text: string | undefined): bigint | undefined {
  return /^\d+\.\d\d$/.test(text ?? '') && Number(text) > 0
    ? BigInt((text ?? '').replace('.', ''))
    : undefined
}

function isOrderId(text: string | undefined): text is string {
  return /^[A-Za-z0-9]{1,15}$/.test(text ?? '')
}

/** `dd-MM-yyyy`, with the time if there is one. */
function dayFirst(text: string): string {
  return text.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3-$2-$1')
}
