// Counts returned refunds on the payment and its shares.
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import { type Operation, operations } from '../model.ts'

const refundsOf = (operation: string, wallet: string, parent: string) => `
  ${operation}.wallet_id = ${wallet} and ${operation}.parent_id = ${parent} and ${operation}.type = 'REFUND'
    and ${operation}.status in ('NEW', 'PENDING', 'COMPLETED')`

const takesOf = (operation: string) =>
  `jsonb_to_recordset(${operation}.share_refunds) as take(position integer, amount bigint)`

const countCameBack = statement<StoredRowOf<typeof operations>>(`
  with refund as (
    select id, share_refunds from operations where ${refundsOf('operations', '$1', '$2')}
  ),
  back as (
    select back.amount, back.share_refunds
    from refund join operations as back on ${refundsOf('back', '$1', 'refund.id')}
  ),
  counted as (
    update operations set
      refunded = operations.refunded + operations.came_back - total.amount,
      came_back = total.amount,
      refund_revision = operations.refund_revision + 1
    from (select coalesce(sum(amount), 0)::bigint as amount from back) as total
    where operations.wallet_id = $1 and operations.id = $2 and operations.came_back <> total.amount
    returning operations.*
  ),
  gives as (
    select position, sum(amount)::bigint as amount
    from (
      select take.position, take.amount from refund cross join ${takesOf('refund')}
      union all
      select take.position, -take.amount from back cross join ${takesOf('back')}
    ) as each
    group by position
  ),
  counted_shares as (
    update shares set refunded = gives.amount
    from counted cross join gives
    where shares.wallet_id = counted.wallet_id and shares.operation_id = counted.id
      and shares.position = gives.position
  )
  select * from counted`)

/** The caller has locked the payment. Can be repeated. */
export async function withCameBack(tx: Executor, payment: Operation): Promise<Operation> {
  const { walletId, id } = payment
  return operations.first(await tx.run(countCameBack, [walletId, id])) ?? payment
}
