// A fake of Eupago over HTTP, from its public documents and clients.
import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import { endOfLisbonDay, lisbonTimeOf, startOfLisbonDay } from '../../../src/kernel/lisbon.ts'
import { decimalText } from '../../../src/kernel/money.ts'
import { after, type Instant, minute } from '../../../src/kernel/time.ts'
import type { ReferenceName } from '../../../src/rails/index.ts'
import type { SentWebhook } from '../hostile-webhooks.ts'
import {
  type HttpProvider,
  type ProviderAnswer,
  type ProviderRequest,
  startHttpProvider,
} from '../http-provider.ts'

interface Payment {
  readonly trid: string
  readonly amount: bigint
  readonly at: Instant
}

interface Asked {
  readonly method: 'PC:PT' | 'MW:PT'
  readonly identifier: string
  readonly entity: string
  readonly reference: string
  readonly min: bigint
  readonly max: bigint
  readonly from: Instant | undefined
  readonly until: Instant | undefined
  readonly isMany: boolean
  readonly payments: Payment[]
  isRefused: boolean
}

interface Refund {
  readonly id: string
  readonly trid: string
  readonly amount: bigint
  readonly identifier: string
  isDone: boolean
}

interface Habits {
  /** Amounts with a comma. */
  commas: boolean
  /** JSON as text/html. */
  html: boolean
  /** Payments are not shown yet. */
  lags: boolean
  /** The list of transactions ignores the filter by identifier. */
  unfiltered: boolean
  /** Added to shown amounts. */
  adds: bigint
  /** Every reference has this number. */
  repeats: string | undefined
  /** Refunds wait for a bank transfer. */
  pends: boolean
  /** The keys are refused. */
  revoked: boolean
  encrypts: boolean
  webhooks: 'once' | 'twice' | 'held' | 'lost'
}

export interface FakeEupago {
  readonly provider: HttpProvider
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<'api_key' | 'client_id' | 'client_secret' | 'webhook_key', string>>
  readonly habits: Habits
  receiver: (sent: SentWebhook) => Promise<number>
  readonly refunds: readonly Refund[]
  payReference(name: ReferenceName, amount: bigint): Promise<boolean>
  /** The newest unanswered request with this identifier. */
  answerPhone(identifier: string, answer: 'approve' | 'refuse'): Promise<boolean>
  askedFor(identifier: string): readonly Asked[]
  /** Sends the held webhooks, the newest first. */
  release(): Promise<void>
  /** Notifies the end of unanswered requests. */
  expire(): Promise<void>
  /** Bank transfers of refunds. */
  finishRefunds(): void
  signed(body: object): SentWebhook
  tokens(): number
  taken(): bigint
  close(): Promise<void>
}

const entity = '82307'
const answerWithinMs = 5 * minute

