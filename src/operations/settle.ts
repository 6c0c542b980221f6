// Settling: one statement moves the status, writes the journal and the event, and exactly one settle wins.
import type { NewEvent } from '../callbacks/index.ts'
import type { CardSummary } from '../kernel/card-summary.ts'
import { newId } from '../kernel/ids.ts'
import { addLisbonMonths } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Clock, Instant } from '../kernel/time.ts'
import {
  type AccountName,
  accountOf,
  clearingOf,
  type Entry,
  type Ledger,
  mergedEntries,
  paidEntries,
} from '../ledger/index.ts'
import { type Database, grouped } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { operationEvent } from './events.ts'
import type { Method, Operation, OperationType } from './model.ts'
import { feeMethodOf, feeOf } from './rules.ts'
import {
  type SettleBesideSql,
  type SettledRow,
  type SettleGuard,
  settleStatements,
  writeSettlements,
} from './settle-store.ts'
import { bookDivision, bookTakes, divisionOf, noSharing, type Sharing } from './shares/book.ts'

export interface Settlement {
  readonly status: 'COMPLETED' | 'FAIL' | 'VOIDED'
  readonly guard: SettleGuard
  /** Why it failed, in a word of the field. */
  readonly error?: string
  readonly card?: CardSummary | undefined
  /** What the rail calls the payment, where the payment is begun there. */
  readonly railPaymentId?: string | undefined
  /** What the merchant did itself and was answered at once sends no callback, unless the wallet wants it. */
  readonly silent?: boolean
  /** Whose balance pays, or is paid back, where no rail does. */
  readonly payer?: AccountName
  /** What else is told if this settlement wins, where the caller knows it; else {@link SettleBeside} is asked. */
  readonly eventsBeside?: readonly NewEvent[]
}

/** What the room of subscriptions does with the settlements of operations that belong to one. */
export interface SettleBeside {
  readonly sql: SettleBesideSql
  /** What is told of the subscription of `settled`, should its settlement win. */
  events(settled: Operation): Promise<readonly NewEvent[]>
}

export interface SettleDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly ledger: Ledger
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  /** The consumer whose balance paid an operation. */
  payerOf(payment: Pick<Operation, 'walletId' | 'id'>): Promise<bigint | undefined>
  /** Told after events were committed. */
  readonly callbacks: { wake(): void }
  readonly beside?: SettleBeside | undefined
}

/** Settles an operation; answers it as settled, or undefined when another settlement won. */
export type Settle = (operation: Operation, settlement: Settlement) => Promise<Operation | undefined>

export function createSettle(deps: SettleDeps): Settle {
  const statements = settleStatements(deps.beside?.sql)
  const write = grouped<SettledRow, boolean>({
    database: deps.database,
    aggregateOf: ({ settled }) => settled.id,
    write: (rows) => writeSettlements(deps, statements, rows),
  })

  return async (operation, settlement) => {
    const row = await settlementRow(deps, operation, settlement)
    const won = await write(row)
    if (won && (row.event !== undefined || row.eventsBeside.length > 0)) deps.callbacks.wake()
    return won ? row.settled : undefined
  }
}

/** The operation as it will stand, with what its settlement books and tells. */
export async function settlementRow(
  deps: SettleDeps,
  operation: Operation,
  settlement: Settlement,
): Promise<SettledRow> {
  const wallet = await deps.wallets.get(operation.walletId)
  const at = deps.clock.now()
  const settled = settledOperation(operation, settlement, wallet, at)
  const told = wallet.kind === 'merchant' && (settlement.silent !== true || wallet.selfEvents)
  const event = told ? operationEvent(settled, wallet, newId(at, deps.random)) : undefined
  const completed = settled.status === 'COMPLETED'
  const payer = completed ? (settlement.payer ?? (await payerOf(deps, settled))) : undefined
  const accounts = () => ({ rail: payer ?? clearingOf(methodOf(settled)), own: accountOf(wallet) })
  const sharing = completed ? sharingOf(settled, at, deps.random) : noSharing
  const entries = completed
    ? mergedEntries([...settleEntries[settled.type](settled, accounts), ...sharing.entries])
    : []
  const journalId = entries.length === 0 ? undefined : newId(at, deps.random)
  const eventsBeside = settlement.eventsBeside ?? (told ? await eventsBesideOf(deps, settled) : [])
  return { settled, guard: settlement.guard, at, event, eventsBeside, entries, sharing, journalId }
}

