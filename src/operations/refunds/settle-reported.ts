// Settling reports of a rail; the resolver repeats it after a crash.
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Operation } from '../model.ts'
import type { Settle } from '../settle/settle.ts'

export async function settleReported(
  { settle }: { readonly settle: Settle },
  operation: Operation | undefined,
): Promise<void> {
  if (operation?.status !== 'PENDING') return
  crashPoint('return opened, not settled')
  await settle(operation, { status: 'COMPLETED', guard: { kind: 'attempt', attemptId: operation.id } })
}
