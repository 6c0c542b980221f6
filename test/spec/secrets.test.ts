// No secret in any file, row, log, span or answer.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openPglite, openPostgres } from '../../src/storage/index.ts'
import { encryptCard } from '../../web/secure-fields/frame/encrypt-card.ts'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { databaseKinds } from '../database.ts'
import { cardNeedle, filesUnder, found, type Needle, needle, rowsOf, valuesIn } from '../needles.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { type Collector, startCollector } from '../telemetry/collector.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'
import { usedByPeople } from './peoples-secrets.ts'

/**
 * All planted cards begin with these ten digits, so one search finds them. The first six may be stored (PCI DSS
 * 3.4.1).
 */
const plantedPrefix = '4539981376'
/** Ids contain three digits by chance, so the search looks for whole values and for values next to their names. */
const [vcode, vcodeOfAmex] = ['739', '8253']
const codeBesideName = /\b(?:vcode|cvv2?|cvc2?|security.?code|pin)\b["'\\\s:=>]{1,6}\d{3,4}\b/i
/** This text is in allowed places, so that a search that finds nothing is noticed. */
const marker = 'MARKER-5Q2ZK7'
const amex = '378282246310005'

let serial = 0
/** A new number that the sandbox approves without a challenge. */
function plantedNumber(): string {
  const digits = `${plantedPrefix}${String(++serial).padStart(5, '0')}`
  const sum = [...digits].reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits + ((10 - (sum % 10)) % 10)
}

const batched = (number: string) => number.replace(/(.{4})(?=.)/g, '$1 ')

describe.each(databaseKinds)('after a day of business on %s', (kind) => {
  let server: PostgresServer | undefined
  let world: World
  let database: Database
  let collector: Collector
  let needles: Needle[]
  let pins: string[]
  /** Every answer of the gateway. */
  const answers: string[] = []

  const card = (number = plantedNumber()) => ({
    number,
    name: 'Ana Silva',
    vcode: number.startsWith('3') ? vcodeOfAmex : vcode,
    valdate: '12/2030',
    email: 'ana@example.com',
  })
  const esb = () => ({ 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })
  const payment = (change: Record<string, unknown> = {}) => ({
    amount: 12.5,
    currency: 'EUR',
    callback: world.receiver.url('/operation'),
    cardsecure_url_confirm: world.receiver.url('/confirm'),
    cardsecure_url_cancel: world.receiver.url('/cancel'),
    ext_invoiceid: marker,
    request_id: randomUUID(),
    newCard: card(),
    ...change,
  })

  async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await world.shop.post(path, body, { ...esb(), ...headers })
    answers.push(answer.text, JSON.stringify([...answer.headers]))
    return answer.body
  }

  async function seen(page: Promise<Page> | Page): Promise<Page> {
    const { html, headers, url } = await page
    answers.push(html, JSON.stringify([...headers]), url)
    return page
  }

  /** Goes through the issuer's pages, and types `otp` if asked. */
  async function authenticate(start: Page, otp = ''): Promise<void> {
    let page = start
    for (let step = 0; step < 8 && page.url.startsWith(world.baseUrl); step++) {
      const form = page.forms.find(({ action }) =>
        /\/secure\/|\/bank\b|\/challenge|\/3ds\/return\//.test(action),
      )
      if (form === undefined) return
      page = await seen(submit(page, form, 'otp' in form.fields ? { otp } : {}))
    }
  }

  /** Pays a new checkout. Returns the page after the card form. */
  async function payOnPage(typed: Record<string, string>, otp = ''): Promise<void> {
    const checkout = await world.createCheckout({
      payment: { amount: 10, currency: 'EUR', ext_invoiceid: marker },
      required_fields: { email: true, phone: true },
    })
    const page = await seen(openPage(checkout.url_redirect))
    const form = { name: 'Ana', expiry: '12 / 30', vcode, email: 'ana@example.com', phone: '+351911000000' }
    await authenticate(await seen(submit(page, formTo(page, '/card'), { ...form, ...typed })), otp)
  }

  async function hostedCheckouts(): Promise<void> {
    const wrong = plantedNumber().replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
    const misplaced = ['name', 'email', 'phone', 'expiry', 'vcode'].map((field) => ({
      number: plantedNumber(),
      [field]: plantedNumber(),
    }))
    await Promise.all([
      ...[plantedNumber(), cards.declined.number, cards.rejected.number].map((number) =>
        payOnPage({ number: batched(number) }),
      ),
      payOnPage({ number: amex, vcode: vcodeOfAmex }),
      payOnPage({ number: cards.challenge.number }, cards.challenge.otp),
      payOnPage({ number: cards.challenge.number }, '9999'),
      payOnPage({ number: wrong }),
      payOnPage({ number: plantedNumber(), email: `${plantedNumber()}@example.com` }),
      ...misplaced.map((typed) => payOnPage(typed)),
    ])
  }

  async function cardApi(): Promise<void> {
    const paid = ['payment', 'authorization'].flatMap((path) =>
      [plantedNumber(), amex, cards.declined.number, cards.challenge.number].map((number) =>
        payWith(path, number),
      ),
    )
    const stored = [plantedNumber(), cards.declined.number, cards.silentThenApproved.number].map(storeAndPay)
    await Promise.all([...paid, ...stored])
    await post('/prows/v2/payment', payment({ newCard: undefined, newCardSecure: await encrypted() }))
  }

  async function payWith(path: string, number: string): Promise<void> {
    const { cardsecure_url_redirect: url } = await post(
      `/prows/v2/${path}`,
      payment({ newCard: card(number) }),
    )
    const headers = { 'user-agent': `Card ${plantedNumber()}` }
    await authenticate(await seen(openPage(url, {}, { headers })), cards.challenge.otp)
  }

  async function storeAndPay(number: string): Promise<void> {
    const asked = payment({ newCard: card(number) })
    const { cardsecure_url_redirect: url } = await post('/prows/v2/creditcard', asked)
    await authenticate(await seen(openPage(url)))
    const { token } = (await world.shop.get(`/api/v2/requests/${asked.request_id}`)).body
    const byToken = () => payment({ newCard: undefined, card: { token } })
    await Promise.all(['payment', 'authorization'].map((path) => post(`/prows/v2/${path}`, byToken())))
    answers.push((await world.shop.get(`/prows/v2/creditcard/${token}`, esb())).text)
  }

  async function encrypted(): Promise<Record<string, string>> {
    const merchant = world.shop.public_id
    const { keys } = (await world.request(`/.well-known/secure-fields/jwks.json?merchant=${merchant}`)).body
    const { session, now } = (await world.request(`/secure-fields/v1/session?merchant=${merchant}`)).body
    const values = card()
    const page = { merchant, origin: 'http://localhost:1' }
    const sent = await encryptCard(values, { key: keys[0], session, iat: now }, page)
    return { ...sent.newCardSecure, email: values.email }
  }

  /** Card numbers in all fields of merchants and customers. */
  async function misplacedCards(): Promise<void> {
    const number = plantedNumber
    const misplaced: Record<string, unknown>[] = [
      ...['ext_invoiceid', 'ext_customerid', 'ext_employee', 'notes', 'request_id', 'method', 'currency'].map(
        (field) => ({ [field]: number() }),
      ),
      { ext_invoiceid: batched(number()) },
      { ext_email: `${number()}@example.com` },
      { notes: `Card ${number()}, code ${vcode}` },
      { amount: Number(number()) },
      ...['name', 'descr', 'ref'].map((field) => ({ items: [{ [field]: number() }] })),
      { items: [{ ref: Number(number()) }] },
      { client: { name: number() } },
      { client: { address: { address: number(), city: number(), country: 'PT', postalcode: number() } } },
      { callback: world.receiver.url(`/operation?card=${number()}`) },
      { cardsecure_url_confirm: `${world.receiver.url('/confirm')}/${number()}` },
      ...['name', 'vcode', 'valdate', 'email', 'phone', 'mode'].map((field) => ({
        newCard: { ...card(), [field]: number() },
      })),
      { newCard: number() },
      { newCard: undefined, card: { token: number() } },
      { newCard: undefined, newCardSecure: card() },
      { [number()]: number() },
      { unknown: { number: number() } },
    ]
    const send = async (change: Record<string, unknown>) => {
      const body: Json = await post('/prows/v2/payment', payment(change))
      if (body.cardsecure_url_redirect) await authenticate(await seen(openPage(body.cardsecure_url_redirect)))
      const { callback: _callback, ...asked } = payment({ newCard: undefined, ...change })
      const [urls, inUrls] = [
        { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
        number(),
      ]
      await post('/api/v2/checkout', { payment: asked, ...urls })
      await post('/api/v2/checkout', {
        payment: payment(),
        ...urls,
        url_confirm: `https://shop.example/${inUrls}`,
      })
    }
    await Promise.all(misplaced.map(send))
  }

  /** Refused requests, with keys and tokens in wrong places. */
  async function refusedRequests(): Promise<void> {
    const number = plantedNumber
    const { api_key: key, esb_token: token } = world.shop
    const whole = JSON.stringify(payment())
    const bodies = [
      whole.slice(0, -1),
      `{"${number()}":1,"${number()}":"\\u0000"}`,
      whole.replace('{', '{"newCard":{},'),
      whole.padEnd(70_000),
      `number=${number()}&vcode=${vcode}`,
    ]
    for (const body of bodies) await post('/prows/v2/payment', body)
    await post('/prows/v2/payment', whole, { 'content-type': `text/${number()}` })
    await post('/prows/v2/payment', whole, { 'proxy-authorization': `ESBToken=${key}` })
    await post('/prows/v2/payment', whole, { 'proxy-authorization': number() })
    await post('/prows/v2/payment', whole, { authorization: `Comporta ${token}` })
    await post('/prows/v2/payment', whole, { authorization: `Comporta ${key}x` })
    await post('/prows/v2/payment', whole, { authorization: `Basic ${btoa(`${number()}:${key}`)}` })
    await post('/api/v2/checkout', { ...payment(), merchant: { apikey: key } }, { authorization: '' })
    await post('/api/v2/callback/verify', { ext_invoiceid: number(), operation_id: number(), key })
    await post('/prows/v2/payment', payment(), {
      cookie: `card=${number()}`,
      referer: `https://shop.example/?card=${number()}`,
      'user-agent': number(),
      'x-request-id': number(),
      'x-forwarded-for': number(),
      'idempotency-key': number(),
    })
    const { number: plain } = card()
    answers.push((await world.merchant('Plain Shop').post('/prows/v2/payment', payment(), esb())).text)
    for (const path of [
      `/api/v2/operations/${plain}`,
      `/api/v2/operations?ext_invoiceid=${plain}&limit=${plain}`,
      `/api/v2/operations?${plain}=%00`,
      `/api/v2/operations?apikey=${key}&esb=${token}`,
      `/prows/v2/creditcard/${plain}`,
      `/api/v2/requests/${plain}`,
      `/${plain}/${key}`,
      `/secure/${plain}?number=${plain}`,
      `/checkout/${plain}?lang=${plain}`,
      `/3ds/return/${plain}?cres=${plain}`,
      `/secure-fields/v1/frame?merchant=${plain}`,
      '/metrics',
    ]) {
      const answer = await world.shop.get(path, esb())
      answers.push(answer.text, JSON.stringify([...answer.headers]))
    }
    answers.push(await sayRaw(`GET /${number()} HTTP/9.9\r\nCard: ${number()}\r\n\r\n`))
  }

  function sayRaw(bytes: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = ''
      const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
    })
  }

  /** Breaks connections during card payments, to cause error reports. */
  async function brokenConnections(): Promise<void> {
    if (world.databaseUrl === undefined) return
    const client = new pg.Client({ connectionString: world.databaseUrl })
    await client.connect()
    const paying = Array.from({ length: 12 }, () => post('/prows/v2/payment', payment()))
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    await Promise.all(paying)
    await client.end()
  }

  beforeAll(async () => {
    if (kind === 'postgres') {
      // The server's log contains every statement with its parameters.
      server = await startPostgres({ settings: ['fsync=off', 'logging_collector=on', 'log_statement=all'] })
      await server.createDatabase('secrets')
    }
    const address = server && { databaseUrl: server.url('secrets') }
    collector = await startCollector()
    const settings = { LOG_LEVEL: 'trace', TRUST_PROXY: 'loopback', ...collector.environment }
    world = await startWorld(address ?? 'pglite', settings)
    const demo = JSON.parse(readFileSync(join(world.dataDir, 'demo.json'), 'utf8'))
    const made = (await world.cli('key', 'create', String(world.shop.wallet_id), '--permissions', 'card'))
      .json
    pins = demo.consumers.map(({ pin }: Json) => pin)
    needles = [
      ...[plantedPrefix, amex, ...Object.values(cards).map(({ number }) => number)]
        .filter((number) => number !== cards.frictionless.number)
        .map(cardNeedle),
      needle('a new API key', made.api_key),
      ...demo.merchants.flatMap((merchant: Json) => [
        needle(`the API key of ${merchant.name}`, merchant.api_key.split('_').at(-1)),
        needle(`the callback secret of ${merchant.name}`, merchant.callback_secret),
        needle(`the callback signing secret of ${merchant.name}`, merchant.callback_signing_secret),
        ...(merchant.esb_token ? [needle(`the ESB token of ${merchant.name}`, merchant.esb_token)] : []),
      ]),
    ]

    needles.push(...(await usedByPeople(world)))
    await hostedCheckouts()
    await cardApi()
    await misplacedCards()
    await refusedRequests()
    expect((await world.cli('vault', 'rotate')).code).toBe(0)
    await storeAndPay(plantedNumber())
    await brokenConnections()
    await world.advance('PT20M')
    await world.receiver.waitFor('/operation', 10)
    await world.eventually(async () => collector.metrics().size > 0)
    answers.push((await world.shop.get('/api/v2/operations?limit=30')).text)
    await world.kill()
    database =
      world.databaseUrl === undefined
        ? await openPglite(join(world.dataDir, 'database'))
        : openPostgres({ url: world.databaseUrl })
    await database.run({ text: 'checkpoint' })
  })

  afterAll(async () => {
    await database?.close()
    await world?.stop()
    await collector?.receiver.close()
    await server?.stop()
  })

  const inText = (place: string, text: string) => [
    ...found(needles, place, text),
    ...(codeBesideName.test(text) ? [`a security code or a PIN in ${place}`] : []),
  ]

  it('answers, pages and metrics hold none', () => {
    expect(answers.join('\n')).toContain(marker)
    expect(answers.flatMap((answer, index) => inText(`answer ${index}: ${answer}`, answer))).toEqual([])
  })

  it('callbacks hold none', () => {
    const bodies = world.receiver.received().map(({ body, path }) => `${path} ${body}`)
    expect(bodies.join('\n')).toContain(marker)
    expect(bodies.flatMap((body) => inText(`callback ${body}`, body))).toEqual([])
    const values = bodies.flatMap((body) => valuesIn(body.slice(body.indexOf(' ') + 1)))
    for (const code of [vcode, vcodeOfAmex]) expect(values).not.toContain(code)
  })

  it('logs hold none, at their most talkative', () => {
    // The start prints the demo world's keys (CONTRACT section 1); the log is JSON.
    const lines = world
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(lines.join('\n')).toContain('comporta is ready')
    expect(lines.flatMap((line) => inText(`log line ${line}`, line))).toEqual([])
    if (kind === 'postgres') expect(lines.join('\n')).toContain('connection')
  })

  it('spans and metrics hold none', () => {
    expect(collector.spans().length).toBeGreaterThan(100)
    expect(collector.texts().flatMap((text) => inText('the data of the collector', text))).toEqual([])
  })

  it('rows hold none', async () => {
    const rows = await rowsOf(database)
    const tables = [...new Set(rows.filter(({ text }) => text.includes(marker)).map(({ table }) => table))]
    expect(tables).toEqual(expect.arrayContaining(['operations', 'events', 'request_log']))
    expect(rows.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['backoffice.sessions', 'deliveries']),
    )
    expect(rows.length).toBeGreaterThan(300)
    expect(rows.flatMap(({ table, text }) => inText(`${table}: ${text}`, text))).toEqual([])
    const secretValues = new Set([vcode, vcodeOfAmex, ...pins])
    const ours = rows.flatMap(({ table, values }) => values.map((value) => [table, value] as const))
    expect(ours.filter(([, value]) => secretValues.has(value))).toEqual([])
  })

  it('files hold none, but for demo.json', () => {
    const allowed = [join(world.dataDir, 'demo.json')]
    let bytes = 0
    const files = [...filesUnder(world.dataDir), ...(server ? filesUnder(server.dataFolder) : [])]
    const marked = files.filter(([, content]) => content.includes(marker)).map(([path]) => path)
    const findings = files.flatMap(([path, content]) => {
      bytes += content.length
      return allowed.includes(path) ? [] : found(needles, path, content)
    })
    expect(findings).toEqual([])
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(marked.some((path) => path.includes('pg_wal'))).toBe(true)
    expect(marked.some((path) => path.includes('base'))).toBe(true)
    const [demo] = allowed as [string]
    expect(found(needles, demo, readFileSync(demo)).length).toBeGreaterThan(8)
  })

  it.runIf(kind === 'postgres')('no statement was given one, a security code or a PIN', () => {
    if (server === undefined) throw new Error('this PostgreSQL was not started by the test')
    const log = [...filesUnder(join(server.dataFolder, 'log'))]
      .map(([, content]) => content.toString())
      .join('\n')
    const parameters = [...log.matchAll(/\$\d+ = '((?:[^']|'')*)'/g)].flatMap(([, value]) =>
      valuesSent(value),
    )
    expect(parameters).toContain(marker)
    expect(inText('the log of statements', log)).toEqual([])
    const literals = [...log.matchAll(/'(\d{3,8})'/g)].map(([, digits]) => digits)
    const given = new Set([...parameters, ...literals])
    expect([vcode, vcodeOfAmex, ...pins].filter((secret) => given.has(secret))).toEqual([])
  })
})

/** Values of a logged parameter. Elements of an array are separate. */
function valuesSent(literal = ''): string[] {
  if (!literal.startsWith('{') || isJson(literal)) return valuesIn(literal)
  const elements = [...literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/g)]
  return elements.flatMap(([plain, quoted]) => valuesIn(quoted?.replace(/\\(.)/g, '$1') ?? plain))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
