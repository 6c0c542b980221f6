// A settlement is in the trace of its request, or else in the trace of its operation.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SpanFacts, type SpanOptions, startTracing, type Tracing } from '../../src/kernel/tracing.ts'
import type { Operation } from '../../src/operations/index.ts'
import type { SettleAndAnswer } from '../../src/operations/settle/model.ts'
import { createSettle } from '../../src/operations/settle/settle.ts'
import { statement } from '../../src/storage/index.ts'
import { openSettleWorld, type SettleWorld } from './settle-world.ts'

interface Noted extends SpanOptions {
  readonly name: string
  readonly noted: SpanFacts[]
}

const spans: Noted[] = []
/** The current `traceparent`; a span inside it gets one that ends in its number. */
const current = new AsyncLocalStorage<string>()
const traceparent = (span: number) => `00-${'1'.repeat(32)}-${String(span).padStart(16, '0')}-01`

/** Notes each span with its `traceparent`. */
const tracing: Pick<Tracing, 'span' | 'traceparent'> = {
  traceparent: () => current.getStore(),
  span(name, options, work) {
    const noted: SpanFacts[] = []
    const number = spans.push({ name, noted, ...options })
    const note = (facts: SpanFacts) => void noted.push(facts)
    const span = { run: (inner: () => never) => inner(), note, end() {} }
    return current.run(traceparent(number), () => work(span as Parameters<typeof work>[0]))
  },
}

let world: SettleWorld
let settle: SettleAndAnswer
beforeAll(async () => {
  world = await openSettleWorld()
})
afterAll(() => {
  startTracing(undefined)
  return world.close()
})

const selectTraces = statement<{ traceparent: string | null }>(
  'select traceparent from events where subject = $1',
)
const tracesOf = async (subject: string) =>
  (await world.database.run(selectTraces, [subject])).map((event) => event.traceparent)
const complete = (operation: Operation) =>
  settle(operation, { status: 'COMPLETED', guard: world.decidedBy(operation) })
const settleSpans = () => spans.splice(0).filter(({ name }) => name === 'settle')

it('has its own span if the operator traces, with operation and result', async () => {
  startTracing(tracing as Tracing)
  settle = createSettle(world.deps)
  const shop = world.wallet()
  const id = randomUUID()
  const { subscriptionId, chargeId } = await world.charge(shop, id)
  const opened = traceparent(900)
  const payment = { ...(await world.opened(shop, { id, subscriptionId })), traceparent: opened }
  spans.length = 0
  expect(await complete(payment)).toMatchObject({ operation: { id } })
  expect(await complete(payment)).toBeUndefined()
  const facts = {
    'comporta.operation.id': id,
    'comporta.operation.type': 'PAYMENT',
    'comporta.method': 'CC',
    'comporta.wallet.id': String(shop.id),
  }
  const status = (word: string) => [{ 'comporta.operation.status': word }]
  expect(settleSpans()).toEqual([
    { name: 'settle', facts, parent: opened, noted: status('COMPLETED') },
    { name: 'settle', facts, parent: opened, noted: status('settled otherwise') },
  ])
  expect(await tracesOf(id)).toEqual([traceparent(1)])
  expect(await tracesOf(chargeId)).toEqual([traceparent(1)])
})

it("belongs to the trace of its request, with a link to its operation's", async () => {
  const payment = { ...(await world.opened(world.wallet())), traceparent: traceparent(901) }
  spans.length = 0
  await current.run(traceparent(800), () => complete(payment))
  const [span] = settleSpans()
  expect(span).toMatchObject({ link: traceparent(901), facts: { 'comporta.operation.id': payment.id } })
  expect(span).not.toHaveProperty('parent')
})
