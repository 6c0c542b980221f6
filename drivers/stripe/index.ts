// Stripe: cards, MB WAY, Multibanco and SEPA direct debits, by its own library. Its limits are in docs/inside/providers.md.
import type Stripe from 'stripe'
import type { Driver, SettingSpec } from '../../src/connections/index.ts'
import { creditorIdOf, isCreditorId } from '../../src/kernel/values/creditor-reference.ts'
import { createCards } from './cards.ts'
import { type CallStripe, connectStripe } from './client.ts'
import { createDirectDebits } from './elsewhere/direct-debits.ts'
import { createMobileWallet } from './elsewhere/mobile-wallet.ts'
import { createReferences } from './elsewhere/references.ts'
import { statementOf } from './statement.ts'
import { webhook } from './webhooks.ts'

/** SEPA's limit for names. */
const nameLengthMax = 70

const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'secret_key', secret: true, required: true, namesAccount: true },
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
    ...{ name: 'creditor_name', secret: false, required: false, neededFor: 'directDebit' },
    help: 'As whom Stripe collects SEPA direct debits, as its mandates name it (Dashboard, Settings, Payment methods).',
    check: (text) =>
      /\p{L}/u.test(text) && text.trim().length <= nameLengthMax
        ? undefined
        : `must be a name of at most ${nameLengthMax} characters`,
  },
  {
    ...{ name: 'creditor_id', secret: false, required: false, neededFor: 'directDebit' },
    help: 'The creditor identifier under which Stripe collects SEPA direct debits, as its mandates name it.',
    check: (text) =>
      isCreditorId(text) ? undefined : 'must be a creditor identifier of SEPA with its check digits right',
  },
  {
    ...{ name: 'api_base', secret: false, required: false, namesAccount: true, address: true },
    help: 'Another address of the API, for a proxy or a test; https://api.stripe.com unless set.',
    check: (text) =>
      isBase(text) ? undefined : 'must be an address such as https://api.stripe.com, without a path',
  },
]

export const stripe: Driver = {
  name: 'stripe',
  rails: ['acquirer', 'mobileWallet', 'referenceNetwork', 'directDebit'],
  proven: false,
  settings,
  open(connection, tools) {
    const call = connectStripe(connection, tools)
    const { requests, clock } = tools
    const { authentication, reference_email: email, creditor_name: name, creditor_id } = connection.settings
    const creditor = { name: (name ?? '').trim(), creditorId: creditorIdOf(creditor_id ?? '') }
    return {
      acquirer: createCards({ call, requests, authenticates: authentication !== 'own' }),
      mobileWallet: createMobileWallet({ call, requests, clock }),
      referenceNetwork: createReferences({ call, requests, email }),
      directDebit: createDirectDebits({ call, requests, creditor }),
    }
  },
  /** Test and live mode know nothing of each other's payments. */
  async accountOf(connection, tools) {
    const call = connectStripe(connection, tools)
    const { livemode } = await call(undefined, (api) => api.balance.retrieve())
    const { id } = await ownAccount(call)
    return `${id} in ${livemode ? 'live' : 'test'} mode`
  },
  async check(connection, tools) {
    const call = connectStripe(connection, tools)
    const { livemode } = await call(undefined, (api) => api.balance.retrieve())
    const mode = livemode ? 'live mode: money moves' : 'test mode: no money moves'
    const account = await ownAccount(call)
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

/** Something else answers at the address of Stripe, such as a proxy; the library takes any JSON without an `error`. */
class NotStripe extends Error {
  override readonly name = 'what answers there is not Stripe'
}

async function ownAccount(call: CallStripe): Promise<Stripe.Account> {
  const account = await call(undefined, (api) => api.accounts.retrieveCurrent())
  const id: unknown = account.id
  if (typeof id === 'string' && id.startsWith('acct_')) return account
  throw new NotStripe()
}

function isBase(text: string): boolean {
  const { pathname, search, hash } = new URL(text)
  return pathname === '/' && search + hash === ''
}
