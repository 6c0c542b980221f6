// Assigns money in suspense to a merchant, as a payment.
import { crashPoint } from '../kernel/crash-points.ts'
import { newId } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { clearingOf, gatewayWalletId, type Posting, suspense } from '../ledger/index.ts'
import { insertOperations, underApproval } from '../operations/for-movements.ts'
import { findOperation, type NewOperation, openedOperation } from '../operations/index.ts'
import { postingOf, type SuspenseDeps } from './hold.ts'
import type { SuspenseEntry } from './model.ts'
import { findSuspense, markAssigned } from './store.ts'

/** Default: the wallet of the reference that was paid. */
export interface Assignee {
  readonly walletId?: bigint | undefined
  /** The payment that was meant. Its merchant references are copied. */
  readonly operationId?: string | undefined
}

interface Plan {
  readonly entry: SuspenseEntry
  readonly walletId: bigint
  readonly operation: NewOperation & ReturnType<typeof underApproval>
}

/** Moves the amount from suspense back to the rail's account, from which the payment books it. */
function releaseOf({ method, amount }: SuspenseEntry): Posting {
  return { debit: suspense, credit: clearingOf(method), amount }
}

async function planFor(deps: SuspenseDeps, id: string, to: Assignee): Promise<Result<Plan>> {
  const { database, clock } = deps
  const entry = await findSuspense(database, id)
  if (entry === undefined) return refuse('not_found', `suspense entry ${id} does not exist`)
  const walletId = to.walletId ?? entry.walletId
  if (walletId === gatewayWalletId)
    return refuse('missing_parameter', 'the wallet is unknown: name it with --wallet')
  const wallet = await deps.wallets.find(walletId)
  if (wallet?.kind !== 'merchant') return refuse('not_found', `merchant ${walletId} does not exist`)
  const meant =
    to.operationId === undefined ? undefined : await findOperation(database, walletId, to.operationId)
  if (to.operationId !== undefined && meant === undefined)
    return refuse('not_found', `wallet ${walletId} has no operation ${to.operationId}`)
  const now = clock.now()
  const { extInvoiceId, extEmail, extCustomerId, callbackUrl } = meant ?? {}
  const operation = underApproval({
    id: newId(now, deps.random),
    walletId,
    ...({ type: 'PAYMENT', status: 'PENDING', method: entry.method, currency: 'EUR' } as const),
    amount: entry.amount,
    channel: 'BACKOFFICE',
    ...{ extInvoiceId, extEmail, extCustomerId, callbackUrl },
    createdAt: now,
  })
  return ok({ entry, walletId, operation })
}

/** Shows the assignment and changes nothing. It has the same refusals. */
export async function previewAssignment(
  deps: SuspenseDeps,
  id: string,
  to: Assignee,
): Promise<Result<readonly Posting[]>> {
  const plan = await planFor(deps, id, to)
  if (!plan.ok) return plan
  const { entry, operation } = plan.value
  if (entry.state !== 'OPEN') return notOpen(id)
  return ok([releaseOf(entry), ...(await deps.preview(operation)).postings])
}

/** Refusals: not_found, missing_parameter (unknown wallet), illegal_state if the entry is not open. */
export async function assignEntry(
  deps: SuspenseDeps,
  id: string,
  to: Assignee,
): Promise<Result<SuspenseEntry>> {
  const { database, clock, settle } = deps
  const plan = await planFor(deps, id, to)
  if (!plan.ok) return plan
  const { entry, walletId, operation } = plan.value
  const now = clock.now()
  const posting = await postingOf(deps, operation.id, releaseOf(entry), entry)
  const isOurs = await database.transaction(async (tx) => {
    if (!(await markAssigned(tx, { id, walletId }, posting, now))) return false
    await insertOperations(tx, [{ operation, claim: undefined }])
    return true
  })
  if (!isOurs) return notOpen(id)
  crashPoint('suspense assigned, its payment not settled')
  await settle(openedOperation(operation), {
    status: 'COMPLETED',
    guard: { kind: 'attempt', attemptId: operation.id },
  })
  return ok((await findSuspense(database, id)) ?? entry)
}

function notOpen(id: string): Result<never> {
  return refuse('illegal_state', `entry ${id} is not open any more: see comporta suspense list --all`)
}