export async function startFakeEupago(
  now: () => Instant,
  customers: ReadonlySet<string>,
): Promise<FakeEupago> {
  const secrets = {
    ...{ api_key: 'demo-1111-2222-3333-444', client_id: 'cli-0001', client_secret: 'sec-Zz99887766' },
    webhook_key: randomBytes(16).toString('hex'),
  }
  const asked: Asked[] = []
  const refunds: Refund[] = []
  const held: SentWebhook[] = []
  const tokens = new Set<string>()
  const habits: Habits = {
    ...{ commas: false, html: false, lags: false, adds: 0n, repeats: undefined, pends: false },
    ...{ revoked: false, unfiltered: false, encrypts: false, webhooks: 'once' },
  }
  let ids = 0

  const shown = (amount: bigint) => {
    const text = `${decimalText(amount + habits.adds)}000`
    return habits.commas ? text.replace('.', ',') : text
  }
  const paymentsShown = (one: Asked) => (habits.lags ? [] : one.payments)

  function add(one: Omit<Asked, 'payments' | 'isRefused'>): Asked {
    const made = { ...one, payments: [], isRefused: false }
    asked.push(made)
    return made
  }

  function reference(body: Body): ProviderAnswer {
    const [max, min] = [centsIn(body.valor), centsIn(body.valor_minimo ?? body.valor)]
    if (max === undefined || min === undefined || typeof body.id !== 'string')
      return json({ estado: -9, resposta: 'Valores incorretos', sucesso: false })
    const number = habits.repeats ?? String(++ids + 100_200).padStart(9, '0')
    const made = add({
      ...{ method: 'PC:PT', identifier: body.id, entity, reference: number, min, max },
      from: body.data_inicio === undefined ? undefined : startOfLisbonDay(String(body.data_inicio)),
      until: body.data_fim === undefined ? undefined : endOfLisbonDay(String(body.data_fim)),
      isMany: body.per_dup === 1,
    })
    const answer = { estado: 0, sucesso: true, resposta: 'OK', entidade: Number(entity), valor: body.valor }
    return json({ ...answer, referencia: Number(made.reference) })
  }

  function info({ referencia, entidade }: Body): ProviderAnswer {
    const found = asked.findLast(
      (one) => one.reference === referencia && (entidade === undefined || one.entity === entidade),
    )
    if (found === undefined) return json({ estado: -11, sucesso: false, resposta: 'Pagamento inexistente' })
    const payments = paymentsShown(found)
    return json({
      ...{ estado: 0, sucesso: true, resposta: 'OK', entidade: found.entity, referencia: found.reference },
      ...{ identificador: found.identifier, arquivada: false },
      estado_referencia: payments.length > 0 ? 'paga' : 'pendente',
      ...(payments.length > 0 && {
        pagamentos: payments.map(({ trid, amount, at }) => ({
          ...{ trid: Number(trid), estado: 'paga', valor: shown(amount), comissao: '0.68000' },
          ...{ data_pagamento: lisbonTimeOf(at).slice(0, 10), hora_pagamento: lisbonTimeOf(at).slice(11) },
        })),
      }),
    })
  }

  function phone({ payment }: Body): ProviderAnswer {
    const { identifier = '', amount, customerPhone, countryCode } = (payment ?? {}) as Phone
    const value = centsIn(amount?.value)
    if (value === undefined || value < 100n) return rejected('AMOUNT_INVALID')
    if (!customers.has(`+${countryCode}${customerPhone}`)) return rejected('CUSTOMERPHONE_INVALID')
    const made = add({
      ...{ method: 'MW:PT', identifier, entity: '', reference: String(++ids + 300_000) },
      ...{ min: value, max: value, from: undefined, until: after(now(), answerWithinMs), isMany: false },
    })
    const answer = { transactionStatus: 'Success', transactionID: randomBytes(16).toString('hex') }
    return json({ ...answer, reference: made.reference })
  }

  function token({ client_id, client_secret, grant_type }: Body): ProviderAnswer {
    const isRight = client_id === secrets.client_id && client_secret === secrets.client_secret
    if (!isRight || grant_type !== 'client_credentials' || habits.revoked)
      return json({ message: 'Unauthorized' }, 401)
    const text = randomBytes(12).toString('hex')
    tokens.add(text)
    return json({ access_token: text, token_type: 'bearer', expires_in: 3600 })
  }

  function transactions(query: URLSearchParams): ProviderAnswer {
    const identifier = query.get('identifier')
    const list = asked
      .filter((one) => habits.unfiltered || one.identifier === identifier)
      .flatMap((one) =>
        paymentsShown(one).map(({ trid, amount, at }) => ({
          ...{ trid, entity: one.entity, reference: one.reference, amount: Number(decimalText(amount)) },
          ...{ identifier: one.identifier, datePayment: lisbonTimeOf(at), status: 'paga' },
        })),
      )
    return json({ transactionStatus: 'Success', transactionList: list })
  }

  function refund(trid: string, { amount: value, iban, bic }: Body): ProviderAnswer {
    const paid = asked.find((one) => one.payments.some((payment) => payment.trid === trid))
    const payment = paid?.payments.find((one) => one.trid === trid)
    const amount = centsIn(value)
    if (paid === undefined || payment === undefined || amount === undefined) return rejected('BAD_REQUEST')
    if (paid.method === 'PC:PT' && (!iban || !bic)) return rejected('BIC_INVALID')
    const before = refunds.filter((one) => one.trid === trid).reduce((sum, one) => sum + one.amount, 0n)
    if (before + amount > payment.amount) return rejected('AMOUNT_INVALID')
    const made = {
      id: String(2000 + ++ids),
      trid,
      amount,
      identifier: paid.identifier,
      isDone: !habits.pends,
    }
    refunds.push(made)
    const answer = { transactionStatus: 'Success', refundId: made.id }
    return json({ ...answer, status: made.isDone ? 'Reembolsado' : 'Pendente' }, 201)
  }

  async function handle(request: ProviderRequest): Promise<ProviderAnswer> {
    const { status, body } = route(request)
    const type = habits.html ? 'text/html' : 'application/json'
    return { status, body, headers: { 'content-type': type } }
  }

  function route(request: ProviderRequest): ProviderAnswer {
    const { path, headers, body: text } = request
    const body = (text === '' ? {} : JSON.parse(text)) as Body
    const { authorization = '' } = headers
    if (path === '/api/auth/token') return token(body)
    if (path.startsWith('/api/management/')) return management(request, body)
    if (path.startsWith('/clientes/rest_api/')) {
      if (body.chave !== secrets.api_key || habits.revoked)
        return json({ estado: -10, sucesso: false, resposta: 'Chave invalida' })
      return path.endsWith('/create') ? reference(body) : info(body)
    }
    if (authorization !== `ApiKey ${secrets.api_key}` || habits.revoked)
      return json({ transactionStatus: 'Rejected', code: 'APIKEY_INVALID', text: 'API Key' }, 401)
    return path === '/api/v1.02/mbway/create' ? phone(body) : json({ message: 'Not found' }, 404)
  }

  function management({ method, path, query, headers }: ProviderRequest, body: Body): ProviderAnswer {
    const isKnown = tokens.has((headers.authorization ?? '').replace(/^Bearer /, ''))
    if (!isKnown || habits.revoked) return json({ message: 'Unauthenticated.' }, 401)
    if (path.endsWith('/transactions')) return transactions(query)
    const id = path.split('/').at(-1) ?? ''
    if (method === 'POST') return refund(id, body)
    const found = refunds.find((one) => one.id === id)
    const status = found?.isDone === true ? 'Reembolsado' : 'pendente'
    return json({ refundList: { identifier: found?.identifier, status } })
  }

  const provider = await startHttpProvider(handle)

  function signed(body: object): SentWebhook {
    const text = JSON.stringify(body)
    const hmac = (of: string) => createHmac('sha256', secrets.webhook_key).update(of).digest('base64')
    const headers = { 'content-type': 'application/json' }
    if (!habits.encrypts) return { headers: { ...headers, 'x-signature': hmac(text) }, body: text }
    const iv = randomBytes(16)
    const cipher = createCipheriv('aes-256-cbc', Buffer.from(secrets.webhook_key), iv)
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
    const vector = { 'x-initialization-vector': iv.toString('base64') }
    return { headers: { ...headers, ...vector, 'x-signature': hmac(data) }, body: JSON.stringify({ data }) }
  }

  async function notify(one: Asked, status: string, trid: string, amount: bigint): Promise<void> {
    const sent = signed({
      channel: { account: 'demo', name: 'demo' },
      transaction: {
        ...{ entity: one.entity, reference: one.reference, identifier: one.identifier, method: one.method },
        ...{
          amount: { value: `${decimalText(amount)}000`, currency: 'EUR' },
          fees: { value: 0.68, currency: 'EUR' },
        },
        ...{ date: lisbonTimeOf(now()).replace(' ', 'T'), trid, status, local: 'demo' },
      },
    })
    if (habits.webhooks === 'held') held.push(sent)
    const times = { once: 1, twice: 2, held: 0, lost: 0 }[habits.webhooks]
    for (let n = 0; n < times; n++) await fake.receiver(sent)
  }

  async function pay(one: Asked, amount: bigint): Promise<void> {
    const trid = String(113_000_000 + ++ids)
    one.payments.push({ trid, amount, at: now() })
    await notify(one, 'Paid', trid, amount)
  }

  const fake: FakeEupago = {
    ...{ provider, secrets, habits, refunds, signed },
    settings: { api_base: provider.url },
    receiver: async () => 200,
    async payReference({ entity: of, ref }, amount) {
      const found = asked.find((one) => one.entity === of && one.reference === ref)
      if (found === undefined || amount < found.min || amount > found.max) return false
      const isOpen = (found.from ?? 0) <= now() && now() <= (found.until ?? Number.POSITIVE_INFINITY)
      if (!isOpen || (found.payments.length > 0 && !found.isMany)) return false
      await pay(found, amount)
      return true
    },
    async answerPhone(identifier, answer) {
      const found = asked.findLast((one) => one.identifier === identifier && one.method === 'MW:PT')
      const isOver = found?.until === undefined || now() >= found.until
      if (found === undefined || isOver || found.isRefused || found.payments.length > 0) return false
      if (answer === 'approve') await pay(found, found.max)
      else {
        found.isRefused = true
        await notify(found, 'Error', String(++ids), found.max)
      }
      return true
    },
    askedFor: (identifier) => asked.filter((one) => one.identifier === identifier),
    async release() {
      for (const sent of held.splice(0).reverse()) await fake.receiver(sent)
    },
    async expire() {
      for (const one of asked) {
        const isOver = one.until !== undefined && now() >= one.until && one.method === 'MW:PT'
        if (!isOver || one.isRefused || one.payments.length > 0) continue
        one.isRefused = true
        await notify(one, 'Expired', String(++ids), one.max)
      }
    },
    finishRefunds() {
      for (const one of refunds) one.isDone = true
    },
    tokens: () => tokens.size,
    taken: () =>
      asked.flatMap((one) => one.payments).reduce((sum, { amount }) => sum + amount, 0n) -
      refunds.reduce((sum, { amount }) => sum + amount, 0n),
    close: () => provider.close(),
  }
  return fake
}

type Body = Readonly<Record<string, unknown>>

interface Phone {
  readonly identifier?: string
  readonly amount?: { readonly value?: number }
  readonly customerPhone?: string
  readonly countryCode?: string
}

function json(body: object, status = 200): ProviderAnswer {
  return { status, body: JSON.stringify(body) }
}

function rejected(code: string): ProviderAnswer {
  return json({ transactionStatus: 'Rejected', code, text: code }, 400)
}

function centsIn(value: unknown): bigint | undefined {
  const isAmount = typeof value === 'number' && value > 0 && /^\d+(\.\d{1,2})?$/.test(String(value))
  return isAmount ? BigInt(Math.round(value * 100)) : undefined
}
