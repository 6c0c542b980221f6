// Wires what merchants sell with: checkouts, subscriptions, authorizations, payouts, and each method of payment.
import { createAuthorizations } from '../authorizations/index.ts'
import { cardPaymentChecks } from '../card-payments/index.ts'
import { attemptChecks, cardSecrets, createVault } from '../cards/index.ts'
import { checkoutChecks, createCheckouts } from '../checkouts/index.ts'
import type { App } from '../http/index.ts'
import { gatewayWalletId } from '../ledger/index.ts'
import { createBalance } from '../methods/balance/index.ts'
import { createBankTransfers } from '../methods/bank-transfer/index.ts'
import { createMbway } from '../methods/mbway/index.ts'
import { createMultibanco } from '../methods/multibanco/index.ts'
import { createPaypal } from '../methods/paypal/index.ts'
import { createSepaDebit } from '../methods/sepa-debit/index.ts'
import type { Core } from '../module.ts'
import { createPayouts } from '../payouts/index.ts'
import type { Runtime } from '../runtime.ts'
import { createStatements } from '../statements/index.ts'
import { createSubscriptions, subscriptionSubject } from '../subscriptions/index.ts'
import { createSuspense } from '../suspense/index.ts'
import type { Books } from './books.ts'
import { composeCards } from './cards.ts'
import type { RailDrivers } from './rails.ts'

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
  const mbway = createMbway({ ...shared, mobileWallet })
  const payouts = createPayouts({ ...shared, idempotency, rail: creditTransfer })
  const vault = createVault(core)
  const recurring = { ...shared, vault, methods }
  const subscriptions = createSubscriptions(recurring)
  const selling = { ...shared, subscriptions }
  const suspense = createSuspense({
    ...{ ...shared, networks, bank: creditTransfer },
    sendsTransfers: () => drivers.capabilitiesOf?.(gatewayWalletId).methods.has('BANK') ?? true,
  })
  const checkouts = createCheckouts(selling)
  const cards = composeCards(runtime, {
    ...{ wallets, operations, callbacks, vault, acquirer, threeDSecure, manifestPath, onError: core.onError },
    checkoutSubject: checkouts.cardSubject,
    subscriptionSubject: subscriptionSubject(recurring),
    endSubscriptionsOf: subscriptions.voidWithCard,
  })
  const transfers = createBankTransfers(shared)
  const multibanco = createMultibanco({ ...shared, networks, suspense })
  methods.add(
    cards.method,
    multibanco,
    mbway,
    createPaypal({ ...shared, rail: drivers.onlineWallet }),
    createBalance({ ...shared, settleFunded }),
    createSepaDebit({ ...shared, rail: drivers.directDebit }),
    transfers,
  )
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
    checkouts: { ...checkouts, workers: { checkouts: checkouts.expiry }, checks: checkoutChecks },
    authorizations: createAuthorizations({ ...shared, railOf, showPostings: operations.showPostings }),
    ...{ subscriptions, suspense, multibanco, mbway, transfers, checkoutDeps: selling, payouts },
    statements: createStatements(shared),
  }
}
