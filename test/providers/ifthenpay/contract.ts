// ifthenpay's entry in the table of contract tests, against a fake.
import { randomUUID } from 'node:crypto'
import { ifthenpay } from '../../../drivers/ifthenpay/index.ts'
import { orderStemOf } from '../../../drivers/ifthenpay/orders.ts'
import { after, systemClock } from '../../../src/kernel/time.ts'
import type {
  CustomerPage,
  GatewayRails,
  LinkedPage,
  ProviderReferences,
  ReferencePayment,
} from '../../../src/rails/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'
import { describeMobileWallet } from '../../rails/mobile-wallet-conformance.ts'
import { describeReferenceProvider } from '../../rails/reference-provider-conformance.ts'
import type { Contract } from '../contract/table.ts'
import { amount, cardPages, phonePayments, references, type Way } from '../contract/ways.ts'
import { startFakeIfthenpay } from './fake.ts'

export const phone = '+351912345678'

export async function startIfthenpay() {
  const database = await openTestDatabase('pglite')
  let passed = 0
  const now = () => after(systemClock.now(), passed)
  const fake = await startFakeIfthenpay(now, new Set([phone]))
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
    mobileWallet: async ({ key }: { key: string }) => void noticed.push(`payment ${key}`),
  }
  const open = async (): Promise<GatewayRails> => {
    const { settings, secrets } = fake
    const connected = await connectRails(database, ifthenpay, { settings, secrets, clock: { now }, notices })
    await connected.set()
    fake.receiver = async (query) => {
      const { connection, tools } = connected.opened
      const received = { headers: {}, query: Object.fromEntries(query), rawBody: Buffer.alloc(0) }
      const verified = await ifthenpay.webhook?.verify(connection, received, tools)
      if (verified?.kind !== 'accepted') return 401
      await ifthenpay.webhook?.handle(connection, { ...verified, id: verified.id ?? randomUUID() }, tools)
      return 200
    }
    return connected.rails
  }
  const requestOf = (key: string) => fake.ordersOf(orderStemOf(key)).at(-1)?.requestId ?? ''
  return {
    ...{ fake, now, open, noticed },
    wallet: async () => (await open()).mobileWallet,
    acquirer: async () => (await open()).acquirer,
    references: async () => (await open()).referenceNetworks.serving(1001n) as ProviderReferences,
    approve: (key: string) => fake.answerPhone(requestOf(key), 'approve'),
    refuse: (key: string) => fake.answerPhone(requestOf(key), 'refuse'),
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
  describeMobileWallet('ifthenpay', async () => {
    const { now, pass, approve, refuse, close, wallet } = await startIfthenpay()
    return {
      wallet: await wallet(),
      ...{ phone, now, pass, approve, refuse, close, change: async () => false },
      unregistered: '+351912345699',
      lacks: ['finding customers', 'mandates', 'holds', 'partial releases', 'withdrawal'],
      restarted: wallet,
    }
  })

const asReferenceProvider = () =>
  describeReferenceProvider('ifthenpay', async () => {
    const { fake, now, references, close } = await startIfthenpay()
    return {
      network: await references(),
      ...{ now, close, restarted: references, lacks: ['withdrawal', 'refunds'] },
      pay: (name, amount) => fake.payReference(name, amount),
      madeUnder: (key) =>
        fake.ordersOf(orderStemOf(key)).map(({ entity, reference }) => ({ entity, ref: reference })),
      loseNextAnswer: () => fake.provider.interrupt(1, 'after', /reference\/init/),
    }
  })

export const ifthenpayContract: Contract = {
  driver: ifthenpay,
  suites: {
    // ifthenpay shows no refused cards and holds none: conformance.test.ts tries what its page can do.
    acquirer: () => undefined,
    mobileWallet: asMobileWallet,
    referenceNetwork: asReferenceProvider,
  },
  async start(now) {
    const fake = await startFakeIfthenpay(now, new Set([phone]))
    const kept: URLSearchParams[] = []
    fake.receiver = async (query) => {
      kept.push(query)
      return 200
    }
    const ordersOf = (key: string) => fake.ordersOf(orderStemOf(key))
    const refunded = new Map<string, bigint[]>()
    /** ifthenpay does not get our key of a refund. */
    const watched = (way: Way): Way => ({
      ...way,
      losesRefunds: true,
      async refund(rails, asked) {
        const before = fake.refunds.length
        try {
          return (await way.refund?.(rails, asked)) ?? 'gone'
        } finally {
          const moved = fake.refunds.slice(before).map((part) => -part)
          refunded.set(asked.key, [...(refunded.get(asked.key) ?? []), ...moved])
        }
      },
    })
    const sentAs = (query: URLSearchParams) => ({ headers: {}, query: Object.fromEntries(query), body: '' })
    const approve = (key: string) => fake.answerPhone(ordersOf(key).at(-1)?.requestId ?? '', 'approve')
    return {
      ...{ provider: fake.provider, settings: fake.settings, secrets: fake.secrets },
      ways: [
        watched(cardPages((page: CustomerPage) => fake.answerPage((page as LinkedPage).url, 'confirm'))),
        watched(phonePayments({ phone, now, approve, losesRequests: true })),
        references({ now, pay: (name) => fake.payReference(name, amount), refunds: false }),
      ],
      movements: (key) => [
        ...ordersOf(key).flatMap((one) => (one.paidAt === undefined ? [] : [one.amount])),
        ...(refunded.get(key) ?? []),
      ],
      notifications: () => kept.splice(0).map(sentAs),
      forged: (key) =>
        sentAs(
          new URLSearchParams({ key: 'NotTheRightKey00', order: `${orderStemOf(key)}0`, amount: '10.00' }),
        ),
      setRevoked(isRevoked) {
        fake.habits.revoked = isRevoked
      },
      close: () => fake.close(),
    }
  },
}
