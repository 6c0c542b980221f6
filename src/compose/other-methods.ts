// Wires the methods beside cards that no phone and no cash machine is needed for: PAYPAL, SEPA, WALLET, BANK.
import { join } from 'node:path'
import { balanceChecks, createBalances } from '../balances/index.ts'
import { bankFileChecks, type HouseAccount, writeBankFiles } from '../bank-files/index.ts'
import { balanceWay, type CheckoutsDeps, debitWay, onlineWalletWay } from '../checkouts/index.ts'
import { createDirectDebits, directDebitChecks } from '../direct-debits/index.ts'
import type { Ground } from '../ground.ts'
import type { Ledger } from '../ledger/index.ts'
import { createOnlineWalletPayments, onlineWalletChecks } from '../online-wallet/index.ts'
import { bankChannel, type Operation, type Operations, type RailAnswer } from '../operations/index.ts'
import type { CreditTransfer, DirectDebit, OnlineWallet } from '../rails/index.ts'
import type { Wallets } from '../wallets/index.ts'

export interface OtherMethodParts {
  readonly ledger: Ledger
  readonly wallets: Wallets
  readonly operations: Operations
  readonly callbacks: { wake(): void }
  readonly onlineWallet: OnlineWallet
  readonly directDebit: DirectDebit
  readonly creditTransfer: CreditTransfer
  readonly house: HouseAccount
  readonly onError: (error: unknown) => void
}

export type OtherMethods = ReturnType<typeof composeOtherMethods>

export function composeOtherMethods(ground: Ground, parts: OtherMethodParts) {
  const { database, clock, random, config } = ground
  const { ledger, wallets, operations, callbacks, house, onError } = parts
  const { settle, settleFunded } = operations
  const shared = { database, clock, random, settle, wallets, onError }
  return {
    onlineWallet: createOnlineWalletPayments({ ...shared, rail: parts.onlineWallet }),
    directDebits: createDirectDebits({ ...shared, callbacks, creditor: house, rail: parts.directDebit }),
    balances: createBalances({ ...shared, ledger, settleFunded, rail: parts.creditTransfer }),
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

/** What the rail did about a movement of these methods; undefined for movements of others. */
export async function inquireOtherMethod(
  { balances }: Pick<OtherMethods, 'balances'>,
  operation: Operation,
): Promise<RailAnswer | undefined> {
  // The bank told of it, so the money has moved: only our own last step is missing.
  if (operation.channel === bankChannel) return { kind: 'approved' }
  return operation.type === 'WALLETFUNDS' ? balances.inquirePayout(operation) : undefined
}

/** The ways to pay a checkout by these methods; `walletPages` is where the online wallet has its own. */
export function otherWays(
  deps: Pick<CheckoutsDeps, 'database' | 'clock' | 'baseUrl'>,
  { onlineWallet, directDebits, balances }: OtherMethods,
  walletPages: string,
) {
  return {
    PAYPAL: onlineWalletWay(deps, onlineWallet, walletPages),
    WALLET: balanceWay(deps, balances),
    SEPA: debitWay(deps, directDebits),
  }
}
