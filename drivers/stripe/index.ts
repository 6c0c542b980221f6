// Stripe: cards, MB WAY and Multibanco, by its own library. What it does not do is said in docs/decisions/0107.
import type { Driver, SettingSpec } from '../../src/connections/index.ts'
import { createCards } from './cards.ts'
import { connectStripe } from './client.ts'
import { createMobileWallet } from './mobile-wallet.ts'
import { createReferences } from './references.ts'
import { statementOf } from './statement.ts'
import { webhook } from './webhooks.ts'

const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'secret_key', secret: true, required: true },
    help: 'Secret or restricted key of the account (Developers, API keys); sk_test_… while you try it.',
    check: (text) =>
      /^(sk|rk)_(test|live)_\w+$/.test(text) ? undefined : 'must be a key such as sk_test_… or rk_live_…',
  },
  {
    ...{ name: 'webhook_secret', secret: true, required: true },
    help: 'Signing secret of the webhook endpoint (Developers, Webhooks).',
    check: (text) => (/^whsec_\w+$/.test(text) ? undefined : 'must be a signing secret such as whsec_…'),
  },
  {
    ...{ name: 'authentication', secret: false, required: false },
    help: 'Who has customers authenticated: stripe (unless set), or own, by the 3-D Secure server of this gateway.',
    check: (text) => (/^(stripe|own)$/.test(text) ? undefined : 'must be stripe or own'),
  },
  {
    ...{ name: 'reference_email', secret: false, required: false },
    help: 'Where Stripe writes about a Multibanco reference whose payer has given no address; without it those are declined.',
    check: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? undefined : 'must be an e-mail address'),
  },
  {
    ...{ name: 'api_base', secret: false, required: false },
    help: 'Another address of the API, for a proxy or a test; https://api.stripe.com unless set.',
    check: (text) =>
      isBase(text) ? undefined : 'must be an address such as https://api.stripe.com, without a path',
  },
]

export const stripe: Driver = {
  name: 'stripe',
  rails: ['acquirer', 'mobileWallet', 'referenceNetwork'],
  proven: false,
  settings,
  open(connection, tools) {
    const call = connectStripe(connection, tools)
    const { requests, clock } = tools
    const { authentication, reference_email: email } = connection.settings
    return {
      acquirer: createCards({ call, requests, authenticates: authentication !== 'own' }),
      mobileWallet: createMobileWallet({ call, requests, clock }),
      referenceNetwork: createReferences({ call, requests, email }),
    }
  },
  async check(connection, tools) {
    const call = connectStripe(connection, tools)
    const { livemode } = await call(undefined, (api) => api.balance.retrieve())
    const mode = livemode ? 'live mode: money moves' : 'test mode: no money moves'
    const account = await call(undefined, (api) => api.accounts.retrieveCurrent())
    return [
      { name: 'credentials', ok: true, detail: `account ${account.id}, ${mode}` },
      {
        name: 'charges',
        ok: account.charges_enabled,
        detail: account.charges_enabled
          ? 'the account may take payments; that it may send card numbers itself cannot be asked'
          : 'the account may not take payments yet: complete it in the Dashboard',
      },
    ]
  },
  statement: (connection, day, tools) =>
    statementOf({ call: connectStripe(connection, tools), requests: tools.requests }, day),
  webhook,
}

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && username === ''
}
