// Settling from a consumer's balance: decided and booked in one transaction, and never more than there is.

import { unwrap } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { lockAccount, type WalletAccount } from '../../ledger/index.ts'
import type { Method } from '../../methods/list.ts'
import type { Executor } from '../../storage/index.ts'
import { type AttemptReference, beginApproval, chooseAttempt, holdApproval } from '../attempts/approvals.ts'
import { admitPayment } from '../limits/limits.ts'
import type { Operation } from '../model.ts'
import { fundedStatements, writeFundedSettlement } from './funded-sql.ts'
import { type SettleDeps, settlementRow } from './settle.ts'
import { settlementParameters } from './settle-sql.ts'

export interface FundedPayment {
  readonly operation: Operation
  readonly method: Method
  /** Takes the operation, unless it was opened under this attempt already. */
  readonly attemptId: string
  /** Whose balance pays. */
  readonly payer: WalletAccount
  /** Writes what else belongs to the payment. */
  also(tx: Executor): Promise<void>
}

export type FundedOutcome =
  | { readonly kind: 'settled'; readonly operation: Operation }
  | { readonly kind: 'insufficient_funds' }
  /** The operation is final, or a rail is deciding about it. */
  | { readonly kind: 'too_late' }

export type SettleFunded = (payment: FundedPayment) => Promise<FundedOutcome>

/** Takes everything back when the balance is too small. */
class NotEnough extends Error {}

/**
 * Pays an open operation from a balance. The account is locked last, and the statement that settles looks at
 * what others took before: so of many payments at once, those that fit are made. What belongs to the payment
 * as well, such as a charge, ends in the same statement. Throws limit_reached where its merchant may not take the amount.
 */
export function createSettleFunded(deps: SettleDeps): SettleFunded {
  const { database, clock, ledger } = deps
  const statements = fundedStatements(deps.extension?.sql)

  return async ({ operation, method, attemptId, payer, also }) => {
    const guard = { kind: 'attempt', attemptId } as const
    const paid = { ...operation, method, attemptId }
    const row = await settlementRow(deps, paid, { status: 'COMPLETED', guard, payer })
    const parameters = await settlementParameters(ledger, [row])
    const accountId = await ledger.numberOf(payer)
    const wallet = await deps.wallets.get(operation.walletId)
    const attempt = { walletId: operation.walletId, operationId: operation.id, attemptId }
    try {
      const ours = await database.transaction(async (tx) => {
        if (!(await takeOperation(tx, operation, attempt, method, clock.now()))) return false
        const payment = { operationId: operation.id, amount: operation.amount, field: 'amount' }
        // What was opened under this attempt was admitted then, and is not judged again.
        if (!isOpenedUnder(operation, attemptId)) unwrap(await admitPayment(deps, wallet, payment, tx))
        await also(tx)
        await lockAccount(tx, accountId)
        const funded = await writeFundedSettlement(tx, statements, parameters, {
          accountId,
          amount: operation.amount,
        })
        if (!funded) throw new NotEnough()
        return true
      })
      if (!ours) return { kind: 'too_late' }
    } catch (error) {
      if (error instanceof NotEnough) return { kind: 'insufficient_funds' }
      throw error
    }
    deps.callbacks.wake()
    return { kind: 'settled', operation: row.settled }
  }
}

/** The operation is this attempt's alone until the transaction ends; false when it is not to be had. */
async function takeOperation(
  tx: Executor,
  operation: Operation,
  attempt: AttemptReference,
  method: Method,
  now: Instant,
): Promise<boolean> {
  if (isOpenedUnder(operation, attempt.attemptId)) return holdApproval(tx, attempt)
  return (await chooseAttempt(tx, attempt, method, now)) && beginApproval(tx, attempt, now)
}

function isOpenedUnder(operation: Operation, attemptId: string): boolean {
  return operation.underApproval && operation.attemptId === attemptId
}
