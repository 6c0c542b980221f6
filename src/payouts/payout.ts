// Payouts (WALLETFUNDS): a merchant's money on its way to its IBAN, never more than it has.
import { addBankOrder, findBankOrder } from '../bank-files/index.ts'
import { claimOf, type IdempotencyKey } from '../idempotency/index.ts'
import { lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { ok, type Refusal, type Result, refuse } from '../kernel/result.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { Instant } from '../kernel/time.ts'
import { accountOf, lockAccount } from '../ledger/index.ts'
import { factsOf } from '../methods/list.ts'
import {
  bankChannel,
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
} from '../operations/index.ts'
import { callRail, type RailAnswer, type TransferAnswer } from '../rails/index.ts'
import type { Executor } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { PayoutsDeps } from './deps.ts'
import { payoutMethod } from './model.ts'
import { transferAmount } from './rules.ts'
import { findPayoutsSince, findPendingPayouts, findWalletOfOrder, openPayout } from './store.ts'

/** What a wallet's money can be used for now. */
export interface Funds {
  readonly balance: Cents
  /** What payouts on their way will take, positive. */
  readonly onItsWay: Cents
}

export async function fundsOf({ database, ledger }: PayoutsDeps, wallet: Wallet): Promise<Funds> {
  const balance = await ledger.balanceOf(accountOf(wallet))
  return { balance, onItsWay: cents(await findPendingPayouts(database, wallet.id)) }
}

/** A payout, and whether it had been ordered before: under its idempotency key, or its id. */
export interface Ordered {
  readonly payout: Operation
  readonly isRepeated: boolean
}

/** A payout that is asked for. */
export interface PayoutAsked {
  /** In cents, positive. */
  readonly amount: Cents
  readonly channel: 'API' | 'BACKOFFICE' | 'SCHEDULE'
  /** Ordered again under it, the first payout is answered. */
  readonly key?: IdempotencyKey | undefined
  /** UUIDv7, where it is known before: ordered again under it, the first payout is answered. */
  readonly id?: string
  readonly merchantReferences?: MerchantReferences
}

/**
 * Orders a payout to the merchant's IBAN: PENDING until the bank has paid or returned it.
 *
 * Refusals: those of {@link payableTo}; below_minimum_amount, above_maximum_amount; amount_exceeds_remaining when the
 * balance, less payouts on their way, is smaller; limit_reached beyond what may be paid out in a day; request_id_reused when the key asked for something else before.
 */
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
    // Another process may have had the same order, and the lock, until now.
    if (asked.id !== undefined && (await findOperation(tx, wallet.id, asked.id)) !== undefined) return false
    // Judged by the day that it is dated: it may have waited for the lock over midnight, and counts where it is dated.
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

/** The payout as it would be ordered, and the funds of now; refuses what {@link payOut} would, and orders nothing. */
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

/**
 * What may still be ordered on the Lisbon day of `at`, in cents, with what was ordered since taken for its own; undefined where the operator
 * has set no limit. Exact where the wallet's account is locked.
 *
 * @param at default: now
 */
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
  const limit = decimalText(wallet.payoutDayLimit ?? 0n)
  const reason = `amount must be at most ${decimalText(left)}, which is left today of the ${limit} a day that the operator allows to be paid out; it is ${decimalText(amount)}`
  return { kind: 'limit_reached', reason }
}

/**
 * The IBAN that payouts of the wallet go to.
 *
 * Refusals: invalid_parameter for who is no merchant; illegal_state without an IBAN, or a bank that pays out.
 */
export async function payableTo(
  { wallets }: Pick<PayoutsDeps, 'wallets'>,
  wallet: Wallet,
): Promise<Result<string>> {
  if (wallet.kind !== 'merchant') return refuse('invalid_parameter', 'wallet must be a merchant')
  if (wallet.iban === null)
    return refuse(
      'illegal_state',
      `wallet ${wallet.id} has no IBAN: comporta merchant set ${wallet.id} --iban …`,
    )
  const { unserved } = await wallets.get(wallet.id)
  if (unserved?.some((method) => factsOf(method).rails.includes('creditTransfer')) === true)
    return refuse('illegal_state', 'there is no connection to a bank that pays out: comporta rails list')
  return ok(wallet.iban)
}

/** What was ordered under the same key or id before, if anything; whoever asked may have died before it was answered. */
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
    ? refuse('request_id_reused', `the request id ${key.requestId} was used for something else before`)
    : ok({ payout, isRepeated: true })
}

function tooMuch({ balance, onItsWay }: Funds): Result<never> {
  return refuse(
    'amount_exceeds_remaining',
    `amount must be at most ${decimalText(balance - onItsWay)}, the balance less payouts on their way`,
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

/** Payouts are sent by credit transfer, whatever else goes by their method. */
export function payoutRail(deps: Pick<PayoutsDeps, 'database' | 'rail'>): RailHandler {
  return { inquire: ({ walletId, operationId: id }) => inquirePayout(deps, { walletId, id }) }
}

/** Sends the order to the bank, again if need be: under its key it answers where the transfer stands. */
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
    // To wait is no answer yet; and what never arrived is sent again.
    case 'waiting':
    case 'unknown':
    case 'not_found':
      return { kind: 'unknown' }
  }
}

/** Asks the bank about the payout or the refund by transfer of this key; nothing when the key is of neither. */
export async function inquireByKey(deps: PayoutsDeps, key: string): Promise<boolean> {
  const { database, engine } = deps
  const walletId = await findWalletOfOrder(database, key)
  const operation = walletId === undefined ? undefined : await findOperation(database, walletId, key)
  if (operation === undefined || !transferTypes.has(operation.type)) return false
  await engine.inquire(operation)
  await takeBack(deps, operation)
  return true
}

/** What leaves by credit transfer, and may come back. */
const transferTypes: ReadonlySet<Operation['type']> = new Set(['WALLETFUNDS', 'REFUND'])

/**
 * What came back after its operation had completed is an operation of its own, of the same type and the opposite
 * amount, whose parent is what came back (decision 0011). Repeated it is one.
 */
async function takeBack(deps: PayoutsDeps, { walletId, id }: Operation): Promise<void> {
  const { database, rail } = deps
  const sent = await findOperation(database, walletId, id)
  if (sent?.status !== 'COMPLETED' || sent.amount > 0n) return
  const answer = await callRail(() => rail.inquire(id))
  if (answer.kind !== 'returned') return
  await giveBack(deps, sent, { channel: bankChannel, reason: answer.reason })
}
