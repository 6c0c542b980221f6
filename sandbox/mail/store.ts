// SQL of the post box.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { type BoxedMail, boxedMails } from './model.ts'

const fresh = boxedMails.omit('times')

const insertMail = statement(`
  insert into sandbox.mails (${fresh.list()}) values (${fresh.placeholders()})
  on conflict (message_id) do update set times = mails.times + 1`)

export async function keepMail(db: Executor, mail: Omit<BoxedMail, 'times'>): Promise<void> {
  await db.run(insertMail, fresh.values(mail))
}

const insertDeferred = statement<{ message_id: string }>(
  'insert into sandbox.mails_deferred (message_id) values ($1) on conflict do nothing returning message_id',
)

/** True at the first attempt of a mail. */
export async function deferOnce(db: Executor, messageId: string): Promise<boolean> {
  return (await db.run(insertDeferred, [messageId])).length === 1
}

const selectMails = statement<StoredRowOf<typeof boxedMails>>(`
  select ${boxedMails.list()} from sandbox.mails
  where $1::text is null or lower(recipient) = lower($1)
  order by taken_at desc, message_id limit $2`)

export async function listBoxed(
  db: Executor,
  recipient: string | undefined,
  limit: number,
): Promise<BoxedMail[]> {
  return (await db.run(selectMails, [recipient ?? null, limit])).map(boxedMails.read)
}

const selectMail = statement<StoredRowOf<typeof boxedMails>>(
  `select ${boxedMails.list()} from sandbox.mails where message_id like '<' || $1::uuid::text || '@%'`,
)

export async function findBoxed(db: Executor, id: string): Promise<BoxedMail | undefined> {
  return boxedMails.first(await db.run(selectMail, [id]))
}

const deleteBefore = statement('delete from sandbox.mails where taken_at < $1')

export async function dropBoxed(db: Executor, before: Instant): Promise<void> {
  await db.run(deleteBefore, [toTimestamp(before)])
}
