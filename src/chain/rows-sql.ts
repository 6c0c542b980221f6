// SQL that counts and hashes rows by batch and wallet.
import type { Instant } from '../kernel/time.ts'
import { type Executor, statementWithoutTimeLimit } from '../storage/database.ts'
import type { WrittenRows } from './model.ts'

/** Names the operator's schema: a function next to the tables could replace it and deceive the audit. */
const joined = 'operator(pg_catalog.||)'

/** SQL of a row's hash. Only the last field may contain a space. In valid books no field is null. */
function rowHash(fields: readonly string[]): string {
  const texts = fields.map((field) => `coalesce((${field})::text, '-')`)
  return `pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.concat_ws(' ', ${texts.join(', ')}), 'UTF8'))`
}

function microseconds(moment: string): string {
  return `(extract(epoch from ${moment}) operator(pg_catalog.*) 1000000::numeric)::bigint`
}

/** SQL of the account with its owner, because an attacker could give a number to another account. */
function accountText(account: string): string {
  const parts = ['wallet_id', 'kind', 'currency'].map((part) => `${account}.${part}::text`)
  return `coalesce(${parts.join(` ${joined} '/'::text ${joined} `)}, '-')`
}

const postingHash = rowHash([
  `'posting'`,
  'postings.written_in',
  'postings.id',
  'postings.operation_id',
  'postings.purpose',
  'postings.debit_account',
  accountText('debit'),
  'postings.credit_account',
  accountText('credit'),
  'postings.amount',
  microseconds('postings.created_at'),
])

/** The row has the hash of the body, which remains if bodies are deleted one day. */
const eventHash = rowHash([
  `'event'`,
  'events.written_in',
  'events.id',
  'events.kind',
  'events.subject',
  `pg_catalog.encode(events.digest, 'hex')`,
  `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(events.payload, 'UTF8')), 'hex')`,
  microseconds('events.created_at'),
  'events.event',
])

const postingsSql = `
    select pg_catalog.width_bucket(written_in, $1::bigint[]) as batch, postings.wallet_id, pg_catalog.count(*) as rows,
      pg_catalog.min(postings.created_at) as earliest, pg_catalog.max(postings.created_at) as latest,
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.string_agg(${postingHash}, ''::bytea order by postings.written_in, postings.id)), 'hex') as hash
    from postings
    left join accounts as debit on debit.id = postings.debit_account
    left join accounts as credit on credit.id = postings.credit_account
    where written_in >= $2 and written_in < $3
    group by 1, 2`

const eventsSql = `
    select pg_catalog.width_bucket(written_in, $1::bigint[]) as batch, wallet_id, pg_catalog.count(*) as rows,
      pg_catalog.min(created_at) as earliest, pg_catalog.max(created_at) as latest,
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.string_agg(${eventHash}, ''::bytea order by written_in, id)), 'hex') as hash
    from events
    where written_in >= $2 and written_in < $3
    group by 1, 2`

interface HashedRow {
  batch: number
  wallet_id: bigint
  postings: bigint
  postings_hash: string | null
  events: bigint
  events_hash: string | null
  earliest: Instant | null
  latest: Instant | null
}

const hashWritten = statementWithoutTimeLimit<HashedRow>(`
  select batch, wallet_id, coalesce(posting.rows, 0) as postings, posting.hash as postings_hash,
    coalesce(event.rows, 0) as events, event.hash as events_hash,
    least(posting.earliest, event.earliest) as earliest, greatest(posting.latest, event.latest) as latest
  from (${postingsSql}) as posting
  full join (${eventsSql}) as event using (batch, wallet_id)`)

/** A position is the number of a transaction. `from` is inclusive, `ends` are exclusive. */
export async function writtenRows(
  db: Executor,
  from: bigint,
  ends: readonly bigint[],
): Promise<WrittenRows[][]> {
  const rows = await db.run(hashWritten, [ends, from, ends.at(-1)])
  const batches: WrittenRows[][] = ends.map(() => [])
  for (const row of rows)
    batches[row.batch]?.push({
      walletId: row.wallet_id,
      postings: row.postings,
      postingsHash: row.postings_hash ?? undefined,
      events: row.events,
      eventsHash: row.events_hash ?? undefined,
      earliest: row.earliest ?? undefined,
      latest: row.latest ?? undefined,
    })
  return batches
}
