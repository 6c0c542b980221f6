// Requests to a route: valid, nearly valid, and hostile.
import fc from 'fast-check'
import type { RawRequest } from './client.ts'
import type { Route } from './gateway.ts'
import type { Caller, Known } from './known.ts'
import { anEdit, edited, type Schema, validFor } from './schema-values.ts'
import { jsonOf, oddBody, oddText } from './values.ts'

export interface Planned extends RawRequest {
  readonly caller: Caller
}

/** Form fields of pages, which have no schema. */
const formFields: Readonly<Record<string, readonly string[]>> = {
  ...{
    number: ['4176660000000027', '4176660000000092'],
    expiry: ['12 / 30'],
    vcode: ['123'],
    name: ['Ana Silva'],
  },
  ...{
    otp: ['0101'],
    cancel: ['1'],
    phone: ['{{phone}}', '911000001'],
    email: ['{{email}}'],
    pin: ['{{pin}}', '0000'],
  },
  ...{
    iban: ['PT50000201231234567890154'],
    amount: ['10.00', '0.01', '14,50'],
    accept: ['yes'],
    action: ['approve', 'refuse'],
  },
  ...{
    entity: ['{{own.entity}}'],
    reference: ['{{own.reference}}'],
    session: ['{{uuid}}'],
    operation: ['{{own.operation}}'],
  },
  ...{
    order: ['{{uuid}}'],
    lang: ['pt', 'en'],
    method: ['CC', 'MB'],
    plan: ['monthly'],
    mug: ['1'],
    tshirt: ['2'],
    attempt: ['{{uuid}}'],
  },
  ...{
    callback_url: ['https://shop.example/callbacks'],
    amount_limit: ['100.00'],
    expiry_date: ['2030-01-31'],
    state: ['x'],
  },
  ...{
    creq: ['eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IngifQ'],
    cres: ['e30'],
    threeDSMethodData: ['e30'],
    threeDSSessionData: ['e30'],
  },
  ...{
    to: ['{{own.iban}}'],
    description: ['{{uuid}}'],
    balance: ['10.00'],
    street: ['Rua A 1'],
    postal_code: ['1000-001'],
    city: ['Lisboa'],
  },
}
const forms: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(formFields).map(([name, values]) => [name, { enum: values }]),
  ),
}

/** Small jumps of the sandbox's clock, because a year of timers takes long. */
const clockBody: Schema = { type: 'object', properties: { advance: { enum: ['PT1S', 'PT1M', 'P1D'] } } }
/** Short faults only. */
const chaosBody: Schema = {
  type: 'object',
  properties: {
    rail: { enum: ['acquirer', 'issuer', 'mobile_wallet', 'callbacks'] },
    trouble: { enum: ['slow', 'silent', 'down', 'error'] },
    ...{
      seconds: { enum: [1] },
      status: { enum: [500, 503] },
      wallet_id: { enum: [1001] },
      calls: { enum: [1] },
    },
  },
}

const namedBy: readonly (readonly [string, readonly string[]])[] = [
  ['/operator/merchants', ['wallet']],
  ['payment_links', ['link']],
  ['authorizations', ['authorization', 'operation']],
  ['requests', ['request', 'tid']],
  ['subscription', ['subscription']],
  ['mandate', ['mandate']],
  ['checkout', ['checkout', 'paid']],
  ['secure', ['secure']],
  ['members', ['member']],
  ['events', ['event']],
  ['', ['operation', 'authorization', 'checkout', 'event']],
]

export function kindsOf(url: string, name: string): readonly string[] {
  if (name === 'walletId') return ['wallet']
  if (name === 'day' || name === 'phone' || name === 'email') return [name]
  if (name !== 'id') return [name]
  return namedBy.find(([word]) => url.toLowerCase().includes(word))?.[1] ?? []
}

function partFor(url: string, name: string): fc.Arbitrary<string> {
  const kinds = fc.constantFrom(...kindsOf(url, name))
  return fc.oneof(
    { weight: 14, arbitrary: kinds.map((kind) => `{{own.${kind}}}`) },
    { weight: 2, arbitrary: kinds.map((kind) => `{{other.${kind}}}`) },
    { weight: 1, arbitrary: fc.constant('{{uuid}}') },
    { weight: 3, arbitrary: oddText.map(encoded) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%ff', '%00', '..%2f..', '%e0%80%80', '.', '..', '%2e%2e', ''),
    },
  )
}

