// Stripe's driver with broken calls: money moves once at most.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../../src/kernel/money.ts'
import {
  type AcquirerAnswer,
  type CardAcquirer,
  type CardAuthorization,
  cancelAtAcquirer,
  type FollowUp,
  type NotReceived,
} from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { openTestDatabase } from '../../database.ts'
import { everyInterruption } from '../http-provider.ts'
import { refundSucceedsLater } from './cards.ts'
import { connectStripe } from './connect.ts'
import { type FakeStripe, secretKey, startStripe, webhookSecret } from './index.ts'

let database: Database
let fake: FakeStripe
beforeAll(async () => {
  ;[database, fake] = await Promise.all([openTestDatabase('pglite'), startStripe()])
})
afterAll(async () => {
  await fake.provider.close()
  await database.close()
})

const open = async (): Promise<CardAcquirer> =>
  (await connectStripe(database, { secretKey, webhookSecret, url: fake.provider.url })).acquirer
const signal = new AbortController().signal

const payment = (change: Partial<CardAuthorization> = {}): CardAuthorization => ({
  ...{ key: randomUUID(), merchant: { id: 1001n, name: 'Loja' }, amount: cents(1000), currency: 'EUR' },
  card: { number: '4242424242424242', expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana Sousa' },
  intent: 'sale',
  ...change,
})

interface Case {
  readonly key: string
  send(acquirer: CardAcquirer): Promise<AcquirerAnswer>
  readonly moved: bigint
}

async function follow(
  acquirer: CardAcquirer,
  intent: 'sale' | 'hold',
  make: (request: FollowUp) => Omit<Case, 'key'>,
): Promise<Case> {
  const { key: original, merchant, currency, ...asked } = payment({ intent })
  await acquirer.authorize({ key: original, merchant, currency, ...asked })
  const request = { key: randomUUID(), original, merchant, amount: cents(400), currency }
  return { key: request.key, ...make(request) }
}

const cases: Readonly<Record<string, (acquirer: CardAcquirer) => Promise<Case>>> = {
  'a sale': async () => {
    const asked = payment()
    return { key: asked.key, send: (acquirer) => acquirer.authorize(asked), moved: 1000n }
  },
  'a hold': async () => {
    const asked = payment({ intent: 'hold' })
    return { key: asked.key, send: (acquirer) => acquirer.authorize(asked), moved: 1000n }
  },
  'a charge that the merchant initiates': async () => {
    const { vcode: _, ...card } = payment().card
    const asked = payment({ card, credentialOnFile: 'merchant_initiated' })
    return { key: asked.key, send: (acquirer) => acquirer.authorize(asked), moved: 1000n }
  },
  'a capture': (acquirer) =>
    follow(acquirer, 'hold', (asked) => ({ send: (again) => again.capture(asked), moved: 400n })),
  'a refund': (acquirer) =>
    follow(acquirer, 'sale', (asked) => ({ send: (again) => again.refund(asked), moved: -400n })),
  'a reversal': (acquirer) =>
    follow(acquirer, 'sale', ({ key, original }) => ({
      send: (again) => again.reverse({ key, original }),
      moved: -1000n,
    })),
}

it.each(Object.keys(cases))('%s moves money once or not at all, and is asked about', async (name) => {
  const interruptions = await everyInterruption<CardAcquirer, Case>({
    ...{ provider: fake.provider, open },
    prepare: async (acquirer) => (cases[name] as (typeof cases)[string])(acquirer),
    act: (acquirer, { send }) => send(acquirer),
    async recover(acquirer, { key, send, moved }, interruption) {
      const said = await acquirer.inquire(key)
      expect(fake.movements(key)).toEqual(said.kind === 'approved' ? [moved] : [])
      if (interruption === undefined) expect(said.kind).toBe('approved')
      // After this cancellation, no repetition has an effect.
      const last: AcquirerAnswer | NotReceived = await cancelAtAcquirer(acquirer, key, signal)
      expect(last).toEqual(said)
      await send(acquirer)
      expect(fake.movements(key)).toEqual(said.kind === 'approved' ? [moved] : [])
      expect((await acquirer.inquire(key)).kind).toBe(said.kind === 'approved' ? 'approved' : 'declined')
    },
  })
  expect(interruptions.length).toBeGreaterThanOrEqual(2)
})

it.each(Object.keys(cases))('%s moves money once when it is repeated', async (name) => {
  await everyInterruption<CardAcquirer, Case>({
    ...{ provider: fake.provider, open },
    prepare: async (acquirer) => (cases[name] as (typeof cases)[string])(acquirer),
    act: (acquirer, { send }) => send(acquirer),
    async recover(acquirer, { key, send, moved }) {
      const answer = await send(acquirer)
      expect(answer).toMatchObject({ kind: 'approved' })
      expect(await (await open()).inquire(key)).toEqual(answer)
      expect(fake.movements(key)).toEqual([moved])
    },
  })
})

it('a release returns the hold, or leaves it', async () => {
  await everyInterruption<CardAcquirer, FollowUp>({
    ...{ provider: fake.provider, open },
    async prepare(acquirer) {
      const { key: original, merchant, amount, currency, ...asked } = payment({ intent: 'hold' })
      await acquirer.authorize({ key: original, merchant, amount, currency, ...asked })
      return { key: randomUUID(), original, merchant, amount, currency }
    },
    act: (acquirer, asked) => acquirer.release({ ...asked, amount: 'all' }),
    async recover(acquirer, asked) {
      const said = await acquirer.inquire(asked.key)
      const held = fake.intentOf(asked.original)?.amount_capturable
      expect([said.kind, held]).toEqual(said.kind === 'approved' ? ['approved', 0] : ['not_found', 1000])
      expect(await acquirer.release({ ...asked, amount: 'all' })).toMatchObject({ kind: 'approved' })
      expect(fake.intentOf(asked.original)?.amount_capturable).toBe(0)
      expect(await acquirer.inquire(asked.original)).toMatchObject({ kind: 'approved' })
    },
  })
})

it('a customer visits one page, and the answer is found', async () => {
  const customersOf = (acquirer: CardAcquirer) => {
    if (acquirer.customers === undefined) throw new Error('it authenticates nobody')
    return acquirer.customers
  }
  const browser = { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true }
  await everyInterruption({
    ...{ provider: fake.provider, open },
    prepare: async () => {
      const { intent: _, ...asked } = payment()
      const card = { ...asked.card, number: '4000000000003220' }
      return { ...asked, card, browser, intent: 'sale' as const, returnUrl: 'https://pay.example.com/back' }
    },
    act: (acquirer, asked) => customersOf(acquirer).authorize(asked),
    async recover(acquirer, asked) {
      const answer = await customersOf(acquirer).authorize(asked)
      if (answer.kind !== 'customer') throw new Error(`it answered ${answer.kind}`)
      expect(fake.movements(asked.key)).toEqual([])
      await fake.answerPage(answer.page, 'confirm')
      expect(await customersOf(acquirer).inquire(asked.key)).toMatchObject({ kind: 'approved' })
      expect(await customersOf(acquirer).authorize(asked)).toMatchObject({ kind: 'approved' })
      expect(fake.movements(asked.key)).toEqual([1000n])
    },
  })
})

it('a waiting refund is unknown until Stripe decides', async () => {
  const acquirer = await open()
  const sale = payment({ card: { ...payment().card, number: refundSucceedsLater } })
  await acquirer.authorize(sale)
  const refund = { ...sale, key: randomUUID(), original: sale.key }
  expect(await acquirer.refund(refund)).toMatchObject({ kind: 'unknown' })
  expect(await acquirer.inquire(refund.key)).toMatchObject({ kind: 'unknown' })
  fake.endRefund(refund.key, 'succeeded')
  expect(await acquirer.inquire(refund.key)).toMatchObject({ kind: 'approved' })
  expect(await acquirer.refund(refund)).toMatchObject({ kind: 'approved' })
  const failing = payment({ card: { ...payment().card, number: refundSucceedsLater } })
  await acquirer.authorize(failing)
  const refused = { ...failing, key: randomUUID(), original: failing.key }
  await acquirer.refund(refused)
  fake.endRefund(refused.key, 'failed')
  expect(await acquirer.inquire(refused.key)).toMatchObject({ kind: 'declined', decline: 'not_permitted' })
})

it('concurrent requests under one key move money once', async () => {
  const [one, other] = [await open(), await open()]
  fake.setWork(30)
  const asked = payment()
  const answers = await Promise.allSettled([
    one.authorize(asked),
    other.authorize(asked),
    one.authorize(asked),
  ])
  fake.setWork(0)
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.kind : 'failed'))).toContain(
    'approved',
  )
  expect(fake.movements(asked.key)).toEqual([1000n])
  expect(await one.inquire(asked.key)).toMatchObject({ kind: 'approved' })
})

