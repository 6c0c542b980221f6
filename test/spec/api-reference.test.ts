// The API reference: complete and true.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { pythonWithSchemathesis, runSchemathesis } from '../verification/fuzz/schemathesis.ts'
import type { Json, World } from '../world.ts'
import { causeCallbacks, webhookOf } from './reference/callbacks.ts'
import {
  differences,
  fieldsOf,
  lackingIn,
  type ReferenceDocument,
  readDocument,
  undescribed,
} from './reference/document.ts'
import { type SentExample, sendExamples } from './reference/examples.ts'

const python = pythonWithSchemathesis()

let world: World
let document: ReferenceDocument
let sent: ReadonlyMap<string, SentExample> = new Map()

beforeAll(async () => {
  world = await openWorld()
  document = await readDocument(world)
})
afterAll(() => world.stop())

it('names, describes and shows by an example every operation, its errors and every property', () => {
  expect(document.operations.length).toBeGreaterThan(45)
  expect(document.operations.flatMap((operation) => lackingIn(document, operation))).toEqual([])
  const ids = document.operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('describes every schema that has a name, and every property of the callbacks', () => {
  const { schemas } = document.json.components
  const bare = Object.keys(schemas).filter((name) => !schemas[name].description)
  expect(bare).toEqual([])
  for (const name of Object.keys(schemas))
    expect([name, undescribed(document.schema(schemas[name]), '')]).toEqual([name, []])
})

/** Gaps in a schema: types of enumerations, texts and example values. */
function missingOf({ enum: list, const: word, type, properties = {} }: Json): string[] {
  const words = Array.isArray(list) ? list : word === undefined ? [] : [word]
  const isTyped = words.length === 0 || (typeof type === 'string' && !words.includes(null))
  const bare = Object.entries<Json>(properties).flatMap(([name, property]) => {
    const isWhole = property.$ref !== undefined || ['object', 'array'].includes(property.type)
    return [
      ...(property.description ? [] : [`${name} has no description`]),
      ...(isWhole || property.examples?.length > 0 ? [] : [`${name} has no example`]),
    ]
  })
  return isTyped ? bare : [...bare, 'the enumeration has no type']
}

it('describes every property with an example, and gives each enumeration a type', () => {
  const missing: string[] = []
  const visit = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    missing.push(...missingOf(value).map((what) => `${path}: ${what}`))
    for (const [key, member] of Object.entries(value))
      if (!['example', 'examples', 'default'].includes(key)) visit(member, `${path}/${key}`)
  }
  visit(document.json, '')
  expect(missing).toEqual([])
})

it('shows no value that its own schema refuses', () => {
  const wrong = Object.entries<Json>(document.json.components.schemas).flatMap(([title, { properties }]) =>
    Object.entries<Json>(properties ?? {}).flatMap(([name, property]) =>
      (property.examples ?? []).flatMap((example: Json) =>
        differences(document, property, example).map((problem) => `${title}.${name}: ${problem}`),
      ),
    ),
  )
  expect(wrong).toEqual([])
})

it('is there in OpenAPI 3.0 as well, without what that version does not have', async () => {
  const { body, text } = await world.request('/openapi-3.0.json')
  expect(body.openapi).toBe('3.0.3')
  expect(Object.keys(body.paths)).toEqual(Object.keys(document.json.paths))
  expect(Object.keys(body.components.schemas).sort()).toEqual(
    Object.keys(document.json.components.schemas).sort(),
  )
  for (const newer of ['"webhooks":', '"type":[', '"type":"null"', '"const":', '"identifier":'])
    expect([newer, text.includes(newer)]).toEqual([newer, false])
  const { CheckoutPaymentRequest, OperationCallback, Error: error } = body.components.schemas
  expect(CheckoutPaymentRequest.properties.amount).toMatchObject({
    type: 'number',
    format: 'double',
    example: 10.5,
  })
  expect(CheckoutPaymentRequest.properties.notes).toMatchObject({ type: 'string', nullable: true })
  expect(OperationCallback.properties.method).toMatchObject({
    nullable: true,
    allOf: [{ $ref: expect.any(String) }],
  })
  expect(error.properties.code.example).toBe(10002)
})

it('names the body that is required, and the codes for wrong amounts', () => {
  const described = (id: string) =>
    document.operations.find(({ operationId }) => operationId === id)?.described as Json
  for (const [id, field] of [
    ['createPayout', 'amount'],
    ['splitOperation', 'split'],
  ] as const) {
    const { required, content } = described(id).requestBody
    expect([id, required, document.schema(content['application/json'].schema).required]).toEqual([
      id,
      true,
      [field],
    ])
  }
  for (const id of ['createCardPayment', 'createCardAuthorization', 'createMobilePayment'])
    for (const [status, code] of [
      [400, 40009],
      [400, 40012],
      [404, 10004],
    ] as const)
      expect([id, described(id).responses[status].description]).toEqual([
        id,
        expect.stringContaining(String(code)),
      ])
})

it('shows nothing of the keywords that only our own code reads', () => {
  expect(document.text).not.toMatch(/"x-(read-as|else-at|also-as|documented|here|card-data|absent)/)
})

it('answers every example request as it says, with the fields of the example answer', async () => {
  sent = await sendExamples(world, document)
  expect([...sent.keys()].sort()).toEqual(document.operations.map(({ operationId }) => operationId).sort())
  const wrong = document.operations.flatMap(({ operationId, described }) => {
    const answer = sent.get(operationId)?.answer
    if (answer?.status !== 200) return [`${operationId}: ${answer?.status} ${answer?.text}`]
    const media = described.responses['200'].content?.['application/json']
    if (media === undefined) return []
    const problems = differences(document, media.schema, answer.body)
    const [shown, seen] = [fieldsOf(media.example), fieldsOf(answer.body)]
    const isList = ['/elements', '/events', '/callbacks', '/requests'].some((field) => seen.includes(field))
    const changed = isList
      ? []
      : [
          ...seen.filter((field) => !shown.includes(field)).map((field) => `+${field}`),
          ...shown.filter((field) => !seen.includes(field)).map((field) => `-${field}`),
        ]
    return [...problems, ...changed].map((problem) => `${operationId}: ${problem}`)
  })
  expect(wrong).toEqual([])
})

it('sends every callback of the reference, each with the fields of its example', async () => {
  await causeCallbacks(world)
  const received = () => world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
  const { webhooks } = document.json
  const mediaOf = (name: string) => webhooks[name].post.requestBody.content['application/json']
  const examples = Object.keys(webhooks).flatMap((name) =>
    Object.values<Json>(mediaOf(name).examples).map(({ value }) => ({ name, value })),
  )
  const words = ({ event, type, user_error }: Json) => [event, type, user_error]
  const missing = () =>
    examples.filter(
      ({ name, value }) =>
        !received().some(
          (body) =>
            webhookOf(body) === name &&
            isDeepStrictEqual([words(body), fieldsOf(body)], [words(value), fieldsOf(value)]),
        ),
    )
  await expect.poll(missing).toEqual([])
  const wrong = received().flatMap((body) => differences(document, mediaOf(webhookOf(body)).schema, body))
  expect(wrong).toEqual([])
})

it('shows the keys of the demo shop only on this machine', async () => {
  const page = async (headers: Record<string, string> = {}) =>
    (await world.request('/docs/api/', { headers })).text
  expect(await page()).toContain(world.shop.api_key)
  expect(await page({ 'x-forwarded-for': '203.0.113.7' })).not.toContain(world.shop.api_key)
  expect(document.text).not.toContain(world.shop.api_key)
})

// One in seven operations with a body is tested at the edges of its schema, the others with their examples
// (docs/inside/toolchain.md).
const bodiesPerEdges = 7

// Not tested: full acceptance (rules between fields are only in descriptions) and full refusal (other spellings are
// accepted: docs/compatibility.md).
const checksLeftOut = 'positive_data_acceptance,negative_data_rejection'

it.runIf(python)('says every status, code, header and body that a fuzzer gets', async () => {
  const { api_key: apiKey, esb_token: esbToken } = world.shop
  const paths = new Map([...sent].map(([operationId, { path }]) => [operationId, path]))
  const withBody = document.operations.filter(({ described }) => described.requestBody !== undefined)
  const withoutEdges = new Set(
    withBody.filter((_, index) => index % bodiesPerEdges !== 0).map(({ operationId }) => operationId),
  )
  const { output } = await runSchemathesis(
    python ?? '',
    { baseUrl: world.baseUrl, apiKey, esbToken, paths, withoutEdges },
    [...['--phases', 'examples,coverage', '--generation-deterministic', '--exclude-checks', checksLeftOut]],
  )
  const failures = output.indexOf('= FAILURES =')
  expect(failures < 0 ? '' : output.slice(failures, failures + 5000)).toBe('')
  expect(output).toContain(`Tested: ${document.operations.length}`)
})
