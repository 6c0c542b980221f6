// The driver in PayPal's sandbox: needs RAILS_LIVE=1, PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET of a sandbox app.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { paypal } from '../../../drivers/paypal/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'

const isLive = process.env.RAILS_LIVE === '1'
const { PAYPAL_CLIENT_ID: client_id = '', PAYPAL_CLIENT_SECRET: client_secret = '' } = process.env
const hasKeys = isLive && client_id !== '' && client_secret !== ''
if (!hasKeys)
  console.info('skipped: PayPal’s sandbox needs RAILS_LIVE=1, PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET')

describe.skipIf(!hasKeys)('PayPal’s sandbox', () => {
  it('makes an order, shows its page, and captures nothing before the agreement', async () => {
    const database = await openTestDatabase('pglite')
    const { test: sandbox = {} } = paypal.connects ?? {}
    const connected = await connectRails(database, paypal, {
      settings: { ...sandbox, client_id },
      secrets: { client_secret },
    })
    await connected.set()
    const { onlineWallet } = connected.rails
    const order = {
      ...{ key: randomUUID(), reference: randomUUID(), merchant: { id: 1001n, name: 'Padaria' } },
      ...{
        amount: cents(100),
        currency: 'EUR',
        returnUrl: 'https://example.com/back',
        language: 'en' as const,
      },
    }
    const opened = await onlineWallet.open(order)
    expect(opened).toMatchObject({ kind: 'open', approveUrl: expect.stringMatching(/sandbox\.paypal\.com/) })
    expect(await onlineWallet.open(order)).toEqual(opened)
    expect(await onlineWallet.capture(order.key)).toEqual({ kind: 'declined', reason: 'not_agreed' })
    const { connection, tools } = connected.opened
    expect(await paypal.check(connection, tools)).toContainEqual(
      expect.objectContaining({ name: 'credentials', ok: true }),
    )
    await database.close()
  })
})
