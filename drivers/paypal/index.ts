// PayPal: payments from a PayPal account.
import type { Driver, SettingSpec } from '../../src/connections/index.ts'
import { createAccounts } from './accounts.ts'
import { certificatesIn } from './certificates.ts'
import { apiBaseOf, connectPaypal, type Paypal, PaypalRefusal } from './client.ts'
import { createHolds } from './holds.ts'
import { createOrders } from './orders.ts'
import { createRefunds } from './refunds.ts'
import { statementOf } from './statement.ts'
import { eventTypes, webhook } from './webhooks.ts'

const sandbox = 'https://api-m.sandbox.paypal.com'

const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'client_id', secret: false, required: true, fixed: true },
    help: 'Client ID of the REST app (developer.paypal.com, Apps & Credentials; choose Live or Sandbox).',
    check: (text) => (/^[\w-]{20,120}$/.test(text) ? undefined : 'must be the Client ID of a REST app'),
  },
  {
    ...{ name: 'client_secret', secret: true, required: true },
    help: 'Secret of the same REST app.',
    check: (text) => (/^[\w-]{20,120}$/.test(text) ? undefined : 'must be the secret of a REST app'),
  },
  {
    ...{ name: 'webhook_id', secret: false, required: false },
    help: 'Id of the webhook. comporta connect paypal registers it; without it, webhooks are refused.',
    check: (text) => (/^[A-Z0-9]{10,32}$/.test(text) ? undefined : 'must be an id such as 4JH86294D6297924G'),
  },
  {
    ...{ name: 'webhook_certificates', secret: false, required: false },
    help: 'Certificates (PEM) between PayPal’s signer and a root, if PayPal’s own file lacks them.',
    check: (text) => (isPem(text) ? undefined : 'must be certificates in PEM form'),
  },
  {
    ...{ name: 'api_base', secret: false, required: false, fixed: true, address: true },
    help: 'Address of the API. Default: https://api-m.paypal.com; for tests https://api-m.sandbox.paypal.com.',
    check: (text) =>
      new URL(text).pathname === '/'
        ? undefined
        : 'must be an address without a path, such as https://api-m.paypal.com',
  },
]

/** Written from PayPal's documentation. Tested only against a simulation of PayPal. */
export const paypal: Driver = {
  name: 'paypal',
  rails: ['onlineWallet'],
  proven: false,
  settings,
  open(connection, tools) {
    const { requests, clock } = tools
    const deps = { paypal: connectPaypal(connection, tools), requests, clock }
    const orders = createOrders(deps)
    const isTest = apiBaseOf(connection) === sandbox
    const pagesUrl = isTest ? 'https://www.sandbox.paypal.com' : 'https://www.paypal.com'
    return {
      onlineWallet: {
        ...{ pagesUrl, lacks: () => ['partial releases'] as const, holds: createHolds(deps) },
        ...{ ...orders, ...createRefunds(deps), saved: createAccounts(deps, orders.inquire) },
      },
    }
  },
  async check(connection, tools) {
    const api = connectPaypal(connection, tools)
    const scopes = await api.signIn()
    const { webhook_id: webhookId } = connection.settings
    const reports = scopes.some((scope) => scope.includes('reporting/search'))
    return [
      { name: 'credentials', ok: true, detail: 'PayPal accepts the Client ID and the secret' },
      await webhookCheck(api, webhookId),
      {
        name: 'saved accounts',
        ok: true,
        detail: scopes.some((scope) => scope.includes('vault/payment-tokens'))
          ? 'the app may save accounts for subscriptions'
          : 'the app may not save accounts: subscriptions by PayPal need Vault, which PayPal must approve',
      },
      {
        name: 'reports',
        ok: reports,
        detail: reports
          ? 'the app may read transactions'
          : 'reconciliation needs Transaction search: turn it on for the app; PayPal needs up to 9 hours',
      },
    ]
  },
  connects: {
    test: { api_base: sandbox },
    registerWebhook: async (connection, url, tools) => ({
      webhook_id: await registerWebhook(connectPaypal(connection, tools), url),
    }),
    byHand: [
      'At developer.paypal.com, open the app and turn on Transaction search and Customer disputes.',
      'In the PayPal account, allow the currency EUR and payments from all countries that you sell to.',
      'For subscriptions by PayPal, turn on Vault in the app (Accept payments, Advanced options), and apply for it at PayPal.',
      'Make one payment and one refund before you go live.',
    ],
  },
  statement: (connection, day, tools) =>
    statementOf({ paypal: connectPaypal(connection, tools), requests: tools.requests }, day),
  webhook,
}

interface WebhookAtPaypal {
  readonly id: string
  readonly url: string
}

/** Answers the id of the webhook at this address. If the webhook exists, it gets the events of this version. */
async function registerWebhook(api: Paypal, url: string): Promise<string> {
  const event_types = eventTypes.map((name) => ({ name }))
  const { webhooks = [] } = await api.call<{ webhooks?: readonly WebhookAtPaypal[] }>(
    'GET',
    '/v1/notifications/webhooks',
  )
  const known = webhooks.find((one) => one.url === url)
  if (known === undefined)
    return (
      await api.call<WebhookAtPaypal>('POST', '/v1/notifications/webhooks', { body: { url, event_types } })
    ).id
  await api.call('PATCH', `/v1/notifications/webhooks/${known.id}`, {
    body: [{ op: 'replace', path: '/event_types', value: event_types }],
  })
  return known.id
}

async function webhookCheck(api: Paypal, id: string | undefined) {
  const name = 'webhook'
  if (id === undefined)
    return { name, ok: false, detail: 'no webhook is registered: run comporta connect paypal' }
  try {
    const { url } = await api.call<WebhookAtPaypal>('GET', `/v1/notifications/webhooks/${id}`)
    return { name, ok: true, detail: `registered for ${url}` }
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status !== 404) throw error
    return { name, ok: false, detail: `PayPal does not know webhook ${id}: run comporta connect paypal` }
  }
}

function isPem(text: string): boolean {
  try {
    return certificatesIn(text).length > 0
  } catch {
    return false
  }
}
