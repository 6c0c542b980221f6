// The client of a gateway: `new Comporta({ apiKey, baseUrl })`, with a group of calls for each kind of thing.
import { Api } from './core/api.ts'
import { Account, Payouts } from './resources/account.ts'
import { Checkouts, Page, PaymentLinks } from './resources/checkouts.ts'
import { Callbacks, Events, Requests } from './resources/events.ts'
import { Cards, Mandates, Phones, References } from './resources/methods.ts'
import { Authorizations, Operations } from './resources/operations.ts'
import { Subscriptions } from './resources/subscriptions.ts'

export interface ComportaOptions {
  /** `cmp_test_…` or `cmp_live_…`. */
  readonly apiKey: string
  /** Address of the gateway, such as `https://pay.example`. */
  readonly baseUrl: string
  /** For `cards`, the card API. */
  readonly esbToken?: string | undefined
  /** The word before the API key; `Comporta` by default. */
  readonly authScheme?: string | undefined
  /** Milliseconds that one attempt may take; 35 000 by default, as the gateway takes at most 30 s. */
  readonly timeout?: number | undefined
  /** Milliseconds that a call may take with all its attempts; 120 000 by default. */
  readonly totalTimeout?: number | undefined
  /** How often a call is sent again where that is safe; 3 by default. */
  readonly retries?: number | undefined
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export class Comporta {
  readonly checkouts: Checkouts
  readonly paymentLinks: PaymentLinks
  readonly page: Page
  readonly operations: Operations
  readonly authorizations: Authorizations
  readonly cards: Cards
  readonly phones: Phones
  readonly mandates: Mandates
  readonly references: References
  readonly subscriptions: Subscriptions
  readonly account: Account
  readonly payouts: Payouts
  readonly events: Events
  readonly callbacks: Callbacks
  readonly requests: Requests

  /** Throws a TypeError for a key or an address that can be none. */
  constructor(options: ComportaOptions) {
    const { apiKey, baseUrl, authScheme = 'Comporta', timeout = 35_000, totalTimeout = 120_000 } = options
    if (!apiKey) throw new TypeError('apiKey is required: the gateway shows it when a key is created')
    if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
      throw new TypeError('baseUrl must be the address of the gateway, such as https://pay.example')
    const api = new Api({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { authorization: `${authScheme} ${apiKey}` },
      esbToken: options.esbToken,
      fetch: options.fetch ?? globalThis.fetch,
      timeout,
      totalTimeout,
      retries: options.retries ?? 3,
    })
    this.checkouts = new Checkouts(api)
    this.paymentLinks = new PaymentLinks(api)
    this.page = new Page(api)
    this.operations = new Operations(api)
    this.authorizations = new Authorizations(api)
    this.cards = new Cards(api)
    this.phones = new Phones(api)
    this.mandates = new Mandates(api)
    this.references = new References(api)
    this.subscriptions = new Subscriptions(api)
    this.account = new Account(api)
    this.payouts = new Payouts(api)
    this.events = new Events(api)
    this.callbacks = new Callbacks(api)
    this.requests = new Requests(api)
  }
}
