// Stripe's entry in the table of contract tests, against a fake of Stripe.
import { stripe } from '../../../drivers/stripe/index.ts'
import { after, systemClock } from '../../../src/kernel/time.ts'
import type { GatewayRails, ProviderReferences } from '../../../src/rails/index.ts'
import { openTestDatabase } from '../../database.ts'
import { describeBank } from '../../rails/bank-conformance.ts'
import { describeCardAcquirer } from '../../rails/card-acquirer-conformance.ts'
import { describeCustomerAuthorizations } from '../../rails/customer-authorizations-conformance.ts'
import { describeMobileWallet } from '../../rails/mobile-wallet-conformance.ts'
import { describeReferenceProvider } from '../../rails/reference-provider-conformance.ts'
import type { Contract } from '../contract/table.ts'
import { cardNumbers, debits, phonePayments, references } from '../contract/ways.ts'
import { wrongNumber } from './cards.ts'
import { connectStripe, creditor } from './connect.ts'
import { secretKey, signature, startStripe, webhookSecret } from './index.ts'
import { unknownPhone } from './records.ts'

const ibans = { paid: 'DE89370400440532013000', returned: 'DE62370400440532013001' }

async function start() {
  let passedMs = 0
  const now = () => after(systemClock.now(), passedMs)
  const [database, fake] = await Promise.all([openTestDatabase('pglite'), startStripe(now)])
  const account = { secretKey, webhookSecret, url: fake.provider.url }
  const settings = { reference_email: 'loja@example.com', ...creditor }
  const open = () => connectStripe(database, account, { clock: { now }, settings })
  const pass = (ms: number) => {
    passedMs += ms
  }
  const close = async () => {
    await fake.provider.close()
    await database.close()
  }
  return { fake, open, close, now, pass }
}

const asAcquirer = () =>
  describeCardAcquirer('Stripe', async () => {
    const { fake, open, close } = await start()
    return {
      acquirer: (await open()).acquirer,
      cards: {
        approved: '4242424242424242',
        declined: [
          ['4000000000000002', 'do_not_honour'],
          ['4000000000009995', 'insufficient_funds'],
          ['4000000000009987', 'lost_or_stolen'],
          ['4000000000006975', 'limit_exceeded'],
          ['4000000000000069', 'expired_card'],
          ['4000000000000127', 'wrong_security_code'],
          ['4100000000000019', 'suspected_fraud'],
          ['4000000000003220', 'authentication_required'],
          [wrongNumber, 'invalid_card'],
        ],
      },
      lacks: ['partial releases', 'undone follow-ups'],
      restarted: async () => (await open()).acquirer,
      movements: async (key) => fake.movements(key),
      held: async (key) => BigInt(fake.intentOf(key)?.amount_capturable ?? 0),
      close,
    }
  })

const asAuthenticatingAcquirer = () =>
  describeCustomerAuthorizations('Stripe', async () => {
    const { fake, open, close } = await start()
    return {
      acquirer: (await open()).acquirer,
      merchants: { served: 1001n },
      cards: { seen: '4000000000003220', unseen: '4242424242424242' },
      answerPage: (page, answer) => fake.answerPage(page, answer),
      restarted: async () => (await open()).acquirer,
      close,
    }
  })

const asMobileWallet = () =>
  describeMobileWallet('Stripe', async () => {
    const { fake, open, ...time } = await start()
    return {
      ...time,
      wallet: (await open()).mobileWallet,
      ...{ phone: '+351912345678', unregistered: unknownPhone },
      lacks: ['finding customers', 'holds', 'mandates', 'partial releases'],
      approve: async (key) => fake.answerPhone(key, 'approve'),
      refuse: async (key) => fake.answerPhone(key, 'refuse'),
      change: async () => false,
      restarted: async () => (await open()).mobileWallet,
    }
  })

const asBank = () =>
  describeBank(
    'Stripe',
    async () => {
      const { fake, open, close } = await start()
      const { directDebit } = await open()
      const keys: { readonly key: string; readonly iban: string }[] = []
      return {
        directDebit: {
          ...directDebit,
          collect(asked) {
            keys.push({ key: asked.key, iban: asked.debtor.iban })
            return directDebit.collect(asked)
          },
        },
        ibans,
        dueOn: '2026-11-25',
        async untilDue() {
          for (const { key, iban } of keys.splice(0))
            fake.answerDebit(key, iban === ibans.returned ? 'insufficient_funds' : undefined)
        },
        close,
      }
    },
    { transfers: false },
  )

const asReferenceProvider = () =>
  describeReferenceProvider('Stripe', async () => {
    const { fake, open, now, close } = await start()
    const referencesOf = ({ referenceNetworks }: GatewayRails): ProviderReferences => {
      const network = referenceNetworks.serving(1001n)
      if (network?.numbering !== 'theirs') throw new Error('no provider makes references')
      return network
    }
    return {
      ...{ now, close },
      network: referencesOf(await open()),
      pay: async ({ ref }) => fake.payReference(ref),
      restarted: async () => referencesOf(await open()),
      loseNextAnswer: () => fake.provider.interrupt(2, 'after'),
    }
  })

const card = { number: '4242424242424242', expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana' }
const phone = '+351912345678'

export const stripeContract: Contract = {
  driver: stripe,
  suites: {
    acquirer() {
      asAcquirer()
      asAuthenticatingAcquirer()
    },
    mobileWallet: asMobileWallet,
    referenceNetwork: asReferenceProvider,
    directDebit: asBank,
  },
  async start(now) {
    const fake = await startStripe(now)
    let delivered = 0
    return {
      provider: fake.provider,
      settings: { api_base: fake.provider.url, reference_email: 'loja@example.com', ...creditor },
      secrets: { secret_key: secretKey, webhook_secret: webhookSecret },
      ways: [
        cardNumbers(card),
        cardNumbers(card, { intent: 'hold' }),
        phonePayments({ phone, now, approve: (key) => fake.answerPhone(key, 'approve') }),
        references({ now, pay: ({ ref }) => fake.payReference(ref) }),
        debits({ iban: ibans.paid, pay: (key) => fake.answerDebit(key) }),
      ],
      movements: (key) => fake.movements(key),
      notifications() {
        const sent = fake.events.slice(delivered)
        delivered = fake.events.length
        return sent.map(({ body }) => ({ headers: { 'stripe-signature': signature(body) }, body }))
      },
      forged(key) {
        const object = { id: 'pi_forged', metadata: { comporta_key: key } }
        const body = JSON.stringify({ id: 'evt_forged', type: 'payment_intent.succeeded', data: { object } })
        return { headers: { 'stripe-signature': signature(body, 'whsec_other') }, body }
      },
      endHold: (key) => fake.endHold(key),
      setRevoked: (isRevoked) => fake.setRevoked(isRevoked),
      bookForeign: () => fake.bookForeign(),
      loseFromStatement: (key) => fake.loseFromStatement(key),
      close: () => fake.provider.close(),
    }
  },
}