it('a refusal by Stripe is a decline, and stays one', async () => {
  const acquirer = await open()
  const refused = async (asked: CardAuthorization, decline: string) => {
    const declined = { kind: 'declined', decline }
    expect(await acquirer.authorize(asked)).toEqual(declined)
    expect(await (await open()).inquire(asked.key)).toEqual(declined)
    expect(fake.movements(asked.key)).toEqual([])
  }
  await refused(payment({ amount: cents(10) }), 'amount_too_small')
  fake.setTakesCardNumbers(false)
  const asked = payment()
  await refused(asked, 'not_permitted')
  fake.setTakesCardNumbers(true)
  await refused(asked, 'not_permitted')
  expect(await acquirer.authorize(payment())).toMatchObject({ kind: 'approved' })
})

it('a request of one process cannot be cancelled by another', async () => {
  const [one, other] = [await open(), await open()]
  fake.setWork(40)
  const asked = payment()
  for (let round = 0; round < 5; round++) {
    const again = { ...asked, key: randomUUID() }
    const all = [one.authorize(again), other.authorize(again), cancelAtAcquirer(one, again.key, signal)]
    // A third call starts while the others are on their way.
    await Promise.race(all.map((call) => call.catch(() => undefined)))
    await Promise.allSettled([...all, other.authorize(again)])
    const said = await (await open()).inquire(again.key)
    expect(fake.movements(again.key)).toEqual(said.kind === 'approved' ? [1000n] : [])
  }
  fake.setWork(0)
})

