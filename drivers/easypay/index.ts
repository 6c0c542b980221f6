// Easypay 2.0: cards on its page, MB WAY and Multibanco.
import type * as connections from '../../src/connections/index.ts'
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { addDays, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { cents } from '../../src/kernel/money.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { createClient, type EasypayClient, live } from './client.ts'
import { acquirerOf, mobileWalletOf } from './customers.ts'
import { listed } from './movements.ts'
import type { Easypay } from './payments.ts'
import { referencesOf } from './references.ts'
import { takenOf, textOf } from './rules.ts'
import { webhookReceiver } from './webhooks.ts'

const test = 'https://api.test.easypay.pt/2.0'

const settings: readonly connections.SettingSpec[] = [
  {
    ...{ name: 'api_base', secret: false, required: false, fixed: true, address: true },
    help: `Address of the API. Default: ${live}; for tests ${test}.`,
    check: (text) =>
      /^[^?#]*[^/?#]$/.test(text)
        ? undefined
        : 'must be a web address without a query and without a final slash',
  },
  {
    ...{ name: 'account_id', secret: false, required: true, fixed: true },
    help: 'Account id (Backoffice, Developers, Configuration API 2.0).',
    check: (text) => (isUuid(text) ? undefined : 'must be a UUID in lower case'),
  },
  {
    ...{ name: 'api_key', secret: true, required: true },
    help: 'API key of this account (Backoffice, Developers, Configuration API 2.0, Keys).',
    check: (text) => (/^[\x21-\x7e]+$/.test(text.trim()) ? undefined : 'must be one line without spaces'),
  },
]

/** Written from Easypay's public documents and clients. Tested only against a simulation of Easypay. */
export const easypay: connections.Driver = {
  name: 'easypay',
  rails: ['acquirer', 'mobileWallet', 'referenceNetwork'],
  proven: false,
  settings,
  open(connection, tools) {
    const deps = depsOf(connection, tools)
    return {
      ...{ acquirer: acquirerOf(deps), mobileWallet: mobileWalletOf(deps) },
      referenceNetwork: referencesOf(deps),
    }
  },
  /** Reads one payment to test the credentials, and the address for notifications. */
  async check(connection, tools) {
    const { client } = depsOf(connection, tools)
    const { api_base: base = live, account_id: account } = connection.settings
    const ok = (await client.get('/single?records_per_page=1')).kind === 'taken'
    const mode = base === test ? 'test system: no money moves' : 'money moves'
    const detail = ok ? `account ${account}, ${mode}` : `${base} is not the address of Easypay’s API 2.0`
    if (!ok) return [{ name: 'credentials', ok, detail }]
    // A missing address is no failure, because inquiries find the payments later.
    const address = await addressOf(client).catch(() => undefined)
    const isOurs = address?.endsWith(`/rails/easypay/${connection.publicId}`) === true
    const where = `Easypay sends notifications to ${isOurs ? 'this connection' : (address ?? 'no address')}`
    return [
      { name: 'credentials', ok, detail },
      { name: 'notifications', ok, detail: where },
    ]
  },
  connects: {
    test: { api_base: test },
    /** An account has one address for all its systems, so the driver does not replace the address of another system. */
    async registerWebhook(connection, url, tools) {
      const { client } = depsOf(connection, tools)
      const address = await addressOf(client)
      if (address !== undefined && address !== '' && address !== url) throw new AddressTaken()
      const changed = await client.patch('/config', { generic: url }, `config-${connection.publicId}`)
      if (changed.kind !== 'taken') throw new AddressTaken()
      return {}
    },
    byHand: [
      'In Easypay’s Backoffice (Developers, Configuration API 2.0, Notifications), set “Card redirect” to the page of your shop that customers see after a card payment.',
      'Ask Easypay which methods your account may use, and whether it may hold amounts on cards and MB WAY.',
      'Make one payment and one refund of each method before you go live.',
    ],
  },
  /** Lists captures and refunds. Easypay's lists do not contain fees and transfers to the bank. */
  async statement(connection, day, tools) {
    const { client } = depsOf(connection, tools)
    const [from, until] = [startOfLisbonDay(day), startOfLisbonDay(addDays(day, 1))]
    const kinds = { capture: 'payment', refund: 'refund' } as const
    const lists = (['capture', 'refund'] as const).map(async (of) =>
      (await listed(client, of, from, until)).flatMap((item): connections.StatementLine[] => {
        const { id = '', amount = 0n, key = '', state, at: bookedAt = from } = takenOf(item) ?? {}
        // Easypay filters by whole minutes, so the list can contain the first movement of the next day.
        if (state !== 'paid' || bookedAt >= until) return []
        const booked = cents(of === 'capture' ? amount : -amount)
        const ours = isUuid(key) ? key : undefined
        return [{ id, kind: kinds[of], amount: booked, fee: cents(0), key: ours, providerId: id, bookedAt }]
      }),
    )
    return (await Promise.all(lists)).flat()
  },
  webhook: webhookReceiver((connection, tools) => referencesOf(depsOf(connection, tools))),
}

class AddressTaken extends Error {
  override readonly name =
    'the account sends notifications elsewhere: set “Generic - URL” in the Backoffice (Developers, Configuration API 2.0)'
}

async function addressOf(client: EasypayClient): Promise<string | undefined> {
  const config = await client.get('/config')
  return config.kind === 'taken' ? textOf(config.body.generic) : undefined
}

function depsOf(connection: connections.Connection, tools: connections.DriverTools): Easypay {
  const { requests, clock, logger } = tools
  return { client: createClient(connection, tools), inTurn: keyedMutex(), requests, clock, logger }
}
