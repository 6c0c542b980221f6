// Payouts (WALLETFUNDS): a merchant's money on its way to its IBAN, never more than it has.
import { addBankOrder, findBankOrder } from '../bank-files/index.ts'
import { newId } from '../kernel/ids.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { type Cents, cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import { after, second } from '../kernel/time.ts'
import { accountOf, lockAccount } from '../ledger/index.ts'
import {
  findOperation,
  type NewOperation,
  type Operation,
  openedOperation,
  type RailAnswer,
} from '../operations/index.ts'
import { callRail, type TransferAnswer } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { type BalancesDeps, railTimeoutMs } from './deps.ts'
import { transferAmount } from './rules.ts'
import { findPendingPayouts, findWalletOfOrder, openPayout } from './store.ts'

/** When the bank is asked first what became of it; longer than the call itself may take. */
const firstInquirySeconds = 10

/** What a wallet's money can be used for now. */
export interface Funds {
  readonly balance: Cents
  /** What payouts on their way will take, positive. */
  readonly onItsWay: Cents
}

export async function fundsOf({ database, ledger }: BalancesDeps, wallet: Wallet): Promise<Funds> {
  const balance = await ledger.balanceOf(accountOf(wallet))
  return { balance, onItsWay: cents(await findPendingPayouts(database, wallet.id)) }
}

/**
 * Orders a payout to the merchant's IBAN: PENDING until the bank has paid or returned it.
 *
 * @param amount in cents, positive
 *
 * Refusals: invalid_parameter for who is no merchant; illegal_state without an IBAN; below_minimum_amount,
 * above_maximum_amount; amount_exceeds_remaining when the balance, less payouts on their way, is smaller.
 */
export async function payOut(deps: BalancesDeps, wallet: Wallet, amount: Cents): Promise<Result<Operation>> {
  const { database, ledger } = deps
  if (wallet.kind !== 'merchant') return refuse('invalid_parameter', 'wallet must be a merchant')
  const { iban } = wallet
  if (iban === null)
    return refuse(
      'illegal_state',
      `wallet ${wallet.id} has no IBAN: comporta merchant set ${wallet.id} --iban …`,
    )
  const checked = transferAmount(amount, 'amount')
  if (!checked.ok) return checked

  const payout = payoutOf(deps, wallet, checked.value)
  const accountId = await ledger.numberOf(accountOf(wallet))
  const opened = await database.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await openPayout(tx, payout, accountId))) return false
    await addBankOrder(tx, {
      kind: 'transfer',
      id: payout.id,
      walletId: wallet.id,
      operationId: payout.id,
      amount: checked.value,
      currency: 'EUR',
      party: { name: wallet.name, iban },
      remittance: `Payout ${wallet.name}`,
      dueOn: nextTargetDay(lisbonDayOf(payout.createdAt)),
      createdAt: payout.createdAt,
    })
    return true
  })
  if (!opened) return tooMuch(await fundsOf(deps, wallet))
  await askBank(deps, payout.walletId, payout.id)
  return ok((await findOperation(database, wallet.id, payout.id)) ?? openedOperation(payout))
}

function tooMuch({ balance, onItsWay }: Funds): Result<never> {
  const free = cents(balance - onItsWay)
  const inWords = `${free < 0n ? '-' : ''}${String(free < 0n ? -free : free).padStart(3, '0')}`
  return refuse(
    'amount_exceeds_remaining',
    `amount must be at most ${inWords.slice(0, -2)}.${inWords.slice(-2)}, the balance less payouts on their way`,
  )
}

function payoutOf({ clock, random }: BalancesDeps, wallet: Wallet, amount: Cents): NewOperation {
  const now = clock.now()
  const id = newId(now, random)
  return {
    id,
    walletId: wallet.id,
    type: 'WALLETFUNDS',
    status: 'PENDING',
    method: 'SEPA',
    amount: cents(-amount),
    currency: 'EUR',
    channel: 'BACKOFFICE',
    attemptId: id,
    underApproval: true,
    dueAt: after(now, firstInquirySeconds * second),
    createdAt: now,
  }
}

/** Sends the order to the bank, again if need be: under its key it answers where the transfer stands. */
export async function inquirePayout(deps: BalancesDeps, walletId: bigint, id: string): Promise<RailAnswer> {
  const order = await findBankOrder(deps.database, walletId, id)
  if (order === undefined) throw new Error(`payout ${id} has no order`)
  const { amount, currency, party: beneficiary } = order
  const answer = await callRail(
    deps.rail.send({ key: id, reference: id, beneficiary, amount, currency }),
    railTimeoutMs,
  )
  return railAnswerOf(
    answer.kind === 'unclear' ? await callRail(deps.rail.inquire(id), railTimeoutMs) : answer,
  )
}

function railAnswerOf(answer: TransferAnswer | { readonly kind: 'not_found' }): RailAnswer {
  switch (answer.kind) {
    case 'paid':
      return { kind: 'approved' }
    case 'returned':
      return { kind: 'declined', reason: answer.reason }
    // To wait is no answer yet; and what never arrived is sent again.
    case 'waiting':
    case 'unclear':
    case 'not_found':
      return { kind: 'unclear' }
  }
}

async function askBank(deps: BalancesDeps, walletId: bigint, id: string): Promise<void> {
  const answer = await inquirePayout(deps, walletId, id)
  const operation = await findOperation(deps.database, walletId, id)
  if (operation?.status !== 'PENDING') return
  const guard = { kind: 'attempt', attemptId: id } as const
  if (answer.kind === 'approved') await deps.settle(operation, { status: 'COMPLETED', guard })
  if (answer.kind === 'declined') {
    await deps.settle(operation, { status: 'FAIL', guard, error: answer.reason })
  }
}

/** Asks the bank about the payout of this key; nothing when the key is no payout's. */
export async function heardOfPayout(deps: BalancesDeps, key: string): Promise<void> {
  const walletId = await findWalletOfOrder(deps.database, key)
  const operation = walletId === undefined ? undefined : await findOperation(deps.database, walletId, key)
  if (operation?.type === 'WALLETFUNDS') await askBank(deps, operation.walletId, key)
}
