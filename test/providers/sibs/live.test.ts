// The driver against SIBS's test system: needs RAILS_LIVE=1 and SIBS_*; with SIBS_PHONE a person approves.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sibs } from '../../../drivers/sibs/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import { unwrap } from '../../../src/kernel/result.ts'
import { after, day, minute, second, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'

const { RAILS_LIVE, SIBS_BASE_URL = '', SIBS_TERMINAL_ID = '', SIBS_REFERENCE_ENTITY = '' } = process.env
const { SIBS_CLIENT_ID = '', SIBS_TOKEN = '', SIBS_WEBHOOK_SECRET, SIBS_PHONE = '' } = process.env
const isLive = RAILS_LIVE === '1' && SIBS_BASE_URL !== ''
/** Test systems only, because these tests move money. */
const isTestSystem = /^https:\/\/(spg\.qly\.|api\.qly\.|sandbox\.)/.test(SIBS_BASE_URL)
if (isLive && !isTestSystem) throw new Error('SIBS_BASE_URL must be of a test system: these tests move money')

describe.skipIf(!isLive)('SIBS itself, in its test system', () => {
  let database: Database
  let rails: GatewayRails
  let check: () => Promise<readonly { readonly ok: boolean }[]>

  async function open() {
    const connected = await connectRails(database, sibs, {
      settings: {
        ...{ base_url: SIBS_BASE_URL, terminal_id: SIBS_TERMINAL_ID },
        ...(SIBS_REFERENCE_ENTITY !== '' && { reference_entity: SIBS_REFERENCE_ENTITY }),
      },
      secrets: {
        ...{ client_id: SIBS_CLIENT_ID, token: SIBS_TOKEN },
        webhook_secret: SIBS_WEBHOOK_SECRET ?? Buffer.alloc(32, 1).toString('base64'),
      },
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
  const question = () => ({
    ...{ key: randomUUID(), merchant, phone: SIBS_PHONE, amount: cents(100), currency: 'EUR' },
    ...{ intent: 'sale', expires: after(systemClock.now(), 4 * minute) },
  })

  it('accepts the credentials, and does not know unsent keys', async () => {
    expect(await check()).toMatchObject([{ ok: true }])
    expect(await rails.mobileWallet.inquirePayment(randomUUID())).toEqual({ kind: 'not_found' })
  })

  it('opens a card form, again after a restart, and cancels it', async () => {
    const request = {
      ...{ key: randomUUID(), merchant, amount: cents(100), currency: 'EUR', intent: 'sale' as const },
      browser: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true },
      returnUrl: 'https://pay.example.com/3ds/return/1',
    }
    const answer = await rails.acquirer.customers?.authorize(request)
    expect(answer).toMatchObject({ kind: 'customer' })
    const { acquirer } = (await open()).rails
    expect(await acquirer.customers?.authorize(request)).toEqual(answer)
    expect(await acquirer.cancel?.(request.key)).toMatchObject({ decline: 'cancelled' })
  })

  it.skipIf(SIBS_REFERENCE_ENTITY === '')('makes a reference once, and withdraws it', async () => {
    const references = rails.referenceNetworks.serving(merchant.id)
    if (references?.numbering !== 'theirs') throw new Error('no references are served')
    const amount = { amountMin: cents(1000), amountMax: cents(1000) }
    const expires = after(systemClock.now(), 2 * day)
    const request = { key: randomUUID(), merchant, ...amount, expires, payableOnce: true }
    const named = await references.create(request)
    expect(named).toMatchObject({ kind: 'named', entity: SIBS_REFERENCE_ENTITY })
    expect(await references.create(request)).toEqual(named)
    await references.withdraw([request.key])
    expect(await references.paymentsOf([request.key])).toEqual([])
  })

  it.skipIf(SIBS_PHONE === '')(
    'asks a person, waits four minutes for the approval, and refunds a part',
    async () => {
      const request = { ...question(), intent: 'sale' as const }
      expect(await rails.mobileWallet.requestPayment(request)).toEqual({ kind: 'waiting' })
      await expect
        .poll(() => rails.mobileWallet.inquirePayment(request.key), {
          ...{ timeout: 4 * minute, interval: 5 * second },
        })
        .toMatchObject({ kind: 'approved', byMandate: false })
      const refund = { key: randomUUID(), payment: request.key, amount: cents(40) }
      const answer = await rails.mobileWallet.refund(refund)
      expect(answer).toMatchObject({ kind: 'approved' })
      expect(await rails.mobileWallet.refund(refund)).toEqual(answer)
    },
    5 * minute,
  )

  it.skipIf(SIBS_PHONE === '')('says whether a question can be taken back', async () => {
    const request = { ...question(), intent: 'hold' as const }
    await rails.mobileWallet.requestPayment(request)
    const answer = await rails.mobileWallet.withdrawPayment(request.key)
    expect(['waiting', 'declined']).toContain(answer.kind)
  })
})
