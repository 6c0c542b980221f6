// Wires what merchants sell with: checkouts, subscriptions, authorizations, payouts, and each method of payment.
import { createAuthorizations } from '../authorizations/index.ts'
import { cardPaymentChecks } from '../card-payments/index.ts'
import { attemptChecks, cardSecrets, createVault } from '../cards/index.ts'
import { checkoutChecks, createCheckouts } from '../checkouts/index.ts'
import type { App } from '../http/index.ts'
import { gatewayWalletId } from '../ledger/index.ts'
import { mandateChecks } from '../mandates/index.ts'
import { createBalance } from '../methods/balance/index.ts'
import { createBankTransfers } from '../methods/bank-transfer/index.ts'
import { createMbway } from '../methods/mbway/index.ts'
import { createMultibanco } from '../methods/multibanco/index.ts'
import { createPaypal } from '../methods/paypal/index.ts'
import { createSepaDebit } from '../methods/sepa-debit/index.ts'
import { mobilePaymentChecks } from '../mobile-payments/index.ts'
import type { Core } from '../module.ts'
import { createPayouts } from '../payouts/index.ts'
import type { Runtime } from '../runtime.ts'
import { createStatements } from '../statements/index.ts'
import { followMandates, type SubscriptionsDeps, subscriptionChecks } from '../subscriptions/index.ts'
import { createSuspense } from '../suspense/index.ts'
import type { Books } from './books.ts'
import { composeCards } from './cards.ts'
import { composeMobile } from './mobile.ts'
import type { RailDrivers } from './rails.ts'
import { composeSubscriptions } from './subscriptions.ts'

export type Selling = ReturnType<typeof composeSelling>

export function composeSelling(
  core: Core,
  runtime: Runtime,
  drivers: RailDrivers,
  books: Books,
  manifestPath: string,
) {
  const { ledger, wallets, callbacks, operations, idempotency, methods, railOf } = books
  const { acquirer, threeDSecure, mobileWallet, referenceNetworks: networks, creditTransfer } = drivers
  const { settle, engine, show, preview, settleFunded } = operations
  const shared = { ...core, settle, engine, show, preview, wallets, callbacks, ledger }
  const mobile = composeMobile(runtime, {
    ...shared,
    mobileWallet,
    subscriptions: followMandates(core),
  })
  const payouts = createPayouts({ ...shared, idempotency, rail: creditTransfer })
  const vault = createVault(core)
  const chargingRailOf: SubscriptionsDeps['chargingRailOf'] = (method) => {
    const rail = methods.of(method)?.charging
    if (rail === undefined) throw new Error(`nothing is charged by ${method}`)
    return rail
  }
  const recurring = composeSubscriptions(runtime, {
    ...shared,
    ...{ vault, chargingRailOf },
    mandates: mobile.mandates,
    withdrawFromPhone: mobile.payments.withdraw,
  })
  const { subscriptions } = recurring
  const selling = { ...shared, subscriptions }
  const suspense = createSuspense({
    ...{ ...shared, networks, bank: creditTransfer },
    sendsTransfers: () => drivers.capabilitiesOf?.(gatewayWalletId).methods.has('BANK') ?? true,
  })
  const checkouts = createCheckouts(selling)
  const cards = composeCards(runtime, {
    ...{ wallets, operations, callbacks, vault, acquirer, threeDSecure, manifestPath, onError: core.onError },
    checkoutSubject: checkouts.cardSubject,
    subscriptionSubject: recurring.cardSubject,
    endSubscriptionsOf: subscriptions.voidWithCard,
  })
  const transfers = createBankTransfers(shared)
  const multibanco = createMultibanco({ ...shared, networks, suspense })
  methods.add(
    cards.method,
    multibanco,
    createMbway({
      ...core,
      payments: mobile.payments,
      subscriptions,
      mandates: mobile.mandates,
      rail: mobileWallet,
    }),
    createPaypal({ ...shared, rail: drivers.onlineWallet }),
    createBalance({ ...selling, settleFunded }),
    createSepaDebit({ ...shared, rail: drivers.directDebit }),
    transfers,
  )
  const { mandates, payments } = mobile
  return {
    cards: {
      ...cards,
      ...{ start: cards.cards.listen, stop: cards.cards.settled, notices: { card: cards.cards.onNotice } },
      routes(app: App) {
        for (const { routes } of [cards.cards, cards.api, cards.fields]) routes?.(app)
      },
      workers: cards.fields.workers,
      checks: [...attemptChecks, ...cardPaymentChecks],
      secrets: [...cardSecrets, ...(cards.fields.secrets ?? [])],
    },
    mobile: {
      ...mobile,
      notices: { mobileWallet: mobile.notice },
      routes(app: App) {
        for (const { routes } of [mandates, payments]) routes(app)
      },
      workers: { mandates: mandates.worker },
      checks: [...mandateChecks, ...mobilePaymentChecks],
    },
    checkouts: { ...checkouts, workers: { checkouts: checkouts.expiry }, checks: checkoutChecks },
    subscriptions: {
      ...subscriptions,
      workers: { charges: subscriptions.charges, subscriptions: subscriptions.ends },
      checks: subscriptionChecks,
    },
    authorizations: createAuthorizations({ ...shared, railOf, showPostings: operations.showPostings }),
    ...{ suspense, multibanco, transfers, checkoutDeps: selling, payouts },
    statements: createStatements(shared),
  }
}
