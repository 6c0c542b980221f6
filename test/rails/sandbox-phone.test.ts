// The sandbox's mobile wallet, on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCustomer } from '../../sandbox/phone/customer.ts'
import { createMobileWallet } from '../../sandbox/phone/wallet.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { after, instant, minute } from '../../src/kernel/time.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { describeMobileWallet } from './mobile-wallet-conformance.ts'

const phone = '+351912345678'

async function startPhone(kind: (typeof databaseKinds)[number]) {
  const database = await openTestDatabase(kind)
  let now = instant(Date.parse('2026-11-30T12:00:00Z'))
  const notices: string[] = []
  const context = {
    database,
    clock: { now: () => now },
    random: systemRandomness,
  }
  const customer = createCustomer(context, async ({ kind, key }) => void notices.push(`${kind} ${key}`))
  return {
    notices,
    customer,
    wallet: createMobileWallet(context),
    restarted: async () => createMobileWallet(context),
    now: () => now,
    pass(milliseconds: number) {
      now = after(now, milliseconds)
    },
    close: () => database.close(),
  }
}

for (const kind of databaseKinds) {
  describeMobileWallet(`the sandbox on ${kind}`, async () => {
    const { customer, ...started } = await startPhone(kind)
    const termsOf = (terms?: { limit: bigint; expiryDate: string }) =>
      terms === undefined ? {} : { limit: cents(terms.limit), expiryDate: terms.expiryDate }
    return {
      ...started,
      phone,
      unregistered: '+351912345699',
      approve: async (key, terms) =>
        (await customer.answer(phone, key, { kind: 'approve', terms: termsOf(terms) })).ok,
      refuse: async (key) => (await customer.answer(phone, key, { kind: 'refuse' })).ok,
      change: async (key, change, terms) => (await customer.change(phone, key, change, termsOf(terms))).ok,
    }
  })
}

describe('the sandbox phone', () => {
  let started: Awaited<ReturnType<typeof startPhone>>
  beforeAll(async () => {
    started = await startPhone('pglite')
  })
  afterAll(() => started.close())

  it('sends a notice of every answer and change, and no other', async () => {
    const { wallet, customer, notices, now } = started
    const asked = {
      merchant: { id: 1001n, name: 'Demo Shop' },
      phone,
      expires: after(now(), 4 * minute),
    }
    const [payment, mandate] = [
      '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
      '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c',
    ]
    await wallet.requestPayment({ ...asked, key: payment, amount: cents(1), currency: 'EUR', intent: 'sale' })
    await wallet.requestMandate({ ...asked, key: mandate, kind: 'ONECLICK' })
    expect(notices).toEqual([])
    await customer.answer(phone, payment, { kind: 'refuse' })
    await customer.answer(phone, mandate, { kind: 'approve', terms: {} })
    await customer.change(phone, mandate, 'suspend', {})
    expect(notices).toEqual([`payment ${payment}`, `mandate ${mandate}`, `mandate ${mandate}`])
  })
})
