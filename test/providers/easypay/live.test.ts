// The driver against Easypay's test system: needs RAILS_LIVE=1 and EASYPAY_*; without them it is skipped.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { easypay } from '../../../drivers/easypay/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import { unwrap } from '../../../src/kernel/result.ts'
import { after, day, minute, second, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'
import { failingPhone, phone } from './fake.ts'

const { RAILS_LIVE, EASYPAY_ACCOUNT_ID = '', EASYPAY_API_KEY = '' } = process.env
const isLive = RAILS_LIVE === '1' && EASYPAY_ACCOUNT_ID !== '' && EASYPAY_API_KEY !== ''

describe.skipIf(!isLive)('Easypay itself, in its test system', () => {
  let database: Database
  let rails: GatewayRails
  let check: () => Promise<readonly { readonly ok: boolean }[]>

  async function open() {
    const connected = await connectRails(database, easypay, {
      settings: { ...easypay.connects?.test, account_id: EASYPAY_ACCOUNT_ID },
      secrets: { api_key: EASYPAY_API_KEY },
    })
    await connected.set()
    return connected
  }
  beforeAll(async () => {
    database = await openTestDatabase('pglite')
    const connected = await open()
    rails = connected.rails
    check = async () => unwrap(await connected.administration.check())
  })
  afterAll(() => database?.close())

  const merchant = { id: 1001n, name: 'Comporta test' }
  const question = (number: string) => ({
    ...{ key: randomUUID(), merchant, phone: number, amount: cents(100), currency: 'EUR' },
    ...{ intent: 'sale' as const, expires: after(systemClock.now(), 4 * minute) },
  })
  const ends = { timeout: 2 * minute, interval: 2 * second }

  it('accepts the credentials, and does not know unsent keys', async () => {
    expect(await check()).toMatchObject([{ ok: true }])
    expect(await rails.mobileWallet.inquirePayment(randomUUID())).toEqual({ kind: 'not_found' })
  })

  it('opens a card page, finds it again after a restart, and closes it', async () => {
    const request = {
      ...{ key: randomUUID(), merchant, amount: cents(100), currency: 'EUR', intent: 'sale' as const },
      browser: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true },
      returnUrl: 'https://pay.example.com/3ds/return/1',
    }
    const answer = await rails.acquirer.customers?.authorize(request)
    expect(answer).toMatchObject({ kind: 'customer', page: { url: expect.stringMatching(/^https:/) } })
    const { acquirer } = (await open()).rails
    expect(await acquirer.customers?.authorize(request)).toEqual(answer)
    expect(await acquirer.cancel?.(request.key)).toMatchObject({ decline: 'cancelled' })
  })

  it.each([true, false])('makes a reference once, paid once: %s, and withdraws it', async (payableOnce) => {
    const references = rails.referenceNetworks.serving(merchant.id)
    if (references?.numbering !== 'theirs') throw new Error('no references are served')
    const amount = { amountMin: cents(1000), amountMax: cents(1000) }
    const expires = after(systemClock.now(), 2 * day)
    const request = { key: randomUUID(), merchant, ...amount, expires, payableOnce }
    const named = await references.create(request)
    expect(named).toMatchObject({ kind: 'named', ref: expect.stringMatching(/^\d{9}$/) })
    expect(await references.create(request)).toEqual(named)
    await references.withdraw([request.key])
    expect(await references.paymentsOf([request.key])).toEqual([])
  })

  it('approves the test phone, refunds a part once, and refuses the failing phone', async () => {
    const [paid, failed] = [question(phone), question(failingPhone)]
    for (const request of [paid, failed]) await rails.mobileWallet.requestPayment(request)
    const state = (key: string) => rails.mobileWallet.inquirePayment(key)
    await expect.poll(() => state(paid.key), ends).toMatchObject({ kind: 'approved' })
    await expect.poll(() => state(failed.key), ends).toMatchObject({ kind: 'declined', decline: 'refused' })
    const refund = { key: randomUUID(), payment: paid.key, amount: cents(40) }
    await rails.mobileWallet.refund(refund)
    const refunded = () => rails.mobileWallet.inquireFollowUp(refund.key)
    await expect.poll(refunded, ends).toMatchObject({ kind: 'approved' })
    expect(await rails.mobileWallet.refund(refund)).toEqual(await refunded())
  })
})
