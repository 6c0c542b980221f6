// The client: `new Comporta({ apiKey, baseUrl })`.
import { Api } from './core/api.ts'
import { type ComportaOptions, settingsOf } from './core/settings.ts'
import { Account, Audit, Payouts } from './resources/account.ts'
import { Checkouts, Page, PaymentLinks } from './resources/checkouts.ts'
import { Customers } from './resources/customers.ts'
import { CallbackEndpoints, Callbacks, Events, Mails, Requests } from './resources/events.ts'
import { Cards, Mandates, Phones, References } from './resources/methods.ts'
import { Authorizations, Operations } from './resources/operations.ts'
import { Subscriptions } from './resources/subscriptions.ts'

export class Comporta {
  readonly checkouts: Checkouts
  readonly paymentLinks: PaymentLinks
  readonly customers: Customers
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
  readonly callbackEndpoints: CallbackEndpoints
  readonly mails: Mails
  readonly requests: Requests
  readonly audit: Audit

  /** Throws a TypeError for an invalid option, without its secret value. */
  constructor(options: ComportaOptions) {
    const api = new Api(settingsOf(options))
    this.checkouts = new Checkouts(api)
    this.paymentLinks = new PaymentLinks(api)
    this.customers = new Customers(api)
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
    this.callbackEndpoints = new CallbackEndpoints(api)
    this.mails = new Mails(api)
    this.requests = new Requests(api)
    this.audit = new Audit(api)
  }
}
