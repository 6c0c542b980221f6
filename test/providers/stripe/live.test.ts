// The acquirer's conformance suite in Stripe's test mode: needs RAILS_LIVE=1 and STRIPE_SECRET_KEY.
import { describe } from 'vitest'
import { openTestDatabase } from '../../database.ts'
import { describeCardAcquirer } from '../../rails/card-acquirer-conformance.ts'
import { connectStripe } from './connect.ts'
import { webhookSecret } from './index.ts'

const isLive = process.env.RAILS_LIVE === '1'
const secretKey = process.env.STRIPE_SECRET_KEY ?? ''
if (isLive && secretKey !== '' && !/^(sk|rk)_test_/.test(secretKey))
  throw new Error(
    'STRIPE_SECRET_KEY must be a key of the test mode (sk_test_… or rk_test_…): these tests move money',
  )

// The account must be allowed to send card numbers and to capture holds several times.
describe.skipIf(!isLive || secretKey === '')('in its test mode', () => {
  describeCardAcquirer('Stripe itself', async () => {
    const database = await openTestDatabase('pglite')
    const open = async () => (await connectStripe(database, { secretKey, webhookSecret })).acquirer
    return {
      acquirer: await open(),
      cards: {
        approved: '4242424242424242',
        declined: [
          ['4000000000000002', 'do_not_honour'],
          ['4000000000009995', 'insufficient_funds'],
          ['4000000000000069', 'expired_card'],
        ],
      },
      lacks: ['partial releases', 'undone follow-ups'],
      // The limit is 25 requests a second.
      crowd: 4,
      restarted: open,
      close: () => database.close(),
    }
  })
})
