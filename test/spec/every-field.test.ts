// Rules for fields of one kind, on every public route.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'
import { type Operation, type ReferenceDocument, readDocument } from './reference/document.ts'
import { type SentExample, sendExamples } from './reference/examples.ts'

/** Path of a field in a body: `payment`, `split`, 0, `amount`. */
type Path = readonly (string | 0)[]

interface Field {
  readonly operation: Operation
  readonly path: Path
  readonly schema: Json
  readonly isRequired: boolean
}

let world: World
let document: ReferenceDocument
let sent: ReadonlyMap<string, SentExample>
let fields: readonly Field[]
/** A payment without a split. */
let splittable: Readonly<Record<string, string>>
/** Replacement of missing example objects, by name. */
let standIns: Readonly<Record<string, Json>>

beforeAll(async () => {
  world = await openWorld()
  document = await readDocument(world)
  sent = await sendExamples(world, document)
  await world.shop.post('/api/v2/customers', {})
  const paid = await payByToken(world, await storeCard(world, cards.frictionless.number))
  splittable = { id: paid.id }
  fields = document.operations.flatMap((operation) => {
    const media = operation.described.requestBody?.content['application/json']
    return media === undefined ? [] : [...fieldsIn(operation, document.schema(media.schema), [])]
  })
  const today = await subscribersOf(world).today()
  standIns = {
    authorization: { amount: 10, currency: 'EUR' },
    subscription: { amount: 10, currency: 'EUR', frequency: 1, period: 'MONTH', start_date: today },
    items: [{ name: 'Tea' }],
    auto_charge: { amount: 5 },
    split: [{ merchant_wallet: world.merchant('Sub Shop A').public_id }],
    client: { name: 'Ana' },
    address: { city: 'Lisboa', country: 'PT', postalcode: '1000-001' },
  }
})
afterAll(() => world.stop())

function* fieldsIn(operation: Operation, schema: Json, path: Path): Generator<Field> {
  for (const branch of schema.anyOf ?? []) yield* fieldsIn(operation, branch, path)
  if (schema.items !== undefined) yield* fieldsIn(operation, schema.items, [...path, 0])
  for (const [name, property] of Object.entries<Json>(schema.properties ?? {})) {
    const here = [...path, name]
    const isRequired = schema.required?.includes(name) === true
    yield { operation, path: here, schema: property, isRequired }
    yield* fieldsIn(operation, property, here)
  }
}

const nameOf = ({ operation, path }: Field) =>
  `${operation.operationId} ${path.join('.').replaceAll('.0', '[0]')}`
const inReasons = ({ path }: Field) => path.join('.').replaceAll('.0', '[0]')

/** Fields that exclude each other. */
const excluded: Readonly<Record<string, readonly string[]>> = {
  authorization: ['payment'],
  subscription: ['payment'],
  amount_min: ['amount'],
  amount_max: ['amount'],
  newCardSecure: ['newCard'],
  card: ['newCard'],
}

/** The example with `value` in the field, as JSON. Undefined removes the field. */
function bodyWith({ operation, path }: Field, value: unknown): string {
  const body: Json = structuredClone(operation.described.requestBody.content['application/json'].example)
  for (const name of excluded[String(path[0])] ?? []) delete body[name]
  if (operation.operationId === 'createMobilePayment') body.mbway = { phone: newPhone(world).number }
  if (path[0] === 'amount_min') body.amount_max = 99
  if (path[0] === 'amount_max') body.amount_min = 1
  if (operation.operationId === 'splitOperation') {
    body.dry_run = true
    if (path[2] === 'amount') delete body.split[0].amount_fraction
  }
  if (body.request_id !== undefined) body.request_id = randomUUID()
  let place = body
  for (const step of path.slice(0, -1)) {
    place[step] ??= structuredClone(standIns[step] ?? {})
    place = place[step]
  }
  place[path.at(-1) as string] = value
  return JSON.stringify(body)
}

function sentPath({ operationId, path }: Operation): string {
  const known = operationId === 'splitOperation' ? splittable : (sent.get(operationId)?.path ?? {})
  return path.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? '')
}

function send({ operation }: Pick<Field, 'operation'>, body: string): Promise<Answer> {
  return world.request(sentPath(operation), {
    method: operation.method.toUpperCase(),
    headers: {
      authorization: `Comporta ${world.shop.api_key}`,
      'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
      'content-type': 'application/json',
    },
    body,
  })
}

