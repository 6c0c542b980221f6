// Eupago's entry in the table of contract tests, against a fake.
import { createHmac, randomUUID } from 'node:crypto'
import { eupago } from '../../../drivers/eupago/index.ts'
import { after, minute, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails, ProviderReferences, ReferencePayment } from '../../../src/rails/index.ts'
import { connectRails } from '../../connections/connected-rails.ts'
import { openTestDatabase } from '../../database.ts'
import { describeMobileWallet } from '../../rails/mobile-wallet-conformance.ts'
import { describeReferenceProvider } from '../../rails/reference-provider-conformance.ts'
import type { Contract } from '../contract/table.ts'
import { amount, phonePayments, references, type Way } from '../contract/ways.ts'
import type { SentWebhook } from '../hostile-webhooks.ts'
import { startFakeEupago } from './fake.ts'

const account = { iban: 'PT50000201231234567890154', bic: 'BNPAPTPL', holder: 'Ana Silva' }
export const phone = '+351912345678'

export async function startEupago() {
  const database = await openTestDatabase('pglite')
  let passed = 0
  const now = () => after(systemClock.now(), passed)
  const fake = await startFakeEupago(now, new Set([phone]))
  const noticed: string[] = []
  const notices = {
    references: {
      receive: async ({ key, amount: paid }: ReferencePayment) => {
        noticed.push(`reference ${key} ${paid}`)
        return { kind: 'accepted', operationId: key ?? '' } as const
      },
      beneficiaryOf: async () => undefined,
    },
    mobileWallet: async ({ key }: { key: string }) => void noticed.push(`payment ${key}`),
  }
  const open = async (): Promise<GatewayRails> => {
    const { settings, secrets } = fake
    const connected = await connectRails(database, eupago, { settings, secrets, clock: { now }, notices })
    await connected.set()
    fake.receiver = async ({ headers, body }) => {
      const { connection, tools } = connected.opened
      const received = { headers, rawBody: Buffer.from(body) }
      const verified = await Promise.resolve()
        .then(() => eupago.webhook?.verify(connection, received, tools))
        .catch(() => undefined)
      if (verified?.kind !== 'accepted') return 401
      await eupago.webhook?.handle(connection, { ...verified, id: verified.id ?? randomUUID() }, tools)
      return 200
    }
    return connected.rails
  }
  return {
    ...{ fake, now, open, noticed },
    wallet: async () => (await open()).mobileWallet,
    references: async () => (await open()).referenceNetworks.serving(1001n) as ProviderReferences,
    approve: (key: string) => fake.answerPhone(key, 'approve'),
    refuse: (key: string) => fake.answerPhone(key, 'refuse'),
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
  describeMobileWallet('Eupago', async () => {
    const { fake, now, pass, approve, refuse, close, wallet } = await startEupago()
    return {
      wallet: await wallet(),
      ...{ phone, now, refuse, close, change: async () => false },
      // Tests let four minutes pass, but a request at Eupago lasts five. `fake.expire` sends the webhook of its end.
      pass: (milliseconds) => pass(milliseconds + minute),
      async approve(key) {
        await fake.expire()
        return approve(key)
      },
      unregistered: '+351912345699',
      lacks: ['finding customers', 'mandates', 'holds', 'partial releases', 'withdrawal'],
      restarted: wallet,
    }
  })

const asReferenceProvider = () =>
  describeReferenceProvider('Eupago', async () => {
    const { fake, now, references: network, close } = await startEupago()
    return {
      network: await network(),
      ...{ now, close, restarted: network, lacks: ['withdrawal'], refundsToAccounts: true },
      pay: (name, paid) => fake.payReference(name, paid),
      loseNextAnswer: () => fake.provider.interrupt(1, 'after', /multibanco\/create/),
      madeUnder: (key) => fake.askedFor(key).map(({ entity, reference: ref }) => ({ entity, ref })),
    }
  })

export const eupagoContract: Contract = {
  driver: eupago,
  suites: { mobileWallet: asMobileWallet, referenceNetwork: asReferenceProvider },
  async start(now) {
    const fake = await startFakeEupago(now, new Set([phone]))
    const kept: SentWebhook[] = []
    fake.receiver = async (sent) => {
      kept.push(sent)
      return 200
    }
    const refunded = new Map<string, bigint[]>()
    /** Eupago does not receive the key of a refund, so this wrapper notes which refunds belong to which key. */
    const watched = (way: Way): Way => ({
      ...way,
      losesRefunds: true,
      async refund(rails, asked) {
        const before = fake.refunds.length
        try {
          return (await way.refund?.(rails, asked)) ?? 'gone'
        } finally {
          const moved = fake.refunds.slice(before).map((one) => -one.amount)
          refunded.set(asked.key, [...(refunded.get(asked.key) ?? []), ...moved])
        }
      },
    })
    const approve = (key: string) => fake.answerPhone(key, 'approve')
    return {
      ...{ provider: fake.provider, settings: fake.settings, secrets: fake.secrets },
      ways: [
        watched(phonePayments({ phone, now, approve, losesRequests: true })),
        watched(references({ now, pay: (name) => fake.payReference(name, amount), account })),
      ],
      movements: (key) => [
        ...fake.askedFor(key).flatMap((one) => one.payments.map(({ amount: paid }) => paid)),
        ...(refunded.get(key) ?? []),
      ],
      notifications: () => kept.splice(0),
      forged(key) {
        const body = JSON.stringify({ transaction: { identifier: key, status: 'Paid', trid: '1' } })
        const signature = createHmac('sha256', 'another key').update(body).digest('base64')
        return { headers: { 'x-signature': signature }, body }
      },
      setRevoked(isRevoked) {
        fake.habits.revoked = isRevoked
      },
      close: () => fake.close(),
    }
  },
}
