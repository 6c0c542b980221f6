// Wires the methods beside cards that no phone and no cash machine is needed for: PAYPAL, SEPA, WALLET, BANK.
import { join } from 'node:path'
import { balanceChecks, createBalances } from '../balances/index.ts'
import { bankFileChecks, type HouseAccount, writeBankFiles } from '../bank-files/index.ts'
import { balanceWay, type CheckoutsDeps, debitWay, onlineWalletWay } from '../checkouts/index.ts'
import { createDirectDebits, directDebitChecks } from '../direct-debits/index.ts'
import type { Ground } from '../ground.ts'
import type { Idempotency } from '../idempotency/index.ts'
import { cents } from '../kernel/money.ts'
import type { Ledger } from '../ledger/index.ts'
import { createOnlineWalletPayments, onlineWalletChecks } from '../online-wallet/index.ts'
import {
  bankChannel,
  type Operation,
  type Operations,
  type RailAnswer,
  type RefundRails,
  railAnswerOf,
} from '../operations/index.ts'
import {
  type CardAcquirer,
  type CreditTransfer,
  callRail,
  type DirectDebit,
  type MobileWallet,
  type OnlineWallet,
} from '../rails/index.ts'
import type { Wallets } from '../wallets/index.ts'

const inquiryTimeoutMs = 8000

export interface OtherMethodParts {
  readonly ledger: Ledger
  readonly wallets: Wallets
  readonly operations: Operations
  readonly callbacks: { wake(): void }
  readonly idempotency: Idempotency
  readonly rails: {
    readonly onlineWallet: OnlineWallet
    readonly directDebit: DirectDebit
    readonly creditTransfer: CreditTransfer
  }
  readonly house: HouseAccount
  readonly onError: (error: unknown) => void
}

export type OtherMethods = ReturnType<typeof composeOtherMethods>

export function composeOtherMethods(ground: Ground, parts: OtherMethodParts) {
  const { database, clock, random, config } = ground
  const { ledger, wallets, operations, callbacks, idempotency, rails, house, onError } = parts
  const { settle, settleFunded } = operations
  const shared = { database, clock, random, settle, wallets, onError }
  return {
    onlineWallet: createOnlineWalletPayments({ ...shared, rail: rails.onlineWallet }),
    directDebits: createDirectDebits({ ...shared, callbacks, creditor: house, rail: rails.directDebit }),
    balances: createBalances({
      ...{ ...shared, ledger, settleFunded, idempotency, rail: rails.creditTransfer },
    }),
    writeBankFiles: () =>
      writeBankFiles({ database, clock, random, house, folder: join(config.dataDir, 'bank') }),
  }
}

export const otherMethodChecks = [
  ...onlineWalletChecks,
  ...directDebitChecks,
  ...balanceChecks,
  ...bankFileChecks,
] as const

/** Asks the rail of a movement's method what it did; `methods` are asked once they are there. */
export function movementInquiry(
  methods: () => Pick<OtherMethods, 'balances'>,
  rails: { readonly acquirer: CardAcquirer; readonly mobileWallet: MobileWallet },
): (operation: Operation) => Promise<RailAnswer> {
  return async (operation) => {
    const { id, method, type, channel } = operation
    // The gateway decided itself, or the bank told of it: the money has moved, and only our own last step is missing.
    if (method === 'MB' || channel === bankChannel) return { kind: 'approved' }
    if (type === 'WALLETFUNDS') return methods().balances.inquirePayout(operation)
    const ask = (signal: AbortSignal) =>
      method === 'MBWAY' ? rails.mobileWallet.inquireMovement(id) : rails.acquirer.inquire(id, signal)
    return railAnswerOf(await callRail<Awaited<ReturnType<typeof ask>>>(ask, inquiryTimeoutMs))
  }
}

/** The ways to pay a checkout by these methods; `walletPages` is where the online wallet has its own. */
export function otherWays(
  deps: Pick<CheckoutsDeps, 'database' | 'clock' | 'baseUrl' | 'subscriptions'>,
  { onlineWallet, directDebits, balances }: OtherMethods,
  walletPages: string,
) {
  return {
    PAYPAL: onlineWalletWay(deps, onlineWallet, walletPages),
    WALLET: balanceWay(deps, balances),
    SEPA: debitWay(deps, directDebits),
  }
}

/** How money goes back by these methods; `methods` are asked once they are there. */
export function otherRefundRails(methods: () => OtherMethods): RefundRails {
  const approved = async () => ({ kind: 'approved' }) as const
  return {
    PAYPAL: {
      refund: ({ id, amount }, payment) => methods().onlineWallet.giveBack(payment, id, cents(-amount)),
      inquire: ({ id, amount, walletId, currency, parentId = id }) =>
        methods().onlineWallet.inquireGivenBack({ id: parentId, walletId, currency }, id, cents(-amount)),
    },
    // From one balance to another: our own books are the rail.
    WALLET: { refund: approved, inquire: approved },
    SEPA: {
      refund: ({ id, amount }, payment) =>
        methods().directDebits.giveBack({ payment, key: id, amount: cents(-amount) }),
      async inquire({ id, amount, channel, walletId, currency, parentId = id }) {
        if (channel === bankChannel) return { kind: 'approved' }
        const payment = { id: parentId, walletId, currency }
        return methods().directDebits.inquireGivenBack({ payment, key: id, amount: cents(-amount) })
      },
    },
  }
}
