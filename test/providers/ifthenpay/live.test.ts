// The driver with test keys of ifthenpay: needs RAILS_LIVE=1 and IFTHENPAY_*; with IFTHENPAY_PHONE a person approves.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ifthenpay } from '../../../drivers/ifthenpay/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import { unwrap } from '../../../src/kernel/result.ts'
import { after, day, minute, systemClock } from '../../../src/kernel/time.ts'
import type { ProviderReferences } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'

const { RAILS_LIVE, IFTHENPAY_BACKOFFICE_KEY = '', IFTHENPAY_MB_KEY = '' } = process.env
const { IFTHENPAY_MBWAY_KEY = '', IFTHENPAY_PHONE = '' } = process.env
const isLive = RAILS_LIVE === '1' && IFTHENPAY_BACKOFFICE_KEY !== ''

describe.skipIf(!isLive)('ifthenpay itself, with test keys', () => {
  let database: Database
  let connected: Awaited<ReturnType<typeof connectRails>>
  beforeAll(async () => {
    database = await openTestDatabase('pglite')
    connected = await connectRails(database, ifthenpay, {
      settings: {
        mode: 'test',
        ...(IFTHENPAY_MB_KEY !== '' && { mb_key: IFTHENPAY_MB_KEY }),
        ...(IFTHENPAY_MBWAY_KEY !== '' && { mbway_key: IFTHENPAY_MBWAY_KEY }),
      },
      secrets: { backoffice_key: IFTHENPAY_BACKOFFICE_KEY, anti_phishing_key: 'NotUsedByThisTest' },
    })
    await connected.set()
  })
  afterAll(() => database?.close())
  const merchant = { id: 1001n, name: 'Comporta test' }

  it('accepts the backoffice key', async () => {
    expect(unwrap(await connected.administration.check())).toMatchObject([{ ok: true }])
  })

  it.skipIf(IFTHENPAY_MB_KEY === '')('makes an unpaid reference', async () => {
    const network = connected.rails.referenceNetworks.serving(1001n) as ProviderReferences
    const request = {
      ...{ key: randomUUID(), merchant, amountMin: cents(100), amountMax: cents(100), payableOnce: true },
      expires: after(systemClock.now(), day),
    }
    expect(await network.create(request)).toMatchObject({ kind: 'named' })
    expect(await network.paymentsOf([request.key])).toEqual([])
  })

  it.skipIf(IFTHENPAY_PHONE === '')('is paid by MB WAY', async () => {
    const { mobileWallet } = connected.rails
    const request = {
      ...{ key: randomUUID(), merchant, phone: IFTHENPAY_PHONE, amount: cents(100), currency: 'EUR' },
      ...{ intent: 'sale' as const, expires: after(systemClock.now(), 4 * minute) },
    }
    expect(await mobileWallet.requestPayment(request)).toEqual({ kind: 'waiting' })
    await expect
      .poll(() => mobileWallet.inquirePayment(request.key), { interval: 5000, timeout: 5 * minute })
      .toMatchObject({ kind: 'approved' })
  })
})
