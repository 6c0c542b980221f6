// SEPA direct debits at Stripe with broken calls: one debit at most.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../../src/kernel/money.ts'
import type { Collection, DirectDebit, RefundRequest } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { openTestDatabase } from '../../database.ts'
import { everyInterruption } from '../http-provider.ts'
import { connectStripe, creditor } from './connect.ts'
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

const open = async (): Promise<DirectDebit> => {
  const account = { secretKey, webhookSecret, url: fake.provider.url }
  return (await connectStripe(database, account, { settings: creditor })).directDebit
}

const collection = (change: Partial<Collection> = {}): Collection => ({
  ...{ key: randomUUID(), reference: randomUUID(), merchant: { id: 1001n, name: 'Loja' } },
  debtor: { name: 'Ana Sousa', iban: 'DE89370400440532013000', email: 'ana@example.com' },
  mandate: {
    ...{ id: 'CMP-1', creditorId: creditor.creditor_id, signedOn: '2026-11-20' },
    ...{ signedFrom: '203.0.113.7', signedWith: 'Mozilla/5.0' },
  },
  ...{ amount: cents(1000), currency: 'EUR', dueOn: '2026-11-25' },
  ...change,
})

it('collects once despite broken calls and repetitions', async () => {
  const interruptions = await everyInterruption<DirectDebit, Collection>({
    ...{ provider: fake.provider, open },
    prepare: async () => collection(),
    act: (debits, asked) => debits.collect(asked),
    async recover(debits, asked) {
      // Acts like the gateway, which repeats a lost request under the same key.
      const known = await debits.inquire(asked.key)
      if (known.kind === 'not_found') expect(await debits.collect(asked)).toEqual({ kind: 'waiting' })
      expect(await debits.inquire(asked.key)).toEqual({ kind: 'waiting' })
      expect(fake.answerDebit(asked.key)).toBe(true)
      expect(await debits.inquire(asked.key)).toEqual({ kind: 'paid' })
      expect(await (await open()).collect(asked)).toEqual({ kind: 'paid' })
      expect(fake.movements(asked.key)).toEqual([1000n])
      const made = fake.requests.filter(({ body }) => body.includes(asked.key))
      expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(['POST payment_intents']))
    },
  })
  expect(interruptions.length).toBeGreaterThanOrEqual(4)
})

it('refunds once despite broken calls and repetitions', async () => {
  await everyInterruption<DirectDebit, RefundRequest>({
    ...{ provider: fake.provider, open },
    async prepare(debits) {
      const { key: of, currency } = await collected(debits)
      return { key: randomUUID(), of, amount: cents(400), currency }
    },
    act: (debits, refund) => debits.refund(refund),
    async recover(debits, refund) {
      const known = await debits.inquireRefund(refund.key)
      expect(fake.movements(refund.key)).toEqual(known.kind === 'approved' ? [-400n] : [])
      expect(await debits.refund(refund)).toMatchObject({ kind: 'approved' })
      expect(fake.movements(refund.key)).toEqual([-400n])
    },
  })
})

async function collected(debits: DirectDebit): Promise<Collection> {
  const asked = collection()
  await debits.collect(asked)
  fake.answerDebit(asked.key)
  return asked
}

it.each([
  ['insufficient_funds', 'insufficient_funds'],
  ['debit_not_authorized', 'refused_by_debtor'],
  ['account_closed', 'account_closed'],
  ['charge_exceeds_source_limit', 'unspecified'],
] as const)('is returned if the bank says %s: %s', async (code, reason) => {
  const debits = await open()
  const asked = collection()
  await debits.collect(asked)
  expect(fake.answerDebit(asked.key, code)).toBe(true)
  expect(await debits.inquire(asked.key)).toEqual({ kind: 'returned', reason })
  expect(await debits.collect(asked)).toEqual({ kind: 'returned', reason })
  expect(fake.movements(asked.key)).toEqual([])
})

it.each([
  ['an amount below its least', { amount: cents(10) }],
  [
    'an account that it cannot debit',
    { debtor: { name: 'Ana', iban: 'XK051212012345678906', email: 'a@b.pt' } },
  ],
  ['a debtor without an address', { debtor: { name: 'Ana', iban: 'DE89370400440532013000' } }],
])('a refusal by Stripe, %s, is a return, and stays one', async (_, change) => {
  const debits = await open()
  const asked = collection(change)
  const returned = { kind: 'returned', reason: 'unspecified' }
  expect(await debits.collect(asked)).toEqual(returned)
  expect(await (await open()).inquire(asked.key)).toEqual(returned)
  expect(await debits.collect(asked)).toEqual(returned)
  expect(fake.movements(asked.key)).toEqual([])
})

it('debits an account once, also from two processes', async () => {
  const [one, other] = [await open(), await open()]
  fake.setWork(30)
  const asked = collection()
  await Promise.allSettled([one.collect(asked), other.collect(asked), one.collect(asked)])
  fake.setWork(0)
  expect(await one.collect(asked)).toEqual({ kind: 'waiting' })
  expect(fake.answerDebit(asked.key)).toBe(true)
  expect(fake.answerDebit(asked.key)).toBe(false)
  expect(fake.movements(asked.key)).toEqual([1000n])
})

it('names Stripe’s creditor', async () => {
  expect((await open()).creditorOf(1001n)).toEqual({
    ...{ name: 'Loja Exemplo', creditorId: 'DE98ZZZ09999999999', agent: 'Stripe', wantsEmail: true },
  })
})
