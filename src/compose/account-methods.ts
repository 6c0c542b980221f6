// Wires the methods that move money between accounts: PAYPAL, SEPA, WALLET, BANK.
import { balanceChecks, createBalances } from '../balances/index.ts'
import { bankFileChecks } from '../bank-files/index.ts'
import { createDirectDebits, directDebitChecks } from '../direct-debits/index.ts'
import type { Idempotency } from '../idempotency/index.ts'
import type { Ledger } from '../ledger/index.ts'
import { createOnlineWalletPayments, onlineWalletChecks } from '../online-wallet/index.ts'
import type { Operations } from '../operations/index.ts'
import type { Rails } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import type { Wallets } from '../wallets/index.ts'

export interface AccountMethodParts {
  readonly ledger: Ledger
  readonly wallets: Wallets
  readonly operations: Operations
  readonly callbacks: { wake(): void }
  readonly idempotency: Idempotency
  readonly rails: Pick<Rails, 'onlineWallet' | 'directDebit' | 'creditTransfer'>
  readonly onError: (error: unknown) => void
}

export type AccountMethods = ReturnType<typeof composeAccountMethods>

export function composeAccountMethods(runtime: Runtime, parts: AccountMethodParts) {
  const { database, clock, random } = runtime
  const { ledger, wallets, operations, callbacks, idempotency, rails, onError } = parts
  const { engine, settle, settleFunded } = operations
  const shared = { database, clock, random, settle, wallets, onError }
  return {
    onlineWallet: createOnlineWalletPayments({ ...shared, rail: rails.onlineWallet }),
    directDebits: createDirectDebits({ ...shared, callbacks, rail: rails.directDebit }),
    balances: createBalances({
      ...{
        ...shared,
        engine,
        ledger,
        preview: operations.preview,
        settleFunded,
        idempotency,
        rail: rails.creditTransfer,
      },
    }),
  }
}

export const accountMethodChecks = [
  ...onlineWalletChecks,
  ...directDebitChecks,
  ...balanceChecks,
  ...bankFileChecks,
] as const
