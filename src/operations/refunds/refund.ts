// Refunding: reads the payment, decides, and opens a REFUND.

import type { Created, KeyedRequest } from '../../idempotency/index.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { deny, ok, type Result, unwrap } from '../../kernel/result.ts'
import type { Core } from '../../module.ts'
import { explainRefund, planRefund, type RefundPlan, resolveListed } from '../../splits/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { answeredClaim, createdByEngine, type Engine } from '../attempts/engine.ts'
import type { RailOf } from '../attempts/model.ts'
import type { ChildOperation, MerchantReferences, Operation } from '../model.ts'
import { childOperation, type RefundCeiling } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { decideRefund, type FindWallet } from '../rules.ts'
import type { Preview, PreviewSettlement } from '../settle/preview.ts'
import type { ShowOperations } from '../shares/on-wire.ts'
import { findProportionateRefunds, findShares } from '../shares/store.ts'
import type { AskedAccount, BankAccount } from './to-account.ts'

export interface RefundDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly engine: Engine
  readonly railOf: RailOf
  readonly findWallet: FindWallet
  readonly show: ShowOperations
  readonly preview: PreviewSettlement
}

export interface RefundRequest {
  readonly wallet: Wallet
  readonly operationId: string
  readonly amount: Cents | undefined
  readonly split: unknown
  readonly merchantReferences: MerchantReferences
  readonly key: KeyedRequest | undefined
  readonly ceiling?: RefundCeiling | undefined
  /** The account to refund to, as it was sent. */
  readonly account: AskedAccount
}

export const declined = 'the refund was declined'
/** Each retry lost a race with another refund or split. */
const roundsMax = 200

/**
 * Undefined if the key was used before. Refusals: not_found, the decision's, card_declined, rail_unavailable.
 */
export async function refundOperation(
  deps: RefundDeps,
  request: RefundRequest,
): Promise<Created | undefined> {
  const { key, wallet } = request
  for (let round = 0; round < roundsMax; round++) {
    const decided = await decide(deps, request)
    const { payment } = decided
    const { refund, toAccount } = deps.railOf(payment) ?? {}
    if (refund === undefined) {
      return deny('rail_unavailable', `payments by ${payment.method} cannot be refunded on this gateway yet`)
    }
    const child = refundOf(deps, request, decided)
    const to = { wallet, declined, fieldsOf: toAccount?.fieldsOf }
    const outcome = await deps.engine.runChild(
      child,
      answeredClaim(key, child.id, to),
      (beforeSend) => refund(child, payment, beforeSend),
      {
        ceiling: request.ceiling,
        also: toAccount && ((tx) => toAccount.open(tx, child, payment, { wallet, account: decided.account })),
      },
    )
    if (outcome.kind !== 'refused') return createdByEngine(deps.show, outcome, to)
  }
  return deny('service_unavailable', 'too many requests change this operation at once: try again')
}

export async function previewRefund(
  deps: RefundDeps,
  request: RefundRequest,
): Promise<
  Pick<Preview, 'postings'> & {
    readonly refund: ChildOperation
    readonly calculation: Record<string, unknown>
  }
> {
  const decided = await decide(deps, request)
  const { amount, plan } = decided
  const refund = refundOf(deps, request, decided)
  const { postings } = await deps.preview(refund)
  return { refund, calculation: explainRefund(amount, plan), postings }
}

interface Decided {
  readonly payment: Operation
  readonly amount: Cents
  readonly plan: RefundPlan
  /** Undefined: the account that paid, or the payer names one. */
  readonly account: BankAccount | undefined
}

function refundOf(
  { clock, random, railOf }: RefundDeps,
  { merchantReferences }: RefundRequest,
  { payment, amount, plan, account }: Decided,
): ChildOperation {
  const now = clock.now()
  const id = newId(now, random)
  const toAccount = account === undefined ? railOf(payment)?.toAccount : undefined
  const child = childOperation(payment, {
    id,
    type: 'REFUND',
    amount: cents(-amount),
    merchantReferences,
    expires: toAccount?.pageEnds(now),
    createdAt: now,
  })
  return { ...child, ...refundSplitOf(payment, plan) }
}

async function decide(deps: RefundDeps, request: RefundRequest): Promise<Decided> {
  const { database, findWallet } = deps
  const payment = await findOperation(database, request.wallet.id, request.operationId)
  if (payment === undefined) {
    return deny('not_found', `operation ${request.operationId} does not exist`)
  }
  const amount = unwrap(decideRefund(payment, request.amount, request.wallet))
  const account = unwrap(
    deps.railOf(payment)?.toAccount?.read(request.account, request.wallet) ?? ok(undefined),
  )
  const listed = unwrap(await listedOf(request.split, amount, findWallet))
  if (payment.splitAt === undefined && listed !== undefined && listed.length > 0) {
    return deny('invalid_split', 'split must be left out or empty: the operation was not split')
  }
  return { payment, amount, account, plan: unwrap(await planRefundOf(database, payment, amount, listed)) }
}

async function listedOf(
  split: unknown,
  amount: Cents,
  findWallet: FindWallet,
): Promise<Result<Parameters<typeof planRefund>[2]>> {
  return split === undefined || split === null ? ok(undefined) : resolveListed(split, amount, findWallet)
}

export async function planRefundOf(
  db: Executor,
  payment: Operation,
  amount: Cents,
  listed?: Parameters<typeof planRefund>[2],
): Promise<Result<RefundPlan>> {
  const { walletId, id, refunded } = payment
  if (payment.splitAt === undefined)
    return ok({ source: 'owner', shareRefunds: [], owner: amount, parts: [] })
  const shares = (await findShares(db, walletId, [id])).get(id) ?? []
  const proportionate = await findProportionateRefunds(db, payment)
  const divided = { amount: payment.amount, refunded, shares, proportionate }
  return planRefund(divided, amount, listed)
}

export function refundSplitOf(
  { splitAt, refundRevision }: Operation,
  { source, shareRefunds }: RefundPlan,
): Pick<ChildOperation, 'refundSplit' | 'parentRevision'> {
  return splitAt === undefined
    ? {}
    : { refundSplit: { source, shareRefunds }, parentRevision: refundRevision }
}
