// Payouts (WALLETFUNDS): money to a merchant's IBAN, at most its balance.
import { addBankOrder, findBankOrder } from '../bank-files/index.ts'
import { claimOf, type Idempotency, type IdempotencyKey } from '../idempotency/index.ts'
import { lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { ok, type Refusal, RefusalError, type Result, refuse } from '../kernel/result.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { Instant } from '../kernel/time.ts'
import { accountOf, type Ledger, lockAccount, openAccount } from '../ledger/index.ts'
import { factsOf } from '../methods/list.ts'
import type { Core } from '../module.ts'
import {
  bankChannel,
  type Engine,
  giveBack,
  pathOf,
  type RailHandler,
  underApproval,
} from '../operations/for-movements.ts'
import {
  findOperation,
  type MerchantReferences,
  type Operation,
  openedOperation,
  type Settle,
} from '../operations/index.ts'
import { type CreditTransfer, callRail, type RailAnswer, type TransferAnswer } from '../rails/index.ts'
import type { Executor } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { payoutMethod } from './model.ts'
import { transferAmount } from './rules.ts'
import { findPayoutsSince, findPendingPayouts, findWalletOfOrder, openPayout } from './store.ts'

export interface Funds {
  readonly balance: Cents
  /** The total of pending payouts and of pending refunds to an account, positive. */
  readonly onItsWay: Cents
}

export async function fundsOf({ database, ledger }: PayoutsDeps, wallet: Wallet): Promise<Funds> {
  const balance = await ledger.balanceOf(accountOf(wallet))
  return { balance, onItsWay: cents(await findPendingPayouts(database, wallet.id)) }
}

/** A payout, and whether an earlier request with the same key or id ordered it. */
export interface Ordered {
  readonly payout: Operation
  readonly isRepeated: boolean
}

export interface PayoutAsked {
  /** Always positive. */
  readonly amount: Cents
  readonly channel: 'API' | 'BACKOFFICE' | 'SCHEDULE'
  /** A second order with this key returns the first payout. */
  readonly key?: IdempotencyKey | undefined
  /** A UUIDv7 chosen by the caller. A second order with it returns the first payout. */
  readonly id?: string
  readonly merchantReferences?: MerchantReferences
}

/** Orders a payout: PENDING until the bank has paid or returned it. Undefined if the key was used before. */
export async function payOut(
  deps: PayoutsDeps,
  wallet: Wallet,
  asked: PayoutAsked,
): Promise<Result<Ordered>> {
  const { database, ledger } = deps
  const before = await orderedBefore(deps, wallet, asked)
  if (before !== undefined) return before
  const to = await payableTo(deps, wallet)
  if (!to.ok) return to
  const amount = transferAmount(asked.amount, 'amount')
  if (!amount.ok) return amount

  const payout = payoutOf(deps, wallet, asked)
  const claim = claimOf(asked.key, { resourceId: payout.id, href: pathOf(payout.id) })
  const accountId = await ledger.numberOf(accountOf(wallet))
  let overLimit: Refusal | undefined
  const opened = await database.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    // Another process with the same order may have had the lock until now.
    if (asked.id !== undefined && (await findOperation(tx, wallet.id, asked.id)) !== undefined) return false
    // The limit of the payout's own date applies: the order may have waited for the lock over midnight.
    overLimit = await payoutLimitRefusal(deps, tx, wallet, amount.value, payout.createdAt)
    if (overLimit !== undefined) return false
    if (!(await openPayout(tx, payout, accountId, claim))) return false
    await addBankOrder(tx, {
      kind: 'transfer',
      id: payout.id,
      walletId: wallet.id,
      operationId: payout.id,
      amount: amount.value,
      currency: 'EUR',
      party: { name: wallet.name, iban: to.value },
      remittance: `Payout ${wallet.name}`,
      dueOn: nextTargetDay(lisbonDayOf(payout.createdAt)),
      createdAt: payout.createdAt,
    })
    return true
  })
  if (!opened) {
    const first = await orderedBefore(deps, wallet, asked)
    if (first !== undefined) return first
    return overLimit === undefined ? tooMuch(await fundsOf(deps, wallet)) : { ok: false, refusal: overLimit }
  }
  const { operation } = await deps.engine.decide(payout, () => inquirePayout(deps, payout))
  return ok({ payout: operation, isRepeated: false })
}

