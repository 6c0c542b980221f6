// Incoming transfers (BANK), assigned by their text or by an operator.
import { crashPoint } from '../../kernel/crash-points.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Posting } from '../../ledger/index.ts'
import type { Core } from '../../module.ts'
import {
  bankChannel,
  insertOperations,
  type PreviewSettlement,
  underApproval,
} from '../../operations/for-movements.ts'
import { findOperation, type NewOperation, type Settle } from '../../operations/index.ts'
import type { IncomingTransfer } from '../../rails/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { bankTransfer } from './facts.ts'
import { onlyWalletThatIs, walletsNamedIn } from './rules.ts'
import {
  type Assignment,
  assignTransfer,
  findTransfer,
  insertTransfer,
  type ReceivedTransfer,
} from './store.ts'

const onlyEuros = 'only EUR is kept on balances'

export async function receiveTransfer(
  deps: BankTransferDeps,
  transfer: IncomingTransfer,
): Promise<ReceivedTransfer> {
  const { database, clock } = deps
  const now = clock.now()
  const wallet = await walletFor(deps, transfer)
  await database.transaction(async (tx) => {
    if (typeof wallet === 'string') {
      await insertTransfer(tx, transfer, { problem: wallet }, now)
      return
    }
    const topUp = topUpOf(deps, wallet.id, transfer.amount, now)
    const to: Assignment = { walletId: wallet.id, operationId: topUp.id }
    if (await insertTransfer(tx, transfer, to, now)) await openTopUp(tx, topUp)
  })
  const received = await findTransfer(database, transfer.key)
  if (received === undefined) throw new Error(`transfer ${transfer.key} was not written`)
  await settleTopUp(deps, received)
  return received
}

export async function assign(
  deps: BankTransferDeps,
  transferId: string,
  walletId: bigint,
): Promise<Result<ReceivedTransfer>> {
  const { database, clock } = deps
  const assignable = await transferFor(deps, transferId, walletId)
  if (!assignable.ok) return assignable
  const now = clock.now()
  const topUp = topUpOf(deps, walletId, assignable.value.amount, now)
  const ours = await database.transaction(async (tx) => {
    if (!(await assignTransfer(tx, transferId, { walletId, operationId: topUp.id }, now))) return false
    await openTopUp(tx, topUp)
    return true
  })
  const assigned = await findTransfer(database, transferId)
  if (!ours || assigned === undefined) return refuseAssigned(transferId, assigned?.walletId)
  await settleTopUp(deps, assigned)
  return ok(assigned)
}

export async function previewAssign(
  deps: BankTransferDeps,
  transferId: string,
  walletId: bigint,
): Promise<Result<readonly Posting[]>> {
  const assignable = await transferFor(deps, transferId, walletId)
  if (!assignable.ok) return assignable
  const { walletId: assignedTo, amount } = assignable.value
  if (assignedTo !== undefined) return refuseAssigned(transferId, assignedTo)
  const topUp = topUpOf(deps, walletId, amount, deps.clock.now())
  return ok((await deps.preview(topUp)).postings)
}

async function transferFor(
  { database, wallets }: BankTransferDeps,
  transferId: string,
  walletId: bigint,
): Promise<Result<ReceivedTransfer>> {
  const transfer = await findTransfer(database, transferId)
  if (transfer === undefined) return refuse('not_found', `there is no transfer ${transferId}`)
  if ((await wallets.find(walletId)) === undefined)
    return refuse('not_found', `there is no wallet ${walletId}`)
  if (transfer.currency !== 'EUR')
    return refuse('illegal_state', `transfer ${transferId} is in ${transfer.currency}: ${onlyEuros}`)
  return ok(transfer)
}

function refuseAssigned(transferId: string, to: bigint | undefined) {
  return refuse('illegal_state', `transfer ${transferId} was put to wallet ${to}`)
}

async function walletFor(
  { wallets }: BankTransferDeps,
  { text, currency }: IncomingTransfer,
): Promise<Wallet | string> {
  if (currency !== 'EUR') return onlyEuros
  const named = walletsNamedIn(text)
  const existing = new Map<bigint, Wallet>()
  for (const walletId of named) {
    const wallet = await wallets.find(walletId)
    if (wallet !== undefined) existing.set(walletId, wallet)
  }
  const only = onlyWalletThatIs(named, [...existing.keys()])
  if (typeof only === 'string') return only
  const wallet = existing.get(only) as Wallet
  if (wallet.kind === 'merchant' && !wallet.methods.includes(bankTransfer.code))
    return `wallet ${only} has not the method BANK`
  return wallet
}

function topUpOf({ random }: BankTransferDeps, walletId: bigint, amount: Cents, now: Instant): NewOperation {
  const id = newId(now, random)
  return underApproval({
    id,
    walletId,
    type: 'PAYMENT',
    status: 'PENDING',
    method: bankTransfer.code,
    amount: cents(amount),
    currency: 'EUR',
    channel: bankChannel,
    createdAt: now,
  })
}

async function openTopUp(tx: Executor, operation: NewOperation): Promise<void> {
  await insertOperations(tx, [{ operation, claim: undefined }])
}

async function settleTopUp(
  { database, settle }: BankTransferDeps,
  { walletId, operationId }: ReceivedTransfer,
): Promise<void> {
  if (walletId === undefined || operationId === undefined) return
  const operation = await findOperation(database, walletId, operationId)
  if (operation?.status !== 'PENDING') return
  crashPoint('top-up taken, not settled')
  await settle(operation, { status: 'COMPLETED', guard: { kind: 'attempt', attemptId: operationId } })
}

export interface BankTransferDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
  readonly preview: PreviewSettlement
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
}
