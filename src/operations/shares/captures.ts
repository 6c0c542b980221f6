// Dividing a capture after earlier ones.
import { cents } from '../../kernel/money.ts'
import { type AskedShare, type Divided, divideCapture } from '../../splits/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import type { CaptureTurn } from './book.ts'
import { findCaptured } from './captures-store.ts'

export async function divideCaptureOf(
  db: Executor,
  { id, walletId, parentId, amount, fee }: Operation,
  split: readonly AskedShare[],
): Promise<{ readonly division: Divided; readonly turn: CaptureTurn }> {
  if (parentId === undefined) throw new Error(`capture ${id} has no authorization`)
  const { authorized, revision, before } = await findCaptured(db, walletId, parentId, split.length)
  const division = divideCapture({ authorized, amount, net: cents(amount + fee), before }, split)
  return { division, turn: { authorizationId: parentId, revision } }
}
