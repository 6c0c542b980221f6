// Pays from a consumer's balance, in one transaction.

import { unwrap } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { balanceSql, lockAccount, type WalletAccount } from '../../ledger/index.ts'
import type { Method } from '../../methods/list.ts'
import type { Executor } from '../../storage/index.ts'
import { type AttemptReference, beginApproval, chooseAttempt, holdApproval } from '../attempts/approvals.ts'
import { admitPayment } from '../limits.ts'
import type { Operation } from '../model.ts'
import type { ExtensionSql, SettleDeps } from './model.ts'
import { type SettlementParameters, settlementParameters, settlementRow } from './settle.ts'
import { parameterCountOf, type SettleStatements, settleStatements } from './settle-sql.ts'

export interface FundedPayment {
  readonly operation: Operation
  readonly method: Method
  readonly attemptId: string
  readonly payer: WalletAccount
  also(tx: Executor): Promise<void>
}

export type FundedOutcome =
  | { readonly kind: 'settled'; readonly operation: Operation }
  | { readonly kind: 'insufficient_funds' }
  | { readonly kind: 'too_late' }

export type SettleFunded = (payment: FundedPayment) => Promise<FundedOutcome>

class NotEnough extends Error {}

/** Locks the account last: only parallel payments within the balance are made. Throws limit_reached. */
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
        // An operation that this attempt opened has passed the limits already.
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

/** Returns false if the operation is not available. */
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

function fundedStatements(extension: ExtensionSql | undefined): SettleStatements {
  return settleStatements(extension, (kind) => fundsAfter(parameterCountOf[kind]))
}

function fundsAfter(count: number): string {
  return `and ${balanceSql(`$${count + 1}`)} >= $${count + 2}`
}

/** The account must be locked. Returns false if nothing was written. */
async function writeFundedSettlement(
  tx: Executor,
  statements: SettleStatements,
  { kind, values }: SettlementParameters,
  funds: { readonly accountId: bigint; readonly amount: bigint },
): Promise<boolean> {
  return (await tx.run(statements[kind], [...values, funds.accountId, funds.amount])).length === 1
}
