// SQL of mail: switches, outbox, leases and outcomes.
import { type RawBuilder, sql } from 'kysely'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import {
  claimDueSql,
  type Database,
  type Executor,
  type PageOfList,
  type SealedColumn,
  type StoredRowOf,
  sealedColumn,
  selectPage,
  statement,
} from '../storage/index.ts'
import {
  type ClaimedMail,
  isOnByDefault,
  type Language,
  type Mail,
  type MailDetails,
  type MailKind,
  type MailState,
  mailKinds,
  mailSwitches,
  mails,
} from './model.ts'

const selectSwitches = statement<StoredRowOf<typeof mailSwitches>>(
  `select ${mailSwitches.list()} from mail_switches where wallet_id = $1`,
)

/** Whether each kind is on for the wallet. */
export async function switchesOf(
  db: Executor,
  walletId: bigint,
): Promise<Readonly<Record<MailKind, boolean>>> {
  const set = new Map(
    (await db.run(selectSwitches, [walletId])).map(mailSwitches.read).map((row) => [row.kind, row.isOn]),
  )
  return Object.fromEntries(mailKinds.map((kind) => [kind, set.get(kind) ?? isOnByDefault(kind)])) as Record<
    MailKind,
    boolean
  >
}

const upsertSwitch = statement(`
  insert into mail_switches (${mailSwitches.list()}) values (${mailSwitches.placeholders()})
  on conflict (wallet_id, kind) do update set is_on = excluded.is_on, modified_at = excluded.modified_at`)

export async function setSwitch(
  db: Executor,
  {
    walletId,
    kind,
    isOn,
    at,
  }: { readonly walletId: bigint; readonly kind: MailKind; readonly isOn: boolean; readonly at: Instant },
): Promise<void> {
  await db.run(upsertSwitch, mailSwitches.values({ walletId, kind, isOn, modifiedAt: at }))
}

export interface NewMail {
  readonly walletId: bigint
  readonly id: string
  readonly kind: MailKind
  readonly subject: string
  readonly occasion: string
  /** Undefined: the address is looked up when the mail is sent. */
  readonly recipient?: string | undefined
  readonly details?: MailDetails | undefined
  readonly sealed?: Uint8Array | undefined
  readonly at: Instant
}

const insertMail = statement(`
  insert into mails (wallet_id, id, kind, subject, occasion, recipient, details, sealed, due_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
  on conflict (wallet_id, kind, subject, occasion) do nothing`)

/** Writes a mail. Mails about operations and charges are written by triggers (migration 0008) instead. */
export async function addMail(tx: Executor, mail: NewMail): Promise<void> {
  const { walletId, id, kind, subject, occasion, recipient, details, sealed, at } = mail
  const json = details === undefined ? null : JSON.stringify(details)
  await tx.run(insertMail, [
    walletId,
    id,
    kind,
    subject,
    occasion,
    recipient ?? null,
    json,
    sealed ?? null,
    toTimestamp(at),
  ])
}

const claimed = mails.whole

const claimRows = statement<StoredRowOf<typeof claimed>>(`${claimDueSql('mails')} returning *`)

