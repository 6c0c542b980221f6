// The SQL of a manual split, in one statement.
import { type Claim, idempotencyClaimCte } from '../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Ledger, postingColumns, postSql } from '../../ledger/index.ts'
import { type Database, rowSet, statement } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import type { Sharing } from './book.ts'
import { postSharesSql, postTransfersSql } from './store.ts'
import { newShares, newTransfers } from './table.ts'

const dividedSet = rowSet({
  id: 'uuid',
  wallet_id: 'bigint',
  created_at: 'timestamptz',
  ...idempotencyClaimCte.columns,
})
let parameterCount = dividedSet.parameters([]).length
const postingSet = rowSet(postingColumns, parameterCount + 1)
parameterCount += postingSet.parameters([]).length
const shareSet = rowSet(newShares.types, parameterCount + 1)
parameterCount += shareSet.parameters([]).length
const transferSet = rowSet(newTransfers.types, parameterCount + 1)

/** Locks the payment first, so that refunds and splits come one after the other. */
const divideOperation = statement<{ id: string; divided: boolean }>(`
  with input as (${dividedSet.source}),
  posting as (${postingSet.source}),
  share as (${shareSet.source}),
  transfer as (${transferSet.source}),
  payment as (
    select operations.*
    from operations join input on operations.wallet_id = input.wallet_id and operations.id = input.id
    for no key update of operations
  ),
  undivided as (
    select input.*
    from input join payment on payment.wallet_id = input.wallet_id and payment.id = input.id
    where payment.type in ('PAYMENT', 'CAPTURE') and payment.status = 'COMPLETED' and payment.refunded = 0
      and payment.came_back = 0
      and payment.split is null and payment.split_at is null
  ),
  ${idempotencyClaimCte.sql('undivided')},
  moved as (
    update operations set split_at = admitted.created_at, modified_at = admitted.created_at
    from admitted
    where operations.wallet_id = admitted.wallet_id and operations.id = admitted.id
    returning admitted.*, admitted.created_at as at
  ),
  ${postSql('moved', 'posting', 'split')},
  ${postSharesSql('moved', 'share')},
  ${postTransfersSql('moved', 'transfer')}
  select undivided.id, moved.id is not null as divided
  from undivided left join moved on moved.id = undivided.id`)

export interface ManualSplit {
  readonly operation: Operation
  readonly sharing: Sharing
  readonly at: Instant
  readonly claim: Claim | undefined
}

/** `repeated`: used idempotency key. `refused`: the payment can no longer be divided. */
export async function writeManualSplit(
  { database, ledger }: { readonly database: Database; readonly ledger: Ledger },
  { operation, sharing, at, claim }: ManualSplit,
): Promise<'divided' | 'repeated' | 'refused'> {
  const { id, walletId } = operation
  const { postings, shares, transfers } = sharing
  const postingRows = await ledger.postingRows(id, postings)
  const row = {
    id,
    wallet_id: walletId,
    created_at: toTimestamp(at),
    ...idempotencyClaimCte.row(claim),
  }
  const [answer] = await database.run(divideOperation, [
    ...dividedSet.parameters([row]),
    ...postingSet.parameters(postingRows),
    ...shareSet.parameters(shares.map(newShares.write)),
    ...transferSet.parameters(transfers.map(newTransfers.write)),
  ])
  if (answer === undefined) return 'refused'
  return answer.divided ? 'divided' : 'repeated'
}
