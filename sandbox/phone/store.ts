// SQL of requests to phones.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import type { PhoneRequest } from './model.ts'
import { phoneRequests } from './model.ts'

type RequestRow = StoredRowOf<typeof phoneRequests>

function requestOf(row: RequestRow): PhoneRequest {
  const { opens, ...request } = phoneRequests.read(row)
  return {
    ...request,
    mandateType: request.mandateType ?? (opens === undefined ? undefined : 'SUBSCRIPTION'),
    mandate: request.kind === 'mandate' ? request.key : opens,
  }
}

const newRequests = phoneRequests.whole.omit('reversedBy')

/** The update changes nothing: it makes PostgreSQL return the known row. */
const upsertRequest = statement<RequestRow>(`
  insert into sandbox.phone_requests (${newRequests.list()}) values (${newRequests.placeholders()})
  on conflict (key) do update set key = excluded.key
  returning *`)

/** Writes a request. If the key is known, returns its first request. */
export async function recordRequest(db: Executor, request: PhoneRequest): Promise<PhoneRequest> {
  const { kind, mandate, mandateType, state, createdAt } = request
  const written = newRequests.values({
    ...request,
    mandateType: kind === 'mandate' ? mandateType : undefined,
    opens: kind === 'mandate' ? undefined : mandate,
    decidedAt: state === 'pending' ? undefined : createdAt,
  })
  const [row] = await db.run(upsertRequest, written)
  return requestOf(row as RequestRow)
}

const selectRequest = statement<RequestRow>('select * from sandbox.phone_requests where key = $1')

export async function findRequest(db: Executor, key: string): Promise<PhoneRequest | undefined> {
  const [row] = await db.run(selectRequest, [key])
  return row === undefined ? undefined : requestOf(row)
}

const selectRequestOfMandate = statement<RequestRow>(`
  select * from sandbox.phone_requests where opens = $1
  union all
  select * from sandbox.phone_requests where key = $1 and kind = 'mandate'
  limit 1`)

export async function findRequestOfMandate(db: Executor, key: string): Promise<PhoneRequest | undefined> {
  const [row] = await db.run(selectRequestOfMandate, [key])
  return row === undefined ? undefined : requestOf(row)
}

const decideRequest = statement<RequestRow>(`
  update sandbox.phone_requests set state = $3, reference = $4, decided_at = $5
  where key = $1 and phone = $2 and state = 'pending' and expires_at > $5
  returning *`)

/** Stores the customer's answer. Undefined if the request was answered before, or its time is over. */
export async function recordAnswer(
  db: Executor,
  { key, phone }: Pick<PhoneRequest, 'key' | 'phone'>,
  state: 'approved' | 'refused',
  reference: string | undefined,
  now: Instant,
): Promise<PhoneRequest | undefined> {
  const [row] = await db.run(decideRequest, [key, phone, state, reference ?? null, toTimestamp(now)])
  return row === undefined ? undefined : requestOf(row)
}

const withdrawRequest = statement<{ key: string }>(`
  update sandbox.phone_requests set state = 'withdrawn', decided_at = $2
  where key = $1 and state = 'pending'
  returning key`)

/** Cancels a request for the merchant. False if the customer has answered it, or its time is over. */
export async function recordWithdrawal(db: Executor, key: string, now: Instant): Promise<boolean> {
  return (await db.run(withdrawRequest, [key, toTimestamp(now)])).length === 1
}

const insertWithdrawn = statement(`
  insert into sandbox.phone_requests (
    key, phone, kind, merchant_id, merchant_name, state, created_at, expires_at, decided_at
  )
  values ($1, '', 'payment', 0, '', 'withdrawn', $2, $2, $2)
  on conflict (key) do nothing`)

/** Cancels a key before its request arrives, so that the phone does not show the request. */
export async function recordWithdrawn(db: Executor, key: string, now: Instant): Promise<void> {
  await db.run(insertWithdrawn, [key, toTimestamp(now)])
}

const expireRequest = statement<{ key: string }>(`
  update sandbox.phone_requests set state = 'expired', decided_at = expires_at
  where key = $1 and state = 'pending' and expires_at <= $2
  returning key`)

/** Ends a request whose time is over. Returns whether this call ended it. */
export async function recordExpiry(db: Executor, key: string, now: Instant): Promise<boolean> {
  return (await db.run(expireRequest, [key, toTimestamp(now)])).length === 1
}

const selectOverdue = statement<{ key: string }>(`
  select key from sandbox.phone_requests
  where phone = $1 and state = 'pending' and expires_at <= $2`)

export async function listOverdue(db: Executor, phone: string, now: Instant): Promise<string[]> {
  return (await db.run(selectOverdue, [phone, toTimestamp(now)])).map(({ key }) => key)
}

const selectRequests = statement<RequestRow>(`
  select * from sandbox.phone_requests where phone = $1 order by created_at desc, key desc limit $2`)

export async function listRequests(db: Executor, phone: string, limit: number): Promise<PhoneRequest[]> {
  return (await db.run(selectRequests, [phone, limit])).map(requestOf)
}

const selectRecent = statement<{ phone: string; waiting: bigint }>(`
  select phone, count(*) filter (where state = 'pending' and expires_at > $1) as waiting
  from sandbox.phone_requests
  where phone <> ''
  group by phone order by max(created_at) desc, phone limit $2`)

export async function listRecentPhones(
  db: Executor,
  now: Instant,
  limit: number,
): Promise<{ phone: string; waiting: number }[]> {
  const rows = await db.run(selectRecent, [toTimestamp(now), limit])
  return rows.map(({ phone, waiting }) => ({ phone, waiting: Number(waiting) }))
}