function pathFor({ url }: Route): fc.Arbitrary<string> {
  const parts = url.split('/').map((part) => {
    if (part === '*')
      return fc.oneof(
        fc.constantFrom('', 'index.html', 'checkout', '404.html', 'assets/x.js'),
        oddText.map(encoded),
        fc.constantFrom(
          '%ff',
          '..%2f..%2fpackage.json',
          '%2e%2e/%2e%2e/package.json',
          '../../package.json',
          'a'.repeat(3000),
        ),
      )
    if (!part.includes(':')) return fc.constant(part)
    return partFor(url, part.replace(/^.*?:(\w+).*$/, '$1')).map((value) => part.replace(/:\w+/, value))
  })
  return fc.tuple(...parts).map((made) => made.join('/') || '/')
}

function queryFor({ querystring, url }: Route): fc.Arbitrary<string> {
  const schema: Schema =
    querystring ?? (url.startsWith('/sandbox') || url.startsWith('/checkout') ? forms : undefined)
  if (schema === undefined)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: oddText.map((text) => `?${encoded(text)}`) },
    )
  const right = validFor(schema).map((value) => value as Record<string, unknown>)
  const wrong = fc.tuple(right, fc.constantFrom(...Object.keys(schema.properties ?? { a: 1 })), oddText)
  return fc.oneof(
    right.map(queryOf),
    wrong.map(([value, name, text]) => queryOf({ ...value, [name]: text })),
    wrong.map(([value, name, text]) => `${queryOf(value)}&${name}=${encoded(text)}&${name}=1&${name}[]=2`),
    fc.constantFrom('?', '?&&&', '?=', '?%ff=%ff', '?__proto__=1&constructor=2', `?${'a=1&'.repeat(3000)}`),
  )
}

const queryOf = (value: object) =>
  `?${Object.entries(value)
    .map(([name, member]) => `${name}=${encoded(String(member))}`)
    .join('&')}`

