// Refunds money in suspense, by its provider or by transfer.
import { addBankOrder, findBankOrder } from '../bank-files/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import { after, backoffMs, hour, type Instant, minute } from '../kernel/time.ts'
import { readIban, sepaProblemOf } from '../kernel/values/ibans.ts'
import { bankClearing, clearingOf, gatewayWalletId, suspense } from '../ledger/index.ts'
import { callRail, type RefundAccount } from '../rails/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import { postingOf, refundKeyOf, type SuspenseDeps } from './hold.ts'
import type { SuspenseEntry } from './model.ts'
import {
  beginRefund,
  claimDueRefunds,
  endRefund,
  findSuspense,
  findSuspenseOfRefund,
  postponeRefund,
  reopen,
} from './store.ts'

const pollMs = 5000
const concurrency = 8
/** The lease is longer than a call to a rail. */
const leaseMinutes = 1
/** Pauses between tries: the first is the shortest, and each doubles. */
const againMsMin = minute
const againMsMax = 6 * hour

/** The payer's account, for a transfer or for a provider that needs it. */
export interface Beneficiary {
  readonly name: string
  readonly iban: string
  readonly bic?: string | undefined
}

/**
 * Refunds an entry: to a named beneficiary by transfer, or by the provider if it asked for the account.
 * Refusals: invalid_parameter, access_denied without a bank, not_found, missing_parameter, illegal_state.
 */
export async function refundEntry(
  deps: SuspenseDeps,
  id: string,
  to: Beneficiary | undefined,
): Promise<Result<SuspenseEntry>> {
  const { database, clock } = deps
  const beneficiary = to && { name: to.name, iban: readIban(to.iban) ?? '' }
  const problem = beneficiary && sepaProblemOf(beneficiary.iban || undefined)
  if (problem !== undefined) return refuse('invalid_parameter', `iban ${problem}`)
  const entry = await findSuspense(database, id)
  const isForProvider = beneficiary === undefined || entry?.problem === accountNeeded
  if (!isForProvider && !deps.sendsTransfers())
    return refuse('access_denied', 'no bank for transfers is connected: connect one with comporta rails set')
  if (entry === undefined) return refuse('not_found', `suspense entry ${id} does not exist`)
  if (beneficiary === undefined && entry.problem === accountNeeded)
    return refuse(
      'missing_parameter',
      'the provider needs the payer’s account: name it with --iban and --name',
    )
  if (beneficiary === undefined && entry.referenceKey === undefined)
    return refuse('missing_parameter', 'no provider can refund it: name the payer with --iban and --name')
  const now = clock.now()
  const refundKey = refundKeyOf(id, entry.refunds + 1)
  const refundBy = isForProvider ? 'rail' : 'transfer'
  const refundTo = isForProvider && beneficiary ? accountOf(beneficiary, to?.bic) : undefined
  const begun = await database.transaction(async (tx) => {
    if (!(await beginRefund(tx, { id, refundKey, refundBy, refundTo, at: now }))) return false
    if (beneficiary !== undefined && !isForProvider)
      await addBankOrder(tx, {
        kind: 'transfer',
        ...{ id: refundKey, walletId: gatewayWalletId, operationId: refundKey },
        ...{ amount: entry.amount, currency: 'EUR', party: beneficiary },
        remittance: `Refund ${entry.reference}`,
        dueOn: nextTargetDay(lisbonDayOf(now)),
        createdAt: now,
      })
    return true
  })
  if (!begun)
    return refuse('illegal_state', `entry ${id} is not open any more: see comporta suspense list --all`)
  await advance(deps, { ...entry, refundKey, refundBy, refundTo, tries: 1 })
  return ok((await findSuspense(database, id)) ?? entry)
}

/** The provider's answer to a refund without an account. */
const accountNeeded = 'account_needed'

function accountOf({ name: holder, iban }: Beneficiary, bic: string | undefined): RefundAccount {
  return { iban, holder, ...(bic !== undefined && { bic }) }
}

/** Asks the bank about a refund. Returns false if no entry has this key. */
export async function onTransferNotice(deps: SuspenseDeps, key: string): Promise<boolean> {
  const entry = await findSuspenseOfRefund(deps.database, key)
  if (entry?.refundBy !== 'transfer') return false
  await advance(deps, entry)
  return true
}

/** Asks about due refunds until the outcome is known. */
export function createRefunding(deps: SuspenseDeps): Worker {
  const { database, clock, onError } = deps
  return createWorker({
    name: 'suspense',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimDueRefunds(database, now, after(now, leaseMinutes * minute), limit)
    },
    work: (entry) => advance(deps, entry),
    onError,
  })
}

type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'open' }

async function advance(deps: SuspenseDeps, entry: SuspenseEntry): Promise<void> {
  const { database, clock } = deps
  const { refundKey, refundBy, method } = entry
  if (refundKey === undefined) return
  const outcome =
    refundBy === 'rail' ? await askProvider(deps, entry, refundKey) : await askBank(deps, refundKey)
  const now = clock.now()
  const account = refundBy === 'rail' ? clearingOf(method) : bankClearing
  if (outcome.kind === 'done') {
    const posting = await postingOf(deps, refundKey, { debit: suspense, credit: account }, entry)
    await endRefund(database, posting, now)
  } else if (outcome.kind === 'failed') {
    const posting = await postingOf(deps, refundKey, { debit: account, credit: suspense }, entry)
    await reopen(database, posting, outcome.reason, now)
  } else {
    await postponeRefund(database, refundKey, nextTry(now, entry.tries))
  }
}

function nextTry(now: Instant, tries: number): Instant {
  return after(now, backoffMs(againMsMin, Math.max(tries - 1, 0), againMsMax))
}

async function askProvider(
  { networks }: SuspenseDeps,
  { referenceKey, paymentId, amount, refundTo: to }: SuspenseEntry,
  key: string,
): Promise<Outcome> {
  const refund = { key, of: referenceKey ?? '', paymentId, amount, ...(to !== undefined && { to }) }
  const answer = await callRail(
    async (signal) =>
      (await networks.made.refundPayment?.(refund, signal)) ??
      ({ kind: 'declined', reason: 'not_possible' } as const),
  )
  if (answer.kind === 'approved') return { kind: 'done' }
  return answer.kind === 'declined' ? { kind: 'failed', reason: answer.reason } : { kind: 'open' }
}

/** Sends the transfer again. The bank recognises its key and answers with its status. */
async function askBank({ database, bank }: SuspenseDeps, key: string): Promise<Outcome> {
  const order = await findBankOrder(database, gatewayWalletId, key)
  if (order === undefined) throw new Error(`refund ${key} has no order`)
  const { amount, currency, party: beneficiary } = order
  const answer = await callRail((signal) =>
    bank.send({ key, reference: key, beneficiary, amount, currency }, signal),
  )
  if (answer.kind === 'paid') return { kind: 'done' }
  return answer.kind === 'returned' ? { kind: 'failed', reason: answer.reason } : { kind: 'open' }
}
