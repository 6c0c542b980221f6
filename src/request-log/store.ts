// SQL of the request log.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Database, rowSet, type StoredRowOf, statement } from '../storage/index.ts'
import { type LoggedRequest, requestLog } from './model.ts'

const newRows = rowSet(requestLog.types)

const insertRows = statement(`
  insert into request_log (${requestLog.list()})
  select ${requestLog.list()} from (${newRows.source}) as input
  on conflict do nothing`)

export async function insertRequests(database: Database, rows: readonly LoggedRequest[]): Promise<void> {
  await database.run(insertRows, newRows.parameters(rows.map(requestLog.write)))
}

const listed = requestLog.pick(
  'id',
  'answeredAt',
  'keyId',
  'method',
  'route',
  'path',
  'status',
  'code',
  'durationMs',
)
export type ListedRequest = Pick<
  LoggedRequest,
  'id' | 'answeredAt' | 'keyId' | 'method' | 'route' | 'path' | 'status' | 'code' | 'durationMs'
>

export interface RequestFilter {
  readonly statusClass?: number | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly keyId?: string | undefined
  readonly tid?: string | undefined
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
}

/** Requests scanned per page, so that rare filters cost no more than others. */
const scannedMax = 20_000
const endOfIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const scanned = (condition: string) => `
    select ${requestLog.omit('body', 'answer').list()}
    from request_log
    where wallet_id = $1 and id < $2${condition}
    order by id desc
    limit ${scannedMax}`

const selectOf = (condition: string) => ({
  page: statement<StoredRowOf<typeof listed>>(`
  select ${listed.list()}
  from (${scanned(condition)}) as scanned
  where ($3::integer is null or status / 100 = $3)
    and ($4::text is null or method = $4)
    and ($5::text is null or starts_with(path, $5))
    and ($6::text is null or key_id = $6)
    and ($7::uuid is null or id = $7)
    and ($8::timestamptz is null or answered_at >= $8)
    and ($9::timestamptz is null or answered_at < $9)
  order by id desc
  limit $10`),
  end: statement<{ id: string }>(`
  select id from request_log
  where wallet_id = $1 and id < $2${condition}
  order by id desc
  offset ${scannedMax - 1} limit 1`),
})

const selects = { all: selectOf(''), failed: selectOf(' and status >= 400') }

export interface RequestPage {
  readonly requests: readonly ListedRequest[]
  readonly next: string | undefined
}

/** A page may be short or empty and still have a `next`: it scans 20 000 requests at most. */
export async function listRequests(
  database: Database,
  walletId: bigint,
  filter: RequestFilter,
  { before = endOfIds, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<RequestPage> {
  const { statusClass = null, method = null, path = null, keyId = null, tid = null, from, until } = filter
  const { page, end } = selects[statusClass !== null && statusClass >= 4 ? 'failed' : 'all']
  const rows = await database.run(page, [
    walletId,
    before,
    statusClass,
    method,
    path,
    keyId,
    tid,
    from === undefined ? null : toTimestamp(from),
    until === undefined ? null : toTimestamp(until),
    limit + 1,
  ])
  const requests = rows.slice(0, limit).map(listed.read)
  if (rows.length > limit) return { requests, next: requests.at(-1)?.id }
  const [last] = await database.run(end, [walletId, before])
  return { requests, next: last?.id }
}

const selectOne = statement<StoredRowOf<typeof requestLog>>(`
  select ${requestLog.list()} from request_log where wallet_id = $1 and id = $2`)

export async function findRequest(
  database: Database,
  walletId: bigint,
  tid: string,
): Promise<LoggedRequest | undefined> {
  return requestLog.first(await database.run(selectOne, [walletId, tid]))
}

/** Rows per statement, so that payments on the embedded database do not wait long. */
const forgottenAtOnce = 2000

const deleteBefore = statement<{ id: string }>(`
  delete from request_log
  where ctid = any(array(
    select ctid from request_log where answered_at < $1 order by answered_at limit ${forgottenAtOnce}
  ))
  returning id`)

export async function forgetRequestsBefore(database: Database, moment: Instant): Promise<number> {
  let total = 0
  for (;;) {
    const { length } = await database.run(deleteBefore, [toTimestamp(moment)])
    total += length
    if (length < forgottenAtOnce) return total
  }
}
