// ifthenpay: Multibanco references, MB WAY, and cards on its page.

import { timingSafeEqual } from 'node:crypto'
import type { Connection, Driver, DriverTools, WebhookReceiver } from '../../src/connections/index.ts'
import { notedOf } from '../shared/requests.ts'
import { acquirerOf } from './cards.ts'
import { createClient } from './client.ts'
import { mobileWalletOf } from './mobile-wallet.ts'
import { type Ifthenpay, stemIn } from './orders.ts'
import { paidUnder, referencesOf } from './references.ts'
import { settings, settingsOf } from './settings.ts'

class NotListedYet extends Error {
  override readonly name = 'the payment is not in the list of ifthenpay yet'
}

/**
 * Callbacks by GET. Their only proof is the key in the address, so the driver only uses them as a reason to ask
 * ifthenpay.
 */
const webhook: WebhookReceiver = {
  /** The driver also accepts unknown orders, because other systems can use the same contract. */
  verify(connection, { query: { key = '', order = '', request = '', at = '' } = {} }) {
    if (!isSame(key, settingsOf(connection).antiPhishingKey)) return { kind: 'refused' }
    return { kind: 'accepted', id: `${order} ${request} ${at}`, payload: JSON.stringify({ order }) }
  },
  async handle(connection, { payload }, tools) {
    const { order = '' } = JSON.parse(payload) as { order?: string }
    const { requests, notices, logger } = tools
    const known = order === '' ? undefined : await requests.findByProviderId(stemIn(order))
    if (known === undefined)
      return logger.info({ order }, 'An ifthenpay callback belongs to no payment of this gateway')
    const { key, rail } = known
    if (rail === 'acquirer') await notices.card(key)
    if (rail === 'mobileWallet') await notices.mobileWallet({ kind: 'payment', key })
    if (rail !== 'referenceNetwork' || notedOf(known) === undefined) return
    const payments = await paidUnder(ifthenpayOf(connection, tools), key)
    if (payments.length === 0) throw new NotListedYet()
    for (const payment of payments) await notices.references.receive(payment)
  },
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return expected !== '' && one.length === other.length && timingSafeEqual(one, other)
}

/** Written from public documents and clients. Tested only against a simulation of ifthenpay. */
export const ifthenpay: Driver = {
  name: 'ifthenpay',
  rails: ['acquirer', 'mobileWallet', 'referenceNetwork'],
  proven: false,
  settings,
  open(connection, tools) {
    const deps = ifthenpayOf(connection, tools)
    return {
      acquirer: acquirerOf(deps),
      mobileWallet: mobileWalletOf(deps),
      referenceNetwork: referencesOf(deps),
    }
  },
  async check(connection, tools) {
    const { client, settings: set } = ifthenpayOf(connection, tools)
    // If the key is right, ifthenpay answers an empty list for an order that does not exist.
    await client.paymentsOf('comporta-check')
    const detail = `the backoffice key is accepted${set.isTest ? ', cards use the test page' : ''}`
    return [{ name: 'credentials', ok: true, detail: `${detail}; a payment tests the other keys` }]
  },
  webhook,
  connects: {
    test: { mode: 'test' },
    async registerWebhook(connection, url, tools) {
      const { client, settings: set } = ifthenpayOf(connection, tools)
      for (const [entity, key] of [
        ['MB', set.mbKey],
        ['MBWAY', set.mbwayKey],
        ['CCARD', set.cardKey],
      ] as const)
        if (key !== '') await client.registerCallback(entity, key, `${url}?${callbackQuery}`)
      return {}
    },
    byHand: [
      'For tests, ask ifthenpay for test keys: its documents name no test numbers for Multibanco and MB WAY.',
      'In the backoffice of ifthenpay, check that the callback of each method is active.',
      'Make one payment with each method before you go live, and refund one by MB WAY.',
    ],
  },
}

/** ifthenpay documents the placeholders. We chose the names of the parameters. */
const callbackQuery =
  'key=[ANTI_PHISHING_KEY]&order=[ORDER_ID]&request=[REQUEST_ID]&amount=[AMOUNT]&at=[PAYMENT_DATETIME]'

function ifthenpayOf(connection: Connection, tools: DriverTools): Ifthenpay {
  const { requests, clock, logger } = tools
  const set = settingsOf(connection)
  return { client: createClient(set, tools), settings: set, requests, clock, logger }
}