it('a hold with one capture is released by it', async () => {
  const acquirer = await open()
  fake.setSeveralCaptures(false)
  const hold = payment({ intent: 'hold' })
  await acquirer.authorize(hold)
  fake.setSeveralCaptures(true)
  const follow = (amount: number) => ({
    ...hold,
    key: randomUUID(),
    original: hold.key,
    amount: cents(amount),
  })
  expect(await acquirer.capture(follow(600))).toMatchObject({ kind: 'approved' })
  expect(await acquirer.capture(follow(400))).toMatchObject({ kind: 'declined', decline: 'exceeds_hold' })
  expect(await acquirer.release(follow(400))).toMatchObject({ kind: 'approved' })
  expect(await acquirer.refund({ ...follow(600), original: hold.key })).toMatchObject({ kind: 'declined' })
})

it('the gateway’s authentication proof is sent if the connection says so', async () => {
  const separate = await openTestDatabase('pglite')
  const account = { secretKey, webhookSecret, url: fake.provider.url }
  const { acquirer } = await connectStripe(separate, account, { settings: { authentication: 'own' } })
  expect(acquirer.customers?.serves(1001n)).toBe(false)
  const card = { ...payment().card, number: '4000000000003220' }
  const authentication = {
    ...{ eci: '05', value: 'AAIBBYNoEwAAACcKhAJkdQAAAAA=', version: '2.2.0' },
    dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  }
  expect(await acquirer.authorize(payment({ card, authentication }))).toMatchObject({ kind: 'approved' })
  expect(await acquirer.authorize(payment({ card }))).toMatchObject({
    ...{ kind: 'declined', decline: 'authentication_required' },
  })
  await separate.close()
})