/** Shows the payout and changes nothing. It has the same refusals. */
export async function previewPayout(
  deps: PayoutsDeps,
  wallet: Wallet,
  asked: PayoutAsked,
): Promise<Result<{ readonly payout: Operation; readonly iban: string; readonly funds: Funds }>> {
  const to = await payableTo(deps, wallet)
  if (!to.ok) return to
  const amount = transferAmount(asked.amount, 'amount')
  if (!amount.ok) return amount
  const overLimit = await payoutLimitRefusal(deps, deps.database, wallet, amount.value)
  if (overLimit !== undefined) return { ok: false, refusal: overLimit }
  const funds = await fundsOf(deps, wallet)
  if (amount.value > funds.balance - funds.onItsWay) return tooMuch(funds)
  return ok({ payout: openedOperation(payoutOf(deps, wallet, asked)), iban: to.value, funds })
}

/** The rest of the day's limit; undefined without a limit. It is exact only while the account is locked. */
export async function leftToPayOut(
  { clock }: Pick<PayoutsDeps, 'clock'>,
  db: Executor,
  { id, payoutDayLimit }: Wallet,
  at: Instant = clock.now(),
): Promise<bigint | undefined> {
  if (payoutDayLimit === null) return undefined
  const ordered = await findPayoutsSince(db, id, startOfLisbonDay(lisbonDayOf(at)))
  return ordered < payoutDayLimit ? payoutDayLimit - ordered : 0n
}

async function payoutLimitRefusal(
  deps: PayoutsDeps,
  db: Executor,
  wallet: Wallet,
  amount: Cents,
  at?: Instant,
): Promise<Refusal | undefined> {
  const left = await leftToPayOut(deps, db, wallet, at)
  if (left === undefined || amount <= left) return undefined
  const limit = wallet.payoutDayLimit ?? 0n
  return overLimit(limit, limit - left, amount)
}

/** Throws limit_reached for a refund to an account beyond the day's limit. Call it last in the transaction that opened it. */
export async function withinPayoutLimit(
  db: Executor,
  wallet: Wallet,
  { amount, createdAt }: Pick<Operation, 'amount' | 'createdAt'>,
): Promise<void> {
  const { id, payoutDayLimit } = wallet
  if (payoutDayLimit === null) return
  await lockAccount(db, await openAccount(db, accountOf(wallet)))
  const ordered = await findPayoutsSince(db, id, startOfLisbonDay(lisbonDayOf(createdAt)))
  if (ordered > payoutDayLimit)
    throw new RefusalError(overLimit(payoutDayLimit, ordered + amount, cents(-amount)))
}

function overLimit(limit: bigint, ordered: bigint, amount: Cents): Refusal {
  const left = ordered < limit ? limit - ordered : 0n
  const reason = `amount must be at most ${decimalText(left)}, the rest of the operator's payout limit of ${decimalText(limit)} a day; it is ${decimalText(amount)}`
  return { kind: 'limit_reached', reason }
}

/** Returns the IBAN. Refusals: invalid_parameter for a consumer, illegal_state without IBAN or bank. */
export async function payableTo(
  { wallets }: Pick<PayoutsDeps, 'wallets'>,
  wallet: Wallet,
): Promise<Result<string>> {
  if (wallet.kind !== 'merchant') return refuse('invalid_parameter', 'wallet must be a merchant')
  if (wallet.iban === null)
    return refuse(
      'illegal_state',
      `wallet ${wallet.id} has no IBAN: set it with comporta merchant set ${wallet.id} --iban …`,
    )
  const { unserved } = await wallets.get(wallet.id)
  if (unserved?.some((method) => factsOf(method).rails.includes('creditTransfer')) === true)
    return refuse('illegal_state', 'no bank for payouts is connected: see comporta rails list')
  return ok(wallet.iban)
}

