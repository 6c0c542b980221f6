// Stripe: cards, MB WAY, Multibanco and SEPA direct debits.
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

const nameLengthMax = 70

const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'secret_key', secret: true, required: true, namesAccount: true },
    help: 'Secret or restricted key of the account (Developers, API keys). For tests: sk_test_….',
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
    help: 'Authentication of customers by: stripe, or own (the 3-D Secure server of this gateway). Default: stripe.',
    check: (text) => (/^(stripe|own)$/.test(text) ? undefined : 'must be stripe or own'),
  },
  {
    ...{ name: 'reference_email', secret: false, required: false },
    help: 'E-mail address for Multibanco payers without one. If absent, their references are declined.',
    check: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? undefined : 'must be an e-mail address'),
  },
  {
    ...{ name: 'creditor_name', secret: false, required: false, neededFor: 'directDebit' },
    help: 'Creditor name of Stripe’s SEPA mandates (Dashboard, Settings, Payment methods).',
    check: (text) =>
      /\p{L}/u.test(text) && text.trim().length <= nameLengthMax
        ? undefined
        : `must be a name of at most ${nameLengthMax} characters`,
  },
  {
    ...{ name: 'creditor_id', secret: false, required: false, neededFor: 'directDebit' },
    help: 'Creditor identifier of Stripe’s SEPA mandates.',
    check: (text) =>
      isCreditorId(text) ? undefined : 'must be a valid SEPA creditor identifier; check the digits',
  },
  {
    ...{ name: 'api_base', secret: false, required: false, namesAccount: true, address: true },
    help: 'Address of the API, for a proxy or a test. Default: https://api.stripe.com.',
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
  /** The mode is a part of the account's name, because test and live mode have separate payments. */
  async accountOf(connection, tools) {
    const call = connectStripe(connection, tools)
    const { livemode } = await call((api) => api.balance.retrieve())
    const { id } = await ownAccount(call)
    return `${id} in ${livemode ? 'live' : 'test'} mode`
  },
  async check(connection, tools) {
    const call = connectStripe(connection, tools)
    const { livemode } = await call((api) => api.balance.retrieve())
    const mode = livemode ? 'live mode: money moves' : 'test mode: no money moves'
    const account = await ownAccount(call)
    return [
      { name: 'credentials', ok: true, detail: `account ${account.id}, ${mode}` },
      {
        name: 'charges',
        ok: account.charges_enabled,
        detail: account.charges_enabled
          ? 'the account accepts payments; its permission to send card numbers cannot be checked'
          : 'the account cannot take payments yet: complete it in the Dashboard',
      },
    ]
  },
  statement: (connection, day, tools) =>
    statementOf({ call: connectStripe(connection, tools), requests: tools.requests }, day),
  webhook,
}

class NotStripe extends Error {
  override readonly name = 'the server is not Stripe'
}

async function ownAccount(call: CallStripe): Promise<Stripe.Account> {
  const account = await call((api) => api.accounts.retrieveCurrent())
  const id: unknown = account.id
  if (typeof id === 'string' && id.startsWith('acct_')) return account
  throw new NotStripe()
}

function isBase(text: string): boolean {
  const { pathname, search, hash } = new URL(text)
  return pathname === '/' && search + hash === ''
}
