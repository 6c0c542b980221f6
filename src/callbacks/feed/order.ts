// The order of events and postings: by the transaction that wrote them, also after the database was restored on another server.
import { type Database, type Executor, statement } from '../../storage/index.ts'

/**
 * SQL of the position before which no event can appear any more: every transaction that began to write earlier has
 * ended, and what it wrote is visible to this statement.
 */
export const finalBefore = `(
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint + (select shift from event_order)
  )`

/** SQL of the position behind the chain, above zero. */
const chainedUpto = `greatest((select upto from chain_batches order by number desc limit 1), 1)`

/**
 * Skips from wallet to wallet along the index, so that a start costs no more with millions of events. Of postings only
 * those behind the chain are looked at (decision 0015).
 */
const selectOrder = statement<{ last: bigint; next: bigint }>(`
  with recursive writers as (
    (select wallet_id from events order by wallet_id limit 1)
    union all
    select (select wallet_id from events where wallet_id > writers.wallet_id order by wallet_id limit 1)
    from writers where writers.wallet_id is not null
  )
  select greatest(
      coalesce(max((
        select written_in from events
        where events.wallet_id = writers.wallet_id order by written_in desc, id desc limit 1
      )), 0),
      ${chainedUpto} - 1,
      (select coalesce(max(written_in), 0) from postings where written_in >= ${chainedUpto})
    ) as last,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint + (select shift from event_order) as next
  from writers`)

const keepWritersOut = statement('lock table postings, events in access exclusive mode')
const shiftOrder = statement('update event_order set shift = $1')

/**
 * Has new events and postings come after all that there are. They do by themselves, except in a copy that was restored on a
 * server which has counted fewer transactions: to be called before anything is written.
 *
 * @returns whether the order had to be shifted
 */
export async function continueEventOrder(database: Database): Promise<boolean> {
  if (!(await isBehind(database))) return false
  return database.transaction(async (tx) => {
    await tx.run(keepWritersOut)
    const last = await isBehind(tx)
    if (last === false) return false
    // A default cannot hold a parameter; this is a bigint of our own.
    const columnDefault = `pg_current_xact_id()::text::bigint + ${last}`
    for (const table of ['postings', 'events'])
      await tx.run(statement(`alter table ${table} alter column written_in set default ${columnDefault}`))
    await tx.run(shiftOrder, [last])
    return true
  })
}

/** The position of the last event or posting, where the next would not come after it. */
async function isBehind(db: Executor): Promise<bigint | false> {
  const [order] = await db.run(selectOrder)
  return order !== undefined && order.last > 0n && order.next <= order.last ? order.last : false
}
