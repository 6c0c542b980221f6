// Wires the handlers of the methods of payment: what the engine, refunds and authorizations ask of which rail.
import { inquirePayout } from '../balances/index.ts'
import { cardHandler } from '../card-payments/index.ts'
import { debitHandler } from '../direct-debits/index.ts'
import { phoneHandler } from '../mobile-payments/index.ts'
import { onlineWalletHandler } from '../online-wallet/index.ts'
import type { RailHandler, RailHandlers } from '../operations/index.ts'
import type { GatewayRails } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import type { Wallets } from '../wallets/index.ts'

export function composeHandlers(
  { database, clock }: Runtime,
  rails: GatewayRails,
  wallets: Wallets,
): RailHandlers {
  return {
    CC: cardHandler(rails.acquirer, wallets),
    MBWAY: phoneHandler(rails.mobileWallet),
    PAYPAL: onlineWalletHandler({ database, rail: rails.onlineWallet }),
    WALLET: ownBooks,
    SEPA: bankHandler({ database, clock }, rails),
  }
}

const approved = async () => ({ kind: 'approved' }) as const

/** From one balance to another: our own ledger is the rail. */
const ownBooks: RailHandler = { inquire: approved, refund: approved }

/** Payouts are sent by credit transfer; everything else by SEPA is about a direct debit. */
function bankHandler(runtime: Pick<Runtime, 'database' | 'clock'>, rails: GatewayRails): RailHandler {
  const debits = debitHandler({ ...runtime, rail: rails.directDebit })
  const transfers = { database: runtime.database, rail: rails.creditTransfer }
  return {
    ...debits,
    inquire: (request, operation) =>
      request.type === 'WALLETFUNDS'
        ? inquirePayout(transfers, { walletId: request.walletId, id: request.operationId })
        : debits.inquire(request, operation),
  }
}
