// PayPal's entry in the table of contract tests, against a fake of PayPal.
import { expect } from 'vitest'
import { paypal } from '../../../drivers/paypal/index.ts'
import { after, systemClock } from '../../../src/kernel/time.ts'
import { openTestDatabase } from '../../database.ts'
import { describeOnlineWallet } from '../../rails/online-wallet-conformance.ts'
import type { Contract } from '../contract/table.ts'
import { accountCharges, onlineWalletPayments } from '../contract/ways.ts'
import { connectPaypal } from './connect.ts'
import { clientId, clientSecret, startPaypal } from './fake.ts'
import { newSigner } from './signer.ts'

export const signer = newSigner()

export async function start() {
  let passedMs = 0
  const now = () => after(systemClock.now(), passedMs)
  const [database, fake] = await Promise.all([openTestDatabase('pglite'), startPaypal(signer, now)])
  const open = () => connectPaypal(database, fake, { signer, clock: { now } })
  const close = async () => {
    expect(fake.faults).toEqual([])
    await fake.provider.close()
    await database.close()
  }
  return { fake, database, open, now, close, pass: (ms: number) => (passedMs += ms) }
}

const asOnlineWallet = () =>
  describeOnlineWallet('PayPal', async () => {
    const { fake, open, close } = await start()
    const silentKeys = new Set<string>()
    const walletOf = async () => {
      const { wallet } = await open()
      return {
        ...wallet,
        async capture(key: string, signal?: AbortSignal) {
          if (silentKeys.delete(key)) fake.provider.interrupt(1, 'after', /capture$/)
          return wallet.capture(key, signal)
        },
      }
    }
    return {
      wallet: await walletOf(),
      withoutMoney: 'refused',
      hidesCancellation: true,
      async decide(key, decision) {
        if (decision === 'cancel') return
        if (decision === 'agree, silently') silentKeys.add(key)
        if (fake.ordersOf(key).length === 0)
          return fake.agreeToSave(decision === 'agree without money' ? 'INSTRUMENT_DECLINED' : undefined)
        fake.agree(key, {
          ...(decision === 'agree without money' && { problem: 'INSTRUMENT_DECLINED' }),
          ...(decision === 'agree, reviewed' && { pending: 'PENDING_REVIEW' }),
        })
      },
      endReview: async (key) => fake.endReview(key, 'COMPLETED'),
      restarted: walletOf,
      close,
    }
  })

export const paypalContract: Contract = {
  driver: paypal,
  suites: { onlineWallet: asOnlineWallet },
  async start(now) {
    const fake = await startPaypal(signer, now)
    const agree = (key: string) => fake.agree(key)
    let delivered = 0
    return {
      provider: fake.provider,
      settings: { client_id: clientId, api_base: fake.provider.url, webhook_certificates: signer.root },
      secrets: { client_secret: clientSecret },
      ways: [
        onlineWalletPayments(agree),
        onlineWalletPayments(agree, { intent: 'hold' }),
        onlineWalletPayments(() => fake.agreeToSave(), { saves: true }),
        accountCharges(() => fake.agreeToSave()),
      ],
      movements: (key) => fake.movements(key),
      notifications() {
        const sent = fake.events.slice(delivered)
        delivered = fake.events.length
        return sent
      },
      forged(key) {
        const resource = { id: 'FORGED', custom_id: key }
        const event = { id: 'WH-FORGED', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource }
        return fake.sign(JSON.stringify(event), { webhookId: 'ANOTHERWEBHOOK1' })
      },
      endHold: (key) => fake.voidHold(key),
      setRevoked: (isRevoked) => fake.revokeKeys(isRevoked),
      bookForeign() {
        fake.bookStranger(777n)
        return 777n
      },
      loseFromStatement: (key) => fake.loseFromReport(key),
      close: () => fake.provider.close(),
    }
  },
}
