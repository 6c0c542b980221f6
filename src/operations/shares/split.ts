// Dividing a payment by hand.

import { claimOf, type IdempotencyKey } from '../../idempotency/index.ts'
import { cents } from '../../kernel/money.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { type Ledger, mergedPostings, type Posting } from '../../ledger/index.ts'
import type { Core } from '../../module.ts'
import { type Division, explainDivision, resolveSplit } from '../../splits/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { pathOf } from '../attempts/engine.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import type { FindWallet } from '../rules.ts'
import { bookDivision, divisionOf } from './book.ts'
import { splittable } from './rules.ts'
import { writeManualSplit } from './split-store.ts'
import { hasPendingRefund } from './store.ts'

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

/** Undefined when the key was used before. Refusals: not_found, not_splittable, pending_operations, invalid_split. */
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