const isAmount = ({ schema, path }: Field) =>
  /(^|_)(amount|fixed|limit|minimum|keep)($|_)/.test(String(path.at(-1))) &&
  JSON.stringify(schema).includes('"number"')
const isPrice = ({ path }: Field) => path.includes('items')

describe('amounts', () => {
  const noisy = ['10.299999999999999', '24.600000000000001', '19.990000000000002', '9.9999999', '10.000001']
  const wrong = ['10.299', '10.2999', '10.0000011']

  const ofItsForm = / must (be a number|have at most)/

  /** `literal` unchanged, because no JavaScript number can hold it. */
  const withLiteral = (field: Field, literal: string) =>
    bodyWith(field, '#literal#').replace('"#literal#"', literal)

  it('within 0.000001 of a whole cent are that cent, as numbers and as text', async () => {
    const amounts = fields.filter(isAmount)
    expect(amounts.length).toBeGreaterThan(30)
    const refused: string[] = []
    for (const field of amounts)
      for (const literal of noisy.flatMap((number) => [number, `"${number}"`])) {
        const { status, body } = await send(field, withLiteral(field, literal))
        if (status >= 500 || ofItsForm.test(body.reason ?? ''))
          refused.push(`${nameOf(field)} ${literal}: ${body.reason}`)
      }
    expect(refused).toEqual([])
  })

  it('with more decimals are refused; prices of items may have them', async () => {
    const taken: string[] = []
    for (const field of fields.filter(isAmount))
      for (const literal of wrong.flatMap((number) => [number, `"${number}"`])) {
        const { status, body } = await send(field, withLiteral(field, literal))
        const reason = `${inReasons(field)} must have at most 2 decimals`
        const isRight = isPrice(field) ? status !== 400 : body.reason === reason
        if (!isRight) taken.push(`${nameOf(field)} ${literal}: ${status} ${body.reason}`)
      }
    expect(taken).toEqual([])
  })

  it('are in EUR: another currency next to any of them is refused by its name', async () => {
    const taken: string[] = []
    const beside = (field: Field) => ({ ...field, path: [...field.path.slice(0, -1), 'currency'] })
    const places = new Map(
      fields.filter(isAmount).map((field) => [nameOf(beside(field)), beside(field)] as const),
    )
    expect(places.size).toBeGreaterThan(15)
    for (const place of places.values()) {
      for (const currency of ['USD', 'usd', 'EURO']) {
        const { status, body } = await send(place, bodyWith(place, currency))
        if (status !== 400 || body.reason !== `${inReasons(place)} must be EUR`)
          taken.push(`${nameOf(place)} ${currency}: ${status} ${body.reason}`)
      }
      for (const euro of ['EUR', 'eur']) {
        const { body } = await send(place, bodyWith(place, euro))
        if (/currency/.test(body?.reason ?? '')) taken.push(`${nameOf(place)} ${euro}: ${body.reason}`)
      }
    }
    expect(taken).toEqual([])
  })
})

it('an optional object that is [], {} or null is as if it were left out', async () => {
  const objects = fields.filter(({ schema, isRequired }) => !isRequired && schema.type === 'object')
  expect(objects.length).toBeGreaterThan(20)
  const different: string[] = []
  for (const field of objects) {
    const without = await send(field, bodyWith(field, undefined))
    for (const empty of [[], {}, null]) {
      const { status, body } = await send(field, bodyWith(field, empty))
      if (status !== without.status || body.reason !== without.body.reason)
        different.push(`${nameOf(field)} ${JSON.stringify(empty)}: ${status} ${body.reason}`)
    }
  }
  expect(different).toEqual([])
})

describe('addresses', () => {
  const parts = ['address', 'city', 'country', 'postalcode']
  const isPart = ({ path }: Field) => path.at(-2) === 'address' && parts.includes(String(path.at(-1)))

  it('may lack any part, and a part that does not fit is left out with a warning', async () => {
    const inAddresses = fields.filter(isPart)
    expect(inAddresses.length).toBeGreaterThan(30)
    const unfit = { country: ['Portugal', 'XX', 'PRT', 7], postalcode: ['x'.repeat(21)] }
    const wrong: string[] = []
    for (const field of inAddresses) {
      const { [String(field.path.at(-1))]: own = ['x'.repeat(256), 5] }: Record<string, unknown[]> = unfit
      const proper = await send(field, bodyWith(field, undefined))
      for (const value of [undefined, null, '', ...own, true, { a: 1 }, ['x']]) {
        const { status, headers, body } = await send(field, bodyWith(field, value))
        const isTold = headers.get('warning')?.includes(`${inReasons(field)} is ignored`) === true
        const isRight = status === proper.status && body.reason === proper.body.reason
        if (!isRight || isTold !== (value !== undefined && value !== null && value !== ''))
          wrong.push(
            `${nameOf(field)} ${JSON.stringify(value)}: ${status} ${body.reason} ${headers.get('warning')}`,
          )
      }
    }
    expect(wrong).toEqual([])
  })
})

