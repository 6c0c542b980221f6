// Easypay's entry in the table of contract tests.
import { easypay } from '../../../drivers/easypay/index.ts'
import { after, type Instant, minute, systemClock } from '../../../src/kernel/time.ts'
import type { CustomerPage, ProviderReferences } from '../../../src/rails/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'
import { describeCardForm } from '../../rails/customer-authorizations-conformance.ts'
import { describeMobileWallet } from '../../rails/mobile-wallet-conformance.ts'
import { describeReferenceProvider } from '../../rails/reference-provider-conformance.ts'
import type { Contract } from '../contract/table.ts'
import { amount, cardPages, phonePayments, references } from '../contract/ways.ts'
import { failingPhone, phone, startFakeEasypay } from './fake.ts'

const account = { iban: 'PT50000201231234567890154', holder: 'Ana Sousa' }

/** The rails over a simulated Easypay. They can be opened again as another process. */
export async function startEasypay() {
  let passed = 0
  const now = (): Instant => after(systemClock.now(), passed)
  const [database, fake] = await Promise.all([openTestDatabase('pglite'), startFakeEasypay(now)])
  const { settings, secrets } = fake
  async function open() {
    const connected = await connectRails(database, easypay, { settings, secrets, clock: { now } })
    await connected.set()
    return connected.rails
  }
  return {
    ...{ fake, open, now },
    pass(milliseconds: number) {
      passed += milliseconds
    },
    async close() {
      await fake.close()
      await database.close()
    },
  }
}

const asCardForm = () =>
  describeCardForm('Easypay', async () => {
    const { fake, open, close } = await startEasypay()
    return {
      acquirer: (await open()).acquirer,
      merchantId: 1001n,
      async answerForm(page, answer) {
        fake.payPage('url' in page ? page.url : '', answer)
        return 'https://pay.example.com/3ds/return/1'
      },
      restarted: async () => (await open()).acquirer,
      close,
    }
  })

const asMobileWallet = () =>
  describeMobileWallet('Easypay', async () => {
    const { fake, open, pass, ...time } = await startEasypay()
    return {
      ...time,
      wallet: (await open()).mobileWallet,
      ...{ phone, unregistered: failingPhone },
      // Easypay gives customers a minute more than the gateway does.
      pass: (milliseconds) => pass(milliseconds + minute),
      lacks: ['finding customers', 'restoring holds', 'mandates', 'partial releases'],
      approve: async (key) => fake.approve(key),
      refuse: async (key) => fake.refuse(key),
      change: async () => false,
      restarted: async () => (await open()).mobileWallet,
    }
  })

const asReferenceProvider = () =>
  describeReferenceProvider('Easypay', async () => {
    const { fake, open, now, close } = await startEasypay()
    const opened = async () => (await open()).referenceNetworks.serving(1001n) as ProviderReferences
    return {
      ...{ now, close },
      network: await opened(),
      pay: async (name, paid) => fake.payReference(name, paid),
      restarted: opened,
      loseNextAnswer: () => fake.provider.interrupt(1, 'after'),
      refundsToAccounts: true,
    }
  })

export const easypayContract: Contract = {
  driver: easypay,
  suites: { acquirer: asCardForm, mobileWallet: asMobileWallet, referenceNetwork: asReferenceProvider },
  async start(now) {
    const fake = await startFakeEasypay(now)
    const confirm = async (page: CustomerPage) => fake.payPage('url' in page ? page.url : '', 'confirm')
    const asked = { phone, now, approve: (key: string) => fake.approve(key) }
    return {
      ...{ provider: fake.provider, settings: fake.settings, secrets: fake.secrets },
      ways: [
        cardPages(confirm),
        cardPages(confirm, { intent: 'hold' }),
        phonePayments(asked),
        phonePayments({ ...asked, intent: 'hold' }),
        references({ now, pay: (name) => fake.payReference(name, amount), account }),
      ],
      movements: (key) => fake.movements(key),
      notifications: () => fake.notifications(),
      forged(key) {
        const body = {
          id: key,
          key,
          type: 'capture',
          status: 'success',
          messages: [],
          date: '2026-01-01 10:00:00',
        }
        return { headers: {}, body: JSON.stringify(body) }
      },
      endHold: (key) => fake.endHold(key),
      setRevoked(isRevoked) {
        fake.isRevoked = isRevoked
      },
      bookForeign: () => fake.bookForeign(),
      loseFromStatement: (key) => fake.loseFromStatement(key),
      close: () => fake.close(),
    }
  },
}