async function eventsBesideOf({ beside }: SettleDeps, settled: Operation): Promise<readonly NewEvent[]> {
  return settled.subscriptionId === undefined || beside === undefined ? [] : beside.events(settled)
}

/** What a balance paid goes back to that balance. */
async function payerOf(
  deps: SettleDeps,
  { type, method, walletId, parentId }: Operation,
): Promise<AccountName | undefined> {
  if (type !== 'REFUND' || method !== 'WALLET' || parentId === undefined) return undefined
  const consumerId = await deps.payerOf({ walletId, id: parentId })
  if (consumerId === undefined) throw new Error(`nobody's balance paid operation ${parentId}`)
  return { walletId: consumerId, kind: 'consumer' }
}

function settledOperation(
  operation: Operation,
  settlement: Settlement,
  wallet: Wallet,
  at: Instant,
): Operation {
  const completed = settlement.status === 'COMPLETED'
  const priced = feeMethodOf(operation)
  const rate = priced === undefined ? undefined : wallet.feeSchedule[priced]
  return {
    ...operation,
    status: settlement.status,
    fee: completed && rate !== undefined ? cents(-feeOf(operation, rate)) : cents(0),
    card: settlement.card ?? operation.card,
    railPaymentId: settlement.railPaymentId ?? operation.railPaymentId,
    error: settlement.error,
    underApproval: false,
    splitAt: completed && operation.split !== undefined ? at : undefined,
    expires: completed && operation.type === 'AUTH' ? captureEndOf(operation) : operation.expires,
    modifiedAt: at,
  }
}

/** Until when an accepted authorization can be captured (SPEC.md "Authorization rules" 4). */
function captureEndOf({ createdAt }: Operation): Instant {
  return addLisbonMonths(createdAt, 1)
}

/** Between which two accounts an operation moves money. */
interface Accounts {
  readonly rail: AccountName
  readonly own: AccountName
}

/** What each type books when it completes. A card hold is the issuer's money, so it books nothing. */
const settleEntries: Record<OperationType, (operation: Operation, accounts: () => Accounts) => Entry[]> = {
  PAYMENT: income,
  CAPTURE: income,
  AUTH: () => [],
  RELEASE: () => [],
  REFUND: outgo,
  USERTRANSFER: unbooked,
  WALLETFUNDS: outgo,
}

function income({ amount, fee }: Operation, accounts: () => Accounts): Entry[] {
  const { rail, own } = accounts()
  return paidEntries(rail, own, amount, cents(-fee))
}

/** The amount is negative, and leaves the wallet whole. */
function outgo({ amount }: Operation, accounts: () => Accounts): Entry[] {
  const { rail, own } = accounts()
  return paidEntries(own, rail, cents(-amount), cents(0))
}

/** What a completed operation moves between the marketplace owner and the sub-merchants. */
function sharingOf(settled: Operation, at: Instant, random: Randomness): Sharing {
  if (settled.type === 'REFUND') return bookTakes(settled, at, random)
  if (settled.split === undefined) return noSharing
  return bookDivision(settled, divisionOf(settled, settled.split), at, random)
}

function unbooked(operation: Operation): never {
  throw new Error(`nothing settles a ${operation.type} yet`)
}

function methodOf(operation: Operation): Method {
  if (operation.method === undefined) throw new Error(`operation ${operation.id} completed without a method`)
  return operation.method
}