it('a limit above the most is the most, with a warning', async () => {
  const lists = document.operations.filter(({ described }) =>
    described.parameters?.some(({ name, in: place }: Json) => name === 'limit' && place === 'query'),
  )
  expect(lists.length).toBeGreaterThan(8)
  for (const operation of lists) {
    const { operationId } = operation
    const at = sentPath(operation)
    for (const limit of ['101', '1000', '99999999999999999999']) {
      const { status, headers } = await world.shop.get(`${at}?limit=${limit}`)
      expect([operationId, limit, status, headers.get('warning')]).toEqual([
        operationId,
        limit,
        200,
        expect.stringMatching(/^299 - "limit is lowered to (30|100), the maximum"$/),
      ])
    }
    const { status } = await world.shop.get(`${at}?limit=0`)
    expect([operationId, status]).toEqual([operationId, 400])
  }
})

it('a page after the last one says that offset counts pages', async () => {
  const lists = document.operations.filter(({ described }) =>
    described.parameters?.some(({ name }: Json) => name === 'offset'),
  )
  expect(lists.length).toBeGreaterThan(6)
  for (const operation of lists) {
    const { operationId } = operation
    const ask = (query: string) => world.shop.get(`${sentPath(operation)}?${query}`)
    const { total } = (await ask('offset=0')).body
    expect([operationId, total]).toEqual([operationId, expect.toSatisfy((count: number) => count > 0)])
    const { status, headers, body } = await ask('offset=600&limit=2')
    expect([operationId, status, body, headers.get('warning')]).toEqual([
      operationId,
      200,
      { total, elements: [] },
      `299 - "offset counts pages, not records: page 600 is empty, the last of ${total} records is on page ${Math.ceil(total / 2) - 1}"`,
    ])
    const last = await ask(`offset=${total - 1}&limit=1`)
    expect([operationId, last.body.elements.length, last.headers.get('warning')]).toEqual([
      operationId,
      1,
      null,
    ])
  }
})

it('a phone with marks that nobody sees is the phone', async () => {
  const phones = fields.filter(({ path }) => path.at(-1) === 'phone')
  expect(phones.length).toBeGreaterThan(10)
  const different: string[] = []
  for (const field of phones) {
    const { number } = newPhone(world)
    const marked = `\u202a${number.slice(0, 9)}\u00ad${number.slice(9)}\u200b\ufe0d\u202c`
    const body = JSON.stringify({ ...JSON.parse(bodyWith(field, number)), request_id: randomUUID() })
    const proper = await send(field, body)
    const pasted = await send(field, body.replace(number, marked))
    if (pasted.status !== proper.status || pasted.body.reason !== proper.body.reason)
      different.push(`${nameOf(field)}: ${proper.status} ${pasted.status} ${pasted.body.reason}`)
  }
  expect(different).toEqual([])
})

it('every reason has at most 200 characters, and none is cut', async () => {
  const long = 'x'.repeat(3000)
  const wrong = [{}, [], [long], { [long]: long }, long, '', -1, 1e300, true, null, '4176 6600 0000 0027']
  const found: string[] = []
  const look = (name: string, { status, body }: Answer) => {
    if (status >= 500 || body?.reason?.length > 200 || body?.reason?.endsWith('…') === true)
      found.push(`${name}: ${status} ${body?.reason}`)
  }
  for (const field of fields)
    for (const value of wrong) look(nameOf(field), await send(field, bodyWith(field, value)))
  for (const operation of document.operations) {
    const { described, operationId, method } = operation
    if (operationId === 'listenToCallbacks') continue
    const path = operation.path.replace(/\{\w+\}/g, long.slice(0, 150))
    look(
      operationId,
      await world.request(path, { method, headers: { authorization: `Comporta ${world.shop.api_key}` } }),
    )
    for (const { name, in: place } of described.parameters ?? [])
      if (place === 'query' && method === 'get')
        look(`${operationId} ${name}`, await world.shop.get(`${sentPath(operation)}?${name}=${long}`))
  }
  expect(found).toEqual([])
})
