// SIBS's entry in the table of contract tests, against an imitation of SPG.
import { randomBytes, randomUUID } from 'node:crypto'
import { sibs } from '../../../drivers/sibs/index.ts'
import { after, systemClock } from '../../../src/kernel/time.ts'
import type {
  CardFormPage,
  CustomerPage,
  GatewayRails,
  ProviderReferences,
  ReferencePayment,
} from '../../../src/rails/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { type databaseKinds, openTestDatabase } from '../../database.ts'
import { describeCardForm } from '../../rails/customer-authorizations-conformance.ts'
import { describeMobileWallet } from '../../rails/mobile-wallet-conformance.ts'
import { describeReferenceProvider } from '../../rails/reference-provider-conformance.ts'
import type { Contract } from '../contract/table.ts'
import { amount, cardPages, phonePayments, references } from '../contract/ways.ts'
import { startFakeSibs } from './fake.ts'
import { encrypted } from './outbox.ts'

export const phone = '+351912345678'

export async function startSibs(kind: (typeof databaseKinds)[number]) {
  const database = await openTestDatabase(kind)
  let passed = 0
  const now = () => after(systemClock.now(), passed)
  const fake = await startFakeSibs(now, new Set([phone]))
  const noticed: string[] = []
  const notices = {
    references: {
      receive: async ({ key, amount }: ReferencePayment) => {
        noticed.push(`reference ${key} ${amount}`)
        return { kind: 'accepted', operationId: key ?? '' } as const
      },
      beneficiaryOf: async () => undefined,
    },
    card: async (key: string) => void noticed.push(`card ${key}`),
    mobileWallet: async ({ kind: about, key }: { kind: string; key: string }) =>
      void noticed.push(`${about} ${key}`),
  }
  let opened: GatewayRails | undefined
  const rails = () => {
    if (opened === undefined) throw new Error('it was not opened')
    return opened
  }
  const open = async () => {
    const { settings, secrets } = fake
    const connected = await connectRails(database, sibs, { settings, secrets, clock: { now }, notices })
    await connected.set()
    fake.outbox.receiver = async ({ headers, body: text }) => {
      const { connection, tools } = connected.opened
      const verified = await sibs.webhook?.verify(connection, { headers, rawBody: Buffer.from(text) }, tools)
      if (verified?.kind !== 'accepted') return { status: 401, body: '' }
      await sibs.webhook?.handle(connection, { ...verified, id: verified.id ?? randomUUID() }, tools)
      return { status: 200, body: String(JSON.stringify(verified.answer?.body)) }
    }
    opened = connected.rails
    return connected.rails.mobileWallet
  }
  const openAcquirer = async () => {
    await open()
    return rails().acquirer
  }
  const openReferences = async () => {
    await open()
    return rails().referenceNetworks.serving(1001n) as ProviderReferences
  }
  return {
    ...{ fake, now, open, openAcquirer, openReferences, noticed },
    pass(milliseconds: number) {
      passed += milliseconds
    },
    async close() {
      await fake.close()
      await database.close()
    },
  }
}

const asMobileWallet = () =>
  describeMobileWallet('SIBS', async () => {
    const { fake, now, open, pass, close } = await startSibs('pglite')
    const { approve, refuse, change } = fake
    return {
      wallet: await open(),
      ...{ phone, now, pass, approve, refuse, change, close },
      unregistered: '+351912345699',
      lacks: ['finding customers', 'restoring holds'],
      restarted: open,
    }
  })

const asCardForm = () =>
  describeCardForm('SIBS', async () => {
    const { fake, openAcquirer, close } = await startSibs('pglite')
    return {
      acquirer: await openAcquirer(),
      merchantId: 1001n,
      answerForm: (page, answer) => fake.payForm((page as CardFormPage).cardForm, answer),
      restarted: openAcquirer,
      close,
    }
  })

const asReferenceProvider = () =>
  describeReferenceProvider('SIBS', async () => {
    const { fake, now, openReferences, close } = await startSibs('pglite')
    return {
      network: await openReferences(),
      ...{ now, close, restarted: openReferences },
      pay: (name, amount) => fake.payReference(name, amount),
      // The first of two calls creates the checkout.
      loseNextAnswer: () => fake.provider.interrupt(2, 'after'),
    }
  })

export const sibsContract: Contract = {
  driver: sibs,
  suites: {
    acquirer: asCardForm,
    mobileWallet: asMobileWallet,
    referenceNetwork: asReferenceProvider,
  },
  async start(now) {
    const fake = await startFakeSibs(now, new Set([phone]))
    const confirm = (page: CustomerPage) => fake.payForm((page as CardFormPage).cardForm, 'confirm')
    const asked = { phone, now, approve: (key: string) => fake.approve(key) }
    return {
      ...{ provider: fake.provider, settings: fake.settings, secrets: fake.secrets },
      ways: [
        cardPages(confirm),
        cardPages(confirm, { intent: 'hold' }),
        phonePayments(asked),
        phonePayments({ ...asked, intent: 'hold' }),
        references({ now, pay: (name) => fake.payReference(name, amount) }),
      ],
      movements: (key) => fake.movements(key),
      notifications: () => fake.outbox.kept.splice(0),
      forged: (key) =>
        encrypted(randomBytes(32), {
          ...{ transactionID: 's2FORGED', paymentStatus: 'Success', paymentType: 'PURS' },
          ...{ merchant: { transactionId: key.replaceAll('-', '') }, notificationID: 'forged' },
        }),
      endHold: (key) => fake.force(key, 'Expired'),
      setRevoked(isRevoked) {
        fake.isRevoked = isRevoked
      },
      close: () => fake.close(),
    }
  },
}
