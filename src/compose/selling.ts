// Wires checkouts, subscriptions, authorizations, payouts and each payment method.
import { createAuthorizations } from '../authorizations/index.ts'
import { createCheckouts } from '../checkouts/index.ts'
import { createCustomers } from '../customers/index.ts'
import { gatewayWalletId } from '../ledger/index.ts'
import type { Mail } from '../mail/index.ts'
import { createBalance } from '../methods/balance/index.ts'
import { createBankTransfers } from '../methods/bank-transfer/index.ts'
import { createCards } from '../methods/cards/index.ts'
import { createMbway } from '../methods/mbway/index.ts'
import { createMultibanco } from '../methods/multibanco/index.ts'
import { createPaypal } from '../methods/paypal/index.ts'
import { createSepaDebit } from '../methods/sepa-debit/index.ts'
import type { PageCore } from '../module.ts'
import { backToLink, createPaymentLinks } from '../payment-links/index.ts'
import { createPayouts } from '../payouts/index.ts'
import { createSecureFields } from '../secure-fields/index.ts'
import { createStatements } from '../statements/index.ts'
import { createSubscriptions } from '../subscriptions/index.ts'
import { createSuspense } from '../suspense/index.ts'
import type { Books } from './books.ts'
import type { RailDrivers } from './rails.ts'

export type Selling = ReturnType<typeof composeSelling>

export function composeSelling(core: PageCore, drivers: RailDrivers, books: Books, mail: Mail) {
  const { ledger, wallets, callbacks, operations, idempotency, methods, railOf } = books
  const { mobileWallet, referenceNetworks: networks, creditTransfer } = drivers
  const { settle, engine, show, preview } = operations
  const shared = { ...core, core, settle, engine, show, preview, wallets, callbacks, ledger }
  const subscriptions = createSubscriptions({ ...shared, methods })
  const suspense = createSuspense({
    ...{ ...shared, networks, bank: creditTransfer },
    sendsTransfers: () => drivers.capabilitiesOf?.(gatewayWalletId).methods.has(transfers.code) ?? true,
  })
  const fields = createSecureFields({
    ...core,
    sandbox: core.mode === 'sandbox',
    async walletOf(publicId) {
      const wallet = await wallets.findByPublicId(publicId)
      return wallet?.kind === 'merchant' ? wallet : undefined
    },
  })
  const cards = createCards({ core, wallets, operations, callbacks, rails: drivers, fields, subscriptions })
  const mbway = createMbway({ ...shared, mobileWallet })
  const multibanco = createMultibanco({
    ...{ ...shared, networks, suspense },
    refunding: { engine, mail, bank: creditTransfer, simulated: drivers.simulated },
  })
  const transfers = createBankTransfers(shared)
  methods.add(
    cards,
    multibanco,
    mbway,
    createPaypal({ ...shared, subscriptions, rail: drivers.onlineWallet }),
    createBalance({ ...shared, settleFunded: operations.settleFunded }),
    createSepaDebit({ ...shared, rail: drivers.directDebit }),
    transfers,
  )
  const checkoutDeps = {
    ...{ core, wallets, settle, show, subscriptions },
    methods,
    simulated: drivers.simulated,
    backTo: backToLink(core.baseUrl),
  }
  const checkouts = createCheckouts(checkoutDeps)
  const linkDeps = { core, wallets, checkouts, mail, simulated: drivers.simulated }
  return {
    authorizations: createAuthorizations({ ...shared, railOf, showPostings: operations.showPostings }),
    customers: createCustomers({ ...core, savedCards: cards.savedCards }),
    payouts: createPayouts({ ...shared, idempotency, rail: creditTransfer }),
    statements: createStatements(shared),
    paymentLinks: createPaymentLinks(linkDeps),
    ...{
      subscriptions,
      suspense,
      fields,
      cards,
      mbway,
      multibanco,
      transfers,
      checkouts,
      checkoutDeps,
      linkDeps,
    },
  }
}
