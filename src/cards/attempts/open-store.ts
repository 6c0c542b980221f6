// The SQL of new attempts: as a fragment for the statement that opens what is to be paid, and by themselves.
import type { Instant } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import { type CardAttempt, cardAttempts } from '../model.ts'

/** What is written of a new attempt, to be ended at `dueAt` if the customer does not come back. */
const newAttempts = cardAttempts.whole.omit(
  'asked',
  'acsUrl',
  'acsTransactionId',
  'authentication',
  'failure',
  'acquirerReference',
  'inquiries',
)

/** Columns of the row set that {@link openAttemptsSql} reads. */
export const attemptColumns = newAttempts.types

/** Inserts the attempts of `source`, which has {@link attemptColumns}. */
export function openAttemptsSql(source: string): string {
  return `insert into card_attempts (${newAttempts.list()}) select ${newAttempts.list()} from ${source}`
}

/** The values of {@link attemptColumns}. */
export function attemptRow(
  attempt: CardAttempt,
  dueAt: Instant,
): Record<keyof typeof attemptColumns, unknown> {
  return newAttempts.write({ ...attempt, dueAt })
}

const insertAttemptRow = statement(
  `insert into card_attempts (${newAttempts.list()}) values (${newAttempts.placeholders()})`,
)

/** Writes a new attempt, to be ended at `dueAt` if the customer does not come back. */
export async function insertAttempt(db: Executor, attempt: CardAttempt, dueAt: Instant): Promise<void> {
  await db.run(insertAttemptRow, newAttempts.values({ ...attempt, dueAt }))
}
