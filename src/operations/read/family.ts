// The SQL of an operation's family, with attempts and requests.
import { findAll } from '../../storage/index.ts'
import { type Attempt, attempts } from '../attempts/model.ts'
import { operations } from '../model.ts'

/** Ten captures with their refunds and returns have fewer operations. */
const familyMax = 200

/** Parents and children, oldest first. Empty if the wallet has no such operation. */
export const familyOf = findAll(operations, (walletId: bigint, id: string) => [walletId, id, familyMax])`
  with recursive up as (
    select id, parent_id, 0 as height from operations where wallet_id = $1 and id = $2
    union all
    select parent.id, parent.parent_id, up.height + 1
    from up join operations as parent on parent.wallet_id = $1 and parent.id = up.parent_id
    where up.height < 10
  ),
  down as (
    select id, 0 as depth from (select id from up order by height desc limit 1) as eldest
    union all
    select child.id, down.depth + 1
    from down join operations as child on child.wallet_id = $1 and child.parent_id = down.id
    where down.depth < 10
  )
  select operations.*
  from down join operations on operations.wallet_id = $1 and operations.id = down.id
  order by operations.id
  limit $3`

/** Shown attempts never contain the sealed card. */
const shownAttempts = attempts.omit('sealedCard', 'pageToken')
export type ShownAttempt = Omit<Attempt, 'sealedCard' | 'pageToken'>

/** Oldest first. Old attempts may have been deleted. */
export const attemptsFor = findAll(shownAttempts, (walletId: bigint, operationIds: readonly string[]) => [
  walletId,
  operationIds,
])`
  select ${shownAttempts.list()} from attempts
  where wallet_id = $1 and operation_id = any($2::uuid[]) and owner is not null
  union all
  select ${shownAttempts.list()} from attempts
  where wallet_id = $1 and id = any($2::uuid[]) and owner is null
  order by id`
