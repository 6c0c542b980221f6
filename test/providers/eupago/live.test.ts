// The driver in Eupago's sandbox: needs RAILS_LIVE=1, EUPAGO_API_KEY, EUPAGO_CLIENT_ID and EUPAGO_CLIENT_SECRET.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eupago } from '../../../drivers/eupago/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import { unwrap } from '../../../src/kernel/result.ts'
import { after, day, minute, systemClock } from '../../../src/kernel/time.ts'
import type { ProviderReferences } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'

const { RAILS_LIVE, EUPAGO_API_KEY = '', EUPAGO_CLIENT_ID = '', EUPAGO_CLIENT_SECRET = '' } = process.env
const isLive = RAILS_LIVE === '1' && EUPAGO_API_KEY !== ''

describe.skipIf(!isLive)('Eupago itself, in its sandbox', () => {
  let database: Database
  let connected: Awaited<ReturnType<typeof connectRails>>
  beforeAll(async () => {
    database = await openTestDatabase('pglite')
    connected = await connectRails(database, eupago, {
      settings: eupago.connects?.test ?? {},
      secrets: {
        ...{ api_key: EUPAGO_API_KEY, client_id: EUPAGO_CLIENT_ID, client_secret: EUPAGO_CLIENT_SECRET },
        webhook_key: 'a'.repeat(32),
      },
    })
    await connected.set()
  })
  afterAll(() => database?.close())
  const merchant = { id: 1001n, name: 'Comporta test' }

  it('accepts the key and the credentials', async () => {
    expect(unwrap(await connected.administration.check())).toMatchObject([{ ok: true }])
  })

  it('makes an unpaid reference', async () => {
    const network = connected.rails.referenceNetworks.serving(1001n) as ProviderReferences
    const request = {
      ...{ key: randomUUID(), merchant, amountMin: cents(100), amountMax: cents(100), payableOnce: true },
      expires: after(systemClock.now(), day),
    }
    expect(await network.create(request)).toMatchObject({ kind: 'named' })
    expect(await network.paymentsOf([request.key])).toEqual([])
  })

  it('asks a customer by MB WAY, and waits', async () => {
    const request = {
      ...{ key: randomUUID(), merchant, phone: '+351912345678', amount: cents(100), currency: 'EUR' },
      ...{ intent: 'sale' as const, expires: after(systemClock.now(), 4 * minute) },
    }
    expect(await connected.rails.mobileWallet.requestPayment(request)).toEqual({ kind: 'waiting' })
    expect(await connected.rails.mobileWallet.inquirePayment(request.key)).toEqual({ kind: 'waiting' })
  })
})
