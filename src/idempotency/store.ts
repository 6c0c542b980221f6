// SQL of the table of requests.
import { after, type Clock, day, hour, type Instant, toTimestamp } from '../kernel/time.ts'
import {
  batched,
  createPeriodicWorker,
  type Database,
  type Executor,
  execute,
  findAll,
  lookup,
  rowSet,
  type StoredRowOf,
  statement,
  storeFunction,
  type Worker,
} from '../storage/index.ts'
import { type FirstAnswer, type KeptRequest, requests } from './model.ts'

const asking = requests.pick('requestId', 'resourceId', 'href', 'createdAt')

const requestByKey = lookup<StoredRowOf<typeof requests>>({
  key: { wallet_id: 'bigint', request_id: 'uuid' },
  sql: `
    select ${requests.list()}
    from requests
    where wallet_id = wanted.wallet_id and request_id = wanted.request_id`,
})

export async function findRequest(
  db: Executor,
  walletId: bigint,
  requestId: string,
): Promise<KeptRequest | undefined> {
  const row = await db.find(requestByKey, [walletId, requestId])
  return row && requests.read(row)
}

/** Finds the requests that created `made`, if they are still stored. A request has the time of its object. */
export const findRequestsFor = findAll(
  asking,
  (walletId: bigint, made: readonly { readonly id: string; readonly createdAt: Instant }[]) => [
    walletId,
    made.map(({ id }) => id),
    made.map(({ createdAt }) => toTimestamp(createdAt)),
  ],
)`
  select ${asking.list()} from requests
  where wallet_id = $1 and resource_id = any($2::uuid[]) and created_at = any($3::timestamptz[])`

/** Replaces the first answer about a deleted object: it holds personal data. */
export const forgetAnswer = execute(
  (made: { readonly walletId: bigint; readonly id: string; readonly createdAt: Instant }, answer: string) => [
    ...[made.walletId, made.id, toTimestamp(made.createdAt)],
    answer,
  ],
)`
  update requests set answer = $4
  where wallet_id = $1 and resource_id = $2 and created_at = $3 and answer is not null`

const answers = rowSet({ wallet_id: 'bigint', request_id: 'uuid', http_status: 'integer', answer: 'text' })

const storeAnswers = statement<{ wallet_id: bigint; request_id: string }>(`
  with input as (${answers.source})
  update requests set http_status = input.http_status, answer = input.answer
  from input
  where requests.wallet_id = input.wallet_id and requests.request_id = input.request_id
    and requests.http_status is null
  returning requests.wallet_id, requests.request_id`)

export type KeepAnswer = (walletId: bigint, requestId: string, answer: FirstAnswer) => Promise<boolean>

/** Answers that are ready at the same time share a statement and its commit. */
export function createKeepAnswer(database: Database): KeepAnswer {
  const nameOf = (row: { wallet_id: bigint; request_id: string }) => `${row.wallet_id} ${row.request_id}`
  const write = batched<
    { wallet_id: bigint; request_id: string; http_status: number; answer: string },
    boolean
  >({
    database,
    aggregateOf: nameOf,
    async write(rows) {
      const written = new Set((await database.run(storeAnswers, answers.parameters(rows))).map(nameOf))
      return rows.map((row) => written.has(nameOf(row)))
    },
  })
  return (walletId, requestId, { status, body }) =>
    write({ wallet_id: walletId, request_id: requestId.toLowerCase(), http_status: status, answer: body })
}

const forgetRequestsBefore = storeFunction(
  (moment: Instant) => [toTimestamp(moment)],
  (rows: { request_id: string }[]) => rows.length,
)`
  delete from requests where created_at < $1 returning request_id`

export const keptDays = 30

export function createPurge(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Worker {
  const { database, clock, onError } = deps
  return createPeriodicWorker({
    name: 'request ids',
    database,
    pollMs: hour,
    async run() {
      await forgetRequestsBefore(database, after(clock.now(), -keptDays * day))
    },
    onError,
  })
}
