// Assigning money in suspense to a merchant: a payment of its own, with its callback.
import { crashPoint } from '../kernel/crash-points.ts'
import { newId } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { clearingOf, gatewayWalletId, suspense } from '../ledger/index.ts'
import {
  findOperation,
  insertOperations,
  type NewOperation,
  openedOperation,
  underApproval,
} from '../operations/index.ts'
import type { SuspenseDeps } from './deps.ts'
import { postingOf } from './hold.ts'
import type { SuspenseEntry } from './model.ts'
import { findSuspense, markAssigned } from './store.ts'

/** To whom an entry is assigned; left out, to whom its reference belongs. */
export interface Assignee {
  readonly walletId?: bigint | undefined
  /** The payment that was meant: the merchant's references are taken from it. */
  readonly operationId?: string | undefined
}

/**
 * Pays an open entry to a merchant.
 *
 * Refusals: not_found for an unknown entry, wallet or operation; missing_parameter where nobody knows whose it is;
 * illegal_state when the entry is not open.
 */
export async function assignEntry(
  deps: SuspenseDeps,
  id: string,
  to: Assignee,
): Promise<Result<SuspenseEntry>> {
  const { database, clock, settle } = deps
  const entry = await findSuspense(database, id)
  if (entry === undefined) return refuse('not_found', `there is no entry ${id} in suspense`)
  const walletId = to.walletId ?? entry.walletId
  if (walletId === gatewayWalletId)
    return refuse('missing_parameter', 'nobody knows whose it is: name --wallet')
  const wallet = await deps.wallets.find(walletId)
  if (wallet?.kind !== 'merchant') return refuse('not_found', `there is no merchant ${walletId}`)
  const meant =
    to.operationId === undefined ? undefined : await findOperation(database, walletId, to.operationId)
  if (to.operationId !== undefined && meant === undefined)
    return refuse('not_found', `wallet ${walletId} has no operation ${to.operationId}`)
  const now = clock.now()
  const operationId = newId(now, deps.random)
  const { extInvoiceId, extEmail, extCustomerId, callbackUrl } = meant ?? {}
  const operation: NewOperation = underApproval({
    id: operationId,
    walletId,
    ...{ type: 'PAYMENT', status: 'PENDING', method: entry.method, amount: entry.amount, currency: 'EUR' },
    channel: 'BACKOFFICE',
    ...{ extInvoiceId, extEmail, extCustomerId, callbackUrl },
    createdAt: now,
  })
  // What the rail owes is booked once more, by the payment.
  const accounts = { debit: suspense, credit: clearingOf(entry.method) }
  const posting = await postingOf(deps, operationId, accounts, entry)
  const isOurs = await database.transaction(async (tx) => {
    if (!(await markAssigned(tx, { id, walletId }, posting, now))) return false
    await insertOperations(tx, [{ operation, claim: undefined }])
    return true
  })
  if (!isOurs)
    return refuse('illegal_state', `entry ${id} is not open any more: comporta suspense list --all`)
  crashPoint('suspense assigned, its payment not settled')
  await settle(openedOperation(operation), {
    status: 'COMPLETED',
    guard: { kind: 'attempt', attemptId: operationId },
  })
  return ok((await findSuspense(database, id)) ?? entry)
}
