// The SQL of new attempts: as a fragment for the statement that opens what is to be paid, and by themselves.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type ColumnType, type Executor, rowSet, statement } from '../storage/index.ts'
import type { CardAttempt } from './model.ts'

/** Columns of the row set that {@link openAttemptsSql} reads. */
export const attemptColumns = {
  id: 'uuid',
  wallet_id: 'bigint',
  subject_id: 'uuid',
  page_token: 'uuid',
  owner: 'text',
  state: 'text',
  amount: 'bigint',
  currency: 'text',
  merchant_name: 'text',
  intent: 'text',
  keeps_card: 'boolean',
  sealed_card: 'bytea',
  card: 'jsonb',
  browser: 'jsonb',
  three_ds_id: 'uuid',
  method_url: 'text',
  version: 'text',
  created_at: 'timestamptz',
  modified_at: 'timestamptz',
  due_at: 'timestamptz',
} as const satisfies Record<string, ColumnType>

const columnList = Object.keys(attemptColumns).join(', ')

/** Inserts the attempts of `source`, which has {@link attemptColumns}. */
export function openAttemptsSql(source: string): string {
  return `insert into card_attempts (${columnList}) select ${columnList} from ${source}`
}

/** The values of {@link attemptColumns}: a new attempt, to be ended at `dueAt` if the customer does not come back. */
export function attemptRow(
  attempt: CardAttempt,
  dueAt: Instant,
): Record<keyof typeof attemptColumns, unknown> {
  return {
    id: attempt.id,
    wallet_id: attempt.walletId,
    subject_id: attempt.subjectId,
    page_token: attempt.pageToken,
    owner: attempt.owner,
    state: attempt.state,
    amount: attempt.amount,
    currency: attempt.currency,
    merchant_name: attempt.merchantName,
    intent: attempt.intent,
    keeps_card: attempt.keepsCard,
    sealed_card: attempt.sealedCard ?? null,
    card: JSON.stringify(attempt.card),
    browser: JSON.stringify(attempt.browser),
    three_ds_id: attempt.threeDsId,
    method_url: attempt.methodUrl ?? null,
    version: attempt.version ?? null,
    created_at: toTimestamp(attempt.createdAt),
    modified_at: toTimestamp(attempt.modifiedAt),
    due_at: toTimestamp(dueAt),
  }
}

const newAttempts = rowSet(attemptColumns)
const insertAttemptRow = statement(`
  with input as (${newAttempts.source})
  ${openAttemptsSql('input')}`)

/** Writes a new attempt, to be ended at `dueAt` if the customer does not come back. */
export async function insertAttempt(db: Executor, attempt: CardAttempt, dueAt: Instant): Promise<void> {
  await db.run(insertAttemptRow, newAttempts.parameters([attemptRow(attempt, dueAt)]))
}
