// The SQL of attempts whose call to the acquirer was held up.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { CardAttempt } from '../model.ts'

const renewRow = statement<{ id: string }>(`
  update card_attempts set due_at = $3, inquiries = 0
  where wallet_id = $1 and id = $2 and state = 'AUTHORISING' and inquiries < $4
  returning id`)

/**
 * Has the resolver look first at `dueAt` again; false when the attempt is over, or the resolver has asked
 * `inquiriesMax` times and decides.
 */
export async function renewAttempt(
  db: Executor,
  { walletId, id }: CardAttempt,
  dueAt: Instant,
  inquiriesMax: number,
): Promise<boolean> {
  return (await db.run(renewRow, [walletId, id, toTimestamp(dueAt), inquiriesMax])).length === 1
}