/** Percent-encoded, half pairs too; placeholders stay. */
function encoded(text: string): string {
  return text
    .split(/(\{\{[\w.]+\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
    .join('')
}

interface Body {
  readonly text: string
  readonly type: string
}

function bodyFor({ body, example, page, url, method }: Route): fc.Arbitrary<Body | undefined> {
  if (method === 'GET')
    return fc.oneof(
      { weight: 15, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: oddBody.map(asJson) },
    )
  const schema: Schema = body?.properties === undefined && body?.anyOf === undefined ? schemaOf(url) : body
  const right = example === undefined ? validFor(schema) : fc.oneof(fc.constant(example), validFor(schema))
  const write = page ? asForm : (value: unknown) => asJson(jsonOf(value))
  const almost = fc.tuple(right, anEdit).map(([value, edit]) => edited(value, edit))
  return fc.oneof(
    { weight: 6, arbitrary: right.map(write) },
    { weight: 10, arbitrary: almost.map(write) },
    { weight: 2, arbitrary: oddBody.map(asJson) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(right, oddBody)
        .map(([value, text]) => ({ text: text + jsonOf(value), type: 'application/json' })),
    },
    { weight: 2, arbitrary: fc.tuple(right.map(write), oddType).map(([one, type]) => ({ ...one, type })) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

function schemaOf(url: string): Schema {
  if (url.includes('/clock')) return clockBody
  return url.includes('/chaos') ? chaosBody : forms
}

const asJson = (text: string): Body => ({ text, type: 'application/json' })

function asForm(value: unknown): Body {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value]]
  const text = fields.map(
    ([name, field]) =>
      `${encoded(String(name))}=${encoded(typeof field === 'string' ? field : jsonOf(field))}`,
  )
  return { text: text.join('&'), type: 'application/x-www-form-urlencoded' }
}

const oddType = fc.constantFrom(
  ...[
    'application/json; charset=utf-16',
    'application/json;charset=',
    'application/x-www-form-urlencoded',
    'text/plain',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/json, text/plain',
    '',
    '/',
    'application/xml',
    'x'.repeat(500),
  ],
)

const oddHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...[
          'accept',
          'accept-language',
          'user-agent',
          'origin',
          'referer',
          'cookie',
          'x-request-id',
          'if-none-match',
          'range',
        ],
        ...[
          'x-forwarded-for',
          'x-forwarded-host',
          'x-http-method-override',
          'content-encoding',
          'host',
          'traceparent',
          'idempotency-key',
        ],
        ...[
          'if-modified-since',
          'last-event-id',
          'expect',
          'authorization',
          'proxy-authorization',
          'x-csrf-token',
          'webhook-id',
        ],
      ),
      oddText,
    )
    // Broken lines are tested below.
    .map(([name, value]) => [name, value.replace(/[\r\n\0]/g, '').slice(0, 9000)] as const),
  fc.constantFrom<readonly [string, string]>(
    ...([
      ['x-a', 'b\r\nx-fuzz: 1'],
      ['x-a', '\0'],
      ['a b', 'c'],
      ['', 'x'],
      ['x-long', 'a'.repeat(20_000)],
    ] as const),
    ...([
      ['transfer-encoding', 'identity'],
      ['content-length', '-1'],
      ['content-length', '1e3'],
      ['upgrade', 'h2c'],
    ] as const),
    ...([
      ['authorization', 'Comporta'],
      ['authorization', 'Basic eDp5'],
      ['authorization', `Comporta ${'k'.repeat(5000)}`],
    ] as const),
  ),
)

const framings = ['chunked', 'broken chunks', 'too short', 'both', 'none'] as const
const oddMethods = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'QUERY',
  'A'.repeat(200),
]

export function requestTo(route: Route): fc.Arbitrary<Planned> {
  const usually = <T>(value: T, otherwise: fc.Arbitrary<T>, weight = 20) =>
    fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: otherwise })
  return fc
    .record({
      path: pathFor(route),
      query: queryFor(route),
      body: bodyFor(route),
      caller: callerFor(route),
      more: usually<readonly (readonly [string, string])[]>(
        [],
        fc.array(oddHeader, { minLength: 1, maxLength: 2 }),
        6,
      ),
      method: usually(route.method, fc.constantFrom(...oddMethods)),
      framing: usually<RawRequest['framing']>('length', fc.constantFrom(...framings)),
    })
    .map(({ path, query, body, caller, more, method, framing }) => ({
      method,
      target: path + query,
      caller,
      framing,
      body: body?.text,
      headers: [...(body === undefined ? [] : [['content-type', body.type] as const]), ...more],
    }))
}

function callerFor({ url, isOpen, page }: Route): fc.Arbitrary<Caller> {
  if (url.startsWith('/backoffice/api/operator'))
    return fc.constantFrom('operator', 'operator', 'operator', 'person', 'nobody')
  if (url.startsWith('/backoffice'))
    return fc.constantFrom('person', 'person', 'person', 'person', 'reader', 'operator', 'key', 'nobody')
  if (isOpen || page) return fc.constantFrom('nobody', 'nobody', 'nobody', 'key', 'person')
  return fc.constantFrom('key', 'key', 'key', 'key', 'key', 'other key', 'nobody')
}

/** The request as it is sent. @param made what `{{made}}` stands for */
export function filledIn(planned: Planned, known: Known, made?: string): RawRequest {
  const fill = (text: string) =>
    text.replace(
      /\{\{([\w.]+)\}\}/g,
      (whole, name) => (name === 'made' ? made : known.valueOf(name)) ?? whole,
    )
  const said = new Set(planned.headers.map(([name]) => name))
  const own = known.headersOf(planned.caller).filter(([name]) => !said.has(name))
  return {
    ...planned,
    target: fill(planned.target).replace(/[ \r\n\0]/g, '%20'),
    headers: [...own, ...planned.headers],
    ...(planned.body === undefined ? {} : { body: fill(planned.body) }),
  }
}

export function wellMeant(route: Route): fc.Arbitrary<Planned> {
  const right = route.example === undefined ? validFor(route.body ?? forms) : fc.constant(route.example)
  return right.map((value) => ({
    method: route.method,
    target: route.url,
    caller: 'key',
    headers: [['content-type', 'application/json']],
    body: jsonOf(value),
  }))
}
