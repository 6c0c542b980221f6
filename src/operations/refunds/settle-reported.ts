// Settling what a rail did by itself: the money has moved, so it completes, and a crash before that is made up for by the resolver.
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Operation } from '../model.ts'
import type { Settle } from '../settle/settle.ts'

/** Completes an operation that was opened for what a rail reported; nothing where there is none, or it has completed. */
export async function settleReported(
  { settle }: { readonly settle: Settle },
  operation: Operation | undefined,
): Promise<void> {
  if (operation?.status !== 'PENDING') return
  crashPoint('return opened, not settled')
  await settle(operation, { status: 'COMPLETED', guard: { kind: 'attempt', attemptId: operation.id } })
}
