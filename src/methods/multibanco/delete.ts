// Deletion of a reference (CONTRACT section 11).
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { findOperation } from '../../operations/index.ts'
import type { ReferenceName } from '../../rails/index.ts'
import type { MultibancoDeps } from './deps.ts'
import type { BankReference } from './model.ts'
import { stateOf } from './rules.ts'
import { deleteReferenceRow, findReferenceForPayer } from './store.ts'

/**
 * Deletes a reference. A recurring one takes no more payments. The operation of a time-limited one becomes
 * VOIDED. Refusals: not_found; illegal_state for instant references, and for paid, expired or deleted ones.
 */
export async function deleteReference(
  deps: MultibancoDeps,
  walletId: bigint,
  name: ReferenceName,
): Promise<Result<void>> {
  const reference = await ownReference(deps, walletId, name)
  if (reference === undefined) {
    return refuse('not_found', `there is no reference ${name.ref} of entity ${name.entity}`)
  }
  if (reference.kind === 'instant') {
    return refuse('illegal_state', 'an instant reference cannot be cancelled: it ends at its expires')
  }
  const now = deps.clock.now()
  const over = stateOf(reference, undefined, now) === 'expired'
  if (over || !(await voidOperation(deps, reference))) {
    return refuse('illegal_state', 'the reference was paid, has expired, or was deleted before')
  }
  return (await deleteReferenceRow(deps.database, reference, now))
    ? ok(undefined)
    : refuse('illegal_state', 'the reference was deleted before')
}

async function ownReference(
  { database }: MultibancoDeps,
  walletId: bigint,
  name: ReferenceName,
): Promise<BankReference | undefined> {
  const reference = await findReferenceForPayer(database, name)
  return reference?.walletId === walletId ? reference : undefined
}

async function voidOperation(
  { database, settle }: MultibancoDeps,
  { id, walletId, operationId }: BankReference,
): Promise<boolean> {
  if (operationId === undefined) return true
  const operation = await findOperation(database, walletId, operationId)
  if (operation === undefined) return false
  const guard = { kind: 'awaited_attempt', attemptId: id } as const
  if ((await settle(operation, { status: 'VOIDED', guard, silent: true })) !== undefined) return true
  // An earlier process voided the operation and died, so this one finishes the deletion.
  const { status, attemptId } = (await findOperation(database, walletId, operationId)) ?? operation
  return status === 'VOIDED' && attemptId === id
}
