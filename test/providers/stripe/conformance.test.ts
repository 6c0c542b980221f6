// Stripe's driver keeps the promises of its contracts, over connections and a fake of Stripe.
import { type databaseKinds, openTestDatabase } from '../../database.ts'
import { describeCardAcquirer } from '../../rails/card-acquirer-conformance.ts'
import { describeCustomerAuthorizations } from '../../rails/customer-authorizations-conformance.ts'
import { wrongNumber } from './cards.ts'
import { connectStripe } from './connect.ts'
import { secretKey, startStripe, webhookSecret } from './index.ts'

async function start(kind: (typeof databaseKinds)[number] = 'pglite') {
  const [database, fake] = await Promise.all([openTestDatabase(kind), startStripe()])
  const account = { secretKey, webhookSecret, url: fake.provider.url }
  const open = () => connectStripe(database, account)
  const close = async () => {
    await fake.provider.close()
    await database.close()
  }
  return { fake, open, close }
}

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
