// The order of events and postings: by transaction number, which continues after a restore.
import { type Database, type Executor, statement } from '../../storage/index.ts'

/** SQL of the end of the fixed order: all transactions with lower numbers have ended. */
export const finalBefore = `(
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint + (select shift from event_order)
  )`

const chainedUpto = `greatest((select upto from chain_batches order by number desc limit 1), 1)`

/** A loose index scan is fast with millions of events. It skips postings that the chain already has. */
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
      (select coalesce(max(written_in), 0) from postings where written_in >= ${chainedUpto}),
      (select coalesce(max(upto_written_in) - 1, 0) from callback_endpoints)
    ) as last,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint + (select shift from event_order) as next
  from writers`)

const keepWritersOut = statement('lock table postings, events in access exclusive mode')
const shiftOrder = statement('update event_order set shift = $1')

/** Continues the order after a restore to a server with lower transaction numbers. Call before any write. */
export async function continueEventOrder(database: Database): Promise<boolean> {
  if (!(await isBehind(database))) return false
  return database.transaction(async (tx) => {
    await tx.run(keepWritersOut)
    const last = await isBehind(tx)
    if (last === false) return false
    // SQL does not allow a parameter in a column default. The inserted number is our own bigint.
    const columnDefault = `pg_current_xact_id()::text::bigint + ${last}`
    for (const table of ['postings', 'events'])
      await tx.run(statement(`alter table ${table} alter column written_in set default ${columnDefault}`))
    await tx.run(shiftOrder, [last])
    return true
  })
}

async function isBehind(db: Executor): Promise<bigint | false> {
  const [order] = await db.run(selectOrder)
  return order !== undefined && order.last > 0n && order.next <= order.last ? order.last : false
}
