// SQL of the post box.

import type { Randomness } from '../../src/kernel/random.ts'
import { type Keyring, open, seal } from '../../src/kernel/sealing.ts'
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import {
  type Executor,
  type SealedColumn,
  type StoredRowOf,
  sealedColumn,
  statement,
} from '../../src/storage/index.ts'
import { type BoxedMail, boxedMails, type MailContent } from './model.ts'

const fresh = boxedMails.omit('times')

const insertMail = statement(`
  insert into sandbox.mails (${fresh.list()}) values (${fresh.placeholders()})
  on conflict (message_id) do update set times = mails.times + 1`)

const placeOf = (messageId: string) => `sandbox mail ${messageId}`

export async function keepMail(
  db: Executor,
  { keyring, random }: { readonly keyring: Keyring; readonly random: Randomness },
  { text, html, headers, ...mail }: Omit<BoxedMail, 'times'>,
): Promise<void> {
  const content: MailContent = { text, html, headers }
  const sealed = seal(keyring, JSON.stringify(content), placeOf(mail.messageId), random)
  await db.run(insertMail, fresh.values({ ...mail, sealed }))
}

function opened(keyring: Keyring, row: StoredRowOf<typeof boxedMails>): BoxedMail {
  const { sealed, ...mail } = boxedMails.read(row)
  const content: MailContent = JSON.parse(open(keyring, sealed, placeOf(mail.messageId)).toString())
  return { ...mail, ...content }
}

export const boxedSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'sandbox_mails',
    table: 'sandbox.mails',
    column: 'sealed',
    key: { message_id: 'text' },
    associatedDataOf: ({ message_id }) => placeOf(String(message_id)),
  }),
]

const insertDeferred = statement<{ message_id: string }>(
  'insert into sandbox.mails_deferred (message_id) values ($1) on conflict do nothing returning message_id',
)

export async function deferOnce(db: Executor, messageId: string): Promise<boolean> {
  return (await db.run(insertDeferred, [messageId])).length === 1
}

const selectMails = statement<StoredRowOf<typeof boxedMails>>(`
  select ${boxedMails.list()} from sandbox.mails
  where ($1::text is null or lower(recipient) = lower($1)) and ($3 or not opens_account)
  order by taken_at desc, message_id limit $2`)

export async function listBoxed(
  db: Executor,
  keyring: Keyring,
  recipient: string | undefined,
  limit: number,
  withAccounts: boolean,
): Promise<BoxedMail[]> {
  return (await db.run(selectMails, [recipient ?? null, limit, withAccounts])).map((row) =>
    opened(keyring, row),
  )
}

const selectMail = statement<StoredRowOf<typeof boxedMails>>(
  `select ${boxedMails.list()} from sandbox.mails where message_id like '<' || $1::uuid::text || '@%'`,
)

export async function findBoxed(db: Executor, keyring: Keyring, id: string): Promise<BoxedMail | undefined> {
  const [row] = await db.run(selectMail, [id])
  return row && opened(keyring, row)
}

const deleteBefore = statement('delete from sandbox.mails where taken_at < $1')

export async function dropBoxed(db: Executor, before: Instant): Promise<void> {
  await db.run(deleteBefore, [toTimestamp(before)])
}