export async function claimMails(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<ClaimedMail[]> {
  const rows = await db.run(claimRows, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map((row) => ({ ...claimed.read(row), leasedUntil }))
}

export interface FinishedMail {
  readonly state: MailState
  readonly dueAt?: Instant | undefined
  readonly attempted: boolean
  readonly status?: number | undefined
  readonly error?: string | undefined
  readonly recipient?: string | undefined
  readonly language?: Language | undefined
  readonly title?: string | undefined
}

/** A secret link is deleted with its mail. The sandbox keeps it in its post box. */
const finishRow = statement<{ id: string }>(`
  update mails set
    state = $4, due_at = $5, finished_at = $6, attempts = attempts + $7, last_status = $8, last_error = $9,
    recipient = coalesce($10, recipient), language = coalesce($11, language), title = coalesce($12, title),
    sealed = case when $4 = 'WAITING' then sealed end
  where wallet_id = $1 and id = $2 and due_at = $3
  returning id`)

/** Returns false if the lease ended and another process has the mail. */
export async function finishMail(
  db: Executor,
  { walletId, id, leasedUntil }: ClaimedMail,
  finished: FinishedMail,
  now: Instant,
): Promise<boolean> {
  const { state, dueAt, attempted, status, error, recipient, language, title } = finished
  const rows = await db.run(finishRow, [
    walletId,
    id,
    toTimestamp(leasedUntil),
    state,
    state === 'WAITING' && dueAt !== undefined ? toTimestamp(dueAt) : null,
    state === 'WAITING' ? null : toTimestamp(now),
    attempted ? 1 : 0,
    status ?? null,
    error ?? null,
    recipient ?? null,
    language ?? null,
    title ?? null,
  ])
  return rows.length === 1
}

/** A CTE that keeps the customer's language if the merchant has turned on any kind. Parameters: wallet, operation, language. */
export function keepLanguageSql(wallet: string, operation: string, language: string): string {
  return `
    kept_language as (
      insert into mail_languages (wallet_id, subject, language)
      select ${wallet}::bigint, ${operation}::uuid, ${language}::text
      where exists (select from mail_switches where wallet_id = ${wallet}::bigint and is_on)
      on conflict (wallet_id, subject) do update set language = excluded.language
    )`
}

const selectLanguage = statement<{ language: Language }>(`
  select language from mail_languages
  where wallet_id = $1 and subject in ($2, (select parent_id from operations where wallet_id = $1 and id = $2))`)

/** The language in which the customer saw the page of an operation, or of its parent. */
export async function languageOf(
  db: Executor,
  { walletId, subject }: Pick<Mail, 'walletId' | 'subject'>,
): Promise<Language | undefined> {
  return (await db.run(selectLanguage, [walletId, subject]))[0]?.language
}

const insertExpiring = statement<{ id: string }>(`
  insert into mails (wallet_id, id, kind, subject, occasion, due_at, created_at)
  select subscriptions.wallet_id, mail_id($2), mail_switches.kind, subscriptions.id, $1, $2, $2
  from mail_switches join subscriptions on subscriptions.wallet_id = mail_switches.wallet_id
  where mail_switches.kind = 'card_expiring' and mail_switches.is_on and subscriptions.status = 'APPROVED'
    and subscriptions.card ->> 'valdate' = $1
  on conflict (wallet_id, kind, subject, occasion) do nothing
  returning id`)

/** Subscriptions whose card is valid until `month` (\`MM/YYYY\`), once each. Returns their number. */
export async function addExpiring(db: Executor, month: string, now: Instant): Promise<number> {
  return (await db.run(insertExpiring, [month, toTimestamp(now)])).length
}

const deleteOld = statement<{ id: string }>(`
  delete from mails where (wallet_id, id) in (
    select wallet_id, id from mails where finished_at < $1 order by finished_at limit $2
  ) returning id`)

/** Deletes finished mails, with the addresses in them. */
export async function deleteFinished(db: Executor, before: Instant, limit: number): Promise<number> {
  return (await db.run(deleteOld, [toTimestamp(before), limit])).length
}

export interface MailFilter {
  readonly states?: readonly MailState[] | undefined
  readonly kinds?: readonly MailKind[] | undefined
  readonly subject?: string | undefined
}

export async function listMails(
  database: Database,
  walletId: bigint,
  { states, kinds, subject }: MailFilter,
  page: PageOfList,
): Promise<{ readonly total: number; readonly mails: readonly Mail[] }> {
  const conditions: RawBuilder<unknown>[] = [sql`wallet_id = ${walletId}`]
  if (states !== undefined) conditions.push(sql`state = any(${states}::text[])`)
  if (kinds !== undefined) conditions.push(sql`kind = any(${kinds}::text[])`)
  if (subject !== undefined) conditions.push(sql`subject = ${subject}::uuid`)
  const { total, rows } = await selectPage(database, mails, conditions, page)
  return { total, mails: rows }
}

const selectMail = statement<StoredRowOf<typeof mails>>(
  `select ${mails.list()} from mails where wallet_id = $1 and id = $2`,
)

export async function findMail(db: Executor, walletId: bigint, id: string): Promise<Mail | undefined> {
  return mails.first(await db.run(selectMail, [walletId, id]))
}

const countFailing = statement<{ failing: bigint }>(
  'select count(*) as failing from mails where due_at is not null and attempts > 0',
)

/** Mails that failed at least once and wait for another attempt. */
export async function failingMails(db: Executor): Promise<number> {
  return Number((await db.run(countFailing))[0]?.failing ?? 0n)
}

export function linkAssociatedData(walletId: bigint, id: string): string {
  return `mail ${walletId} ${id}`
}

export const mailSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'mailed_links',
    table: 'mails',
    column: 'sealed',
    key: { wallet_id: 'bigint', id: 'uuid' },
    associatedDataOf: (row) => linkAssociatedData(row.wallet_id as bigint, String(row.id)),
  }),
]

const skipRows = statement<{ id: string }>(`
  update mails set state = 'SKIPPED', due_at = null, finished_at = $2, last_error = 'no_mail_server', sealed = null
  where due_at < $1
  returning id`)

/** Skips all mail that was due before `before`. */
export async function skipOverdue(db: Executor, before: Instant, now: Instant): Promise<void> {
  await db.run(skipRows, [toTimestamp(before), toTimestamp(now)])
}