/** Finds an equal order from before, because the client may not have received its answer. */
async function orderedBefore(
  { database, idempotency }: PayoutsDeps,
  wallet: Wallet,
  { key, id }: PayoutAsked,
): Promise<Result<Ordered> | undefined> {
  const known = id === undefined ? undefined : await findOperation(database, wallet.id, id)
  if (known !== undefined) return ok({ payout: known, isRepeated: true })
  const first = key && (await idempotency.recall(wallet.id, key))
  if (key === undefined || first === undefined || first.kind === 'unknown') return undefined
  const payout =
    first.kind === 'other_meaning' ? undefined : await findOperation(database, wallet.id, first.resourceId)
  return payout === undefined
    ? refuse(
        'request_id_reused',
        `the request_id ${key.requestId} was already used for another request: use a new one`,
      )
    : ok({ payout, isRepeated: true })
}

function tooMuch({ balance, onItsWay }: Funds): Result<never> {
  return refuse(
    'amount_exceeds_remaining',
    `amount must be at most ${decimalText(balance - onItsWay)}, the balance less pending payouts`,
  )
}

function payoutOf({ clock, random }: PayoutsDeps, wallet: Wallet, asked: PayoutAsked) {
  const now = clock.now()
  return underApproval({
    id: asked.id ?? newId(now, random),
    walletId: wallet.id,
    type: 'WALLETFUNDS',
    status: 'PENDING',
    method: payoutMethod,
    amount: cents(-asked.amount),
    currency: 'EUR',
    channel: asked.channel,
    ...asked.merchantReferences,
    createdAt: now,
  })
}

/** The rail of payouts. They are credit transfers, unlike other SEPA operations. */
export function payoutRail(deps: Pick<PayoutsDeps, 'database' | 'rail'>): RailHandler {
  return { inquire: ({ walletId, operationId: id }) => inquirePayout(deps, { walletId, id }) }
}

/** Sends the order again. The bank recognises its key and answers with its status. */
async function inquirePayout(
  deps: Pick<PayoutsDeps, 'database' | 'rail'>,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
): Promise<RailAnswer> {
  const order = await findBankOrder(deps.database, walletId, id)
  if (order === undefined) throw new Error(`payout ${id} has no order`)
  const { amount, currency, party: beneficiary } = order
  const answer = await callRail((signal) =>
    deps.rail.send({ key: id, reference: id, beneficiary, amount, currency }, signal),
  )
  return railAnswerOf(answer.kind === 'unknown' ? await callRail(() => deps.rail.inquire(id)) : answer)
}

function railAnswerOf(answer: TransferAnswer | { readonly kind: 'not_found' }): RailAnswer {
  switch (answer.kind) {
    case 'paid':
      return { kind: 'approved' }
    case 'returned':
      return { kind: 'declined', reason: answer.reason }
    // A waiting order has no result yet. An order that never arrived is sent again.
    case 'waiting':
    case 'unknown':
    case 'not_found':
      return { kind: 'unknown' }
  }
}

/** Asks the bank about a payout or a refund by transfer. Returns false if neither has this key. */
export async function inquireByKey(deps: PayoutsDeps, key: string): Promise<boolean> {
  const { database, engine } = deps
  const walletId = await findWalletOfOrder(database, key)
  const operation = walletId === undefined ? undefined : await findOperation(database, walletId, key)
  if (operation === undefined || !transferTypes.has(operation.type)) return false
  await engine.inquire(operation)
  await takeBack(deps, operation)
  return true
}

/** Types that are sent by credit transfer, so they may be returned. */
const transferTypes: ReadonlySet<Operation['type']> = new Set(['WALLETFUNDS', 'REFUND'])

/** Books a return: the same type, the opposite amount, the returned operation as parent. Can be repeated. */
async function takeBack(deps: PayoutsDeps, { walletId, id }: Operation): Promise<void> {
  const { database, rail } = deps
  const sent = await findOperation(database, walletId, id)
  if (sent?.status !== 'COMPLETED' || sent.amount > 0n) return
  const answer = await callRail(() => rail.inquire(id))
  if (answer.kind !== 'returned') return
  await giveBack(deps, sent, { channel: bankChannel, reason: answer.reason })
}

export interface PayoutsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'onError'> {
  readonly ledger: Ledger
  readonly settle: Settle
  readonly engine: Engine
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly rail: CreditTransfer
  readonly idempotency: Pick<Idempotency, 'fingerprint' | 'recall'>
}
