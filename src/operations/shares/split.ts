// Dividing a payment by hand.

import { type Claim, claimOf, type IdempotencyKey, idempotencyClaimCte } from '../../idempotency/index.ts'
import { cents } from '../../kernel/money.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Ledger, mergedPostings, type Posting, postingColumns, postSql } from '../../ledger/index.ts'
import type { Core } from '../../module.ts'
import { type Division, explainDivision, resolveSplit } from '../../splits/index.ts'
import { type Database, rowSet, statement } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { pathOf } from '../attempts/engine.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import type { FindWallet } from '../rules.ts'
import { bookDivision, divisionOf, type Sharing } from './book.ts'
import { splittable } from './rules.ts'
import { hasPendingRefund, postSharesSql, postTransfersSql } from './store.ts'
import { newShares, newTransfers } from './table.ts'

export interface SplitDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly ledger: Ledger
  readonly findWallet: FindWallet
}

export interface SplitRequest {
  readonly wallet: Wallet
  readonly operationId: string
  readonly split: unknown
  readonly key: IdempotencyKey | undefined
}

/** Each retry lost a race with another refund or split. */
const roundsMax = 10

/** Returns undefined if the key was used before. Refusals: not_found, the decision's, invalid_split. */
export async function splitOperation(deps: SplitDeps, request: SplitRequest): Promise<Operation | undefined> {
  const { clock, random } = deps
  const { key } = request
  for (let round = 0; round < roundsMax; round++) {
    const { operation, division } = await decide(deps, request)
    const at = clock.now()
    const sharing = bookDivision(operation, division, at, random)
    const { id } = operation
    const written = await writeManualSplit(deps, {
      operation,
      sharing: { ...sharing, postings: mergedPostings(sharing.postings) },
      at,
      claim: claimOf(key, { resourceId: id, href: pathOf(id) }),
    })
    if (written === 'repeated') return undefined
    if (written === 'divided') return { ...operation, splitAt: at, modifiedAt: at }
  }
  return deny('service_unavailable', 'too many requests change this operation at once: try again')
}

export async function previewSplit(
  deps: SplitDeps,
  request: SplitRequest,
): Promise<{
  readonly operation: Operation
  readonly shares: Division['shares']
  readonly calculation: Record<string, unknown>
  readonly postings: readonly Posting[]
}> {
  const { operation, division } = await decide(deps, request)
  const { clock, random } = deps
  const { postings } = bookDivision(operation, division, clock.now(), random)
  const calculation = explainDivision(operation.amount, division)
  return { operation, shares: division.shares, calculation, postings: mergedPostings(postings) }
}

async function decide(
  { database, findWallet }: SplitDeps,
  { wallet, operationId, split }: SplitRequest,
): Promise<{ readonly operation: Operation; readonly division: Division }> {
  const operation = await findOperation(database, wallet.id, operationId)
  if (operation === undefined) return deny('not_found', `operation ${operationId} does not exist`)
  const refunding = operation.refunded > 0n && (await hasPendingRefund(database, operation))
  unwrap(splittable(operation, refunding))
  const { amount, fee } = operation
  const asked = { value: split, field: 'split', amount, leastNet: cents(amount + fee), ownerId: wallet.id }
  return { operation, division: divisionOf(operation, unwrap(await resolveSplit(asked, findWallet))) }
}

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

/** Locks the payment first, so parallel refunds and splits wait for each other. */
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

/** `repeated`: the idempotency key was used before. `refused`: the payment can no longer be divided. */
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
