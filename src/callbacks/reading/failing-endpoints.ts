// Failing addresses of all merchants, for the operator.
import { column, type Database, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { deliveries } from '../model.ts'

const examinedMax = 10_000
const shownMax = 100

const failing = deliveries.pick('walletId', 'lane').with({
  backlog: column.integer(),
  givenUp: column.integer(),
  oldestDueAt: column.instant().optional(),
  lastStatus: column.integer().optional(),
  lastError: column.text().optional(),
})

export type FailingEndpoint = RowOf<typeof failing>

const selectFailing = statement<StoredRowOf<typeof failing>>(`
  with examined as (
    (select wallet_id, lane, event_id, state, due_at, last_status, last_error from deliveries
    where state = 'DUE' and claim_id is null and attempts > 0
    order by due_at limit ${examinedMax})
    union all
    (select wallet_id, lane, event_id, state, due_at, last_status, last_error from deliveries
    where state = 'GIVEN_UP'
    order by wallet_id desc, event_id desc limit ${examinedMax})
  )
  select wallet_id, lane,
    (count(*) filter (where state = 'DUE'))::integer as backlog,
    (count(*) filter (where state <> 'DUE'))::integer as given_up,
    min(due_at) as oldest_due_at,
    (array_agg(last_status order by event_id desc))[1] as last_status,
    (array_agg(last_error order by event_id desc))[1] as last_error
  from examined
  group by wallet_id, lane
  order by backlog desc, given_up desc, wallet_id, lane
  limit ${shownMax}`)

export async function failingEndpoints(database: Database): Promise<FailingEndpoint[]> {
  return (await database.run(selectFailing)).map(failing.read)
}
