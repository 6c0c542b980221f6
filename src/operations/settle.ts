// Settling: one statement moves the status, writes the journal and the event, and exactly one settle wins.
import type { CardSummary } from '../kernel/card-summary.ts'
import { newId } from '../kernel/ids.ts'
import { cents } from '../kernel/money.ts'
import type { Randomness } from '../kernel/random.ts'
import { type Clock, type Instant, toTimestamp } from '../kernel/time.ts'
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../callbacks/index.ts'
import { type Entry, entryColumns, incomeEntries, type Ledger, postJournalsSql } from '../ledger/index.ts'
import { type Database, grouped, rowSet, statement } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { operationEvent } from './events.ts'
import type { Method, Operation, OperationType } from './model.ts'
import { feeOf } from './rules.ts'

/**
 * What must still be true for a settlement to take effect. `untouched`: no method was ever chosen;
 * `idle`: no rail is deciding; `attempt`: a rail decided on this attempt, and none came after it.
 */
export type SettleGuard =
  | { readonly kind: 'untouched' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'attempt'; readonly attemptId: string }

export interface Settlement {
  readonly status: 'COMPLETED' | 'FAIL' | 'VOIDED'
  readonly guard: SettleGuard
  /** Why it failed, in a word of the field. */
  readonly error?: string
  readonly card?: CardSummary | undefined
  /** What the merchant did itself and was answered at once sends no callback, unless the wallet wants it. */
  readonly silent?: boolean
}

export interface SettleDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly ledger: Ledger
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  /** Told after events were committed. */
  readonly callbacks: { wake(): void }
}

/** Settles an operation; answers it as settled, or undefined when another settlement won. */
export type Settle = (operation: Operation, settlement: Settlement) => Promise<Operation | undefined>

export function createSettle(deps: SettleDeps): Settle {
  const write = grouped<SettledRow, boolean>({
    database: deps.database,
    aggregateOf: ({ settled }) => settled.id,
    write: (rows) => writeSettlements(deps, rows),
  })

  return async (operation, settlement) => {
    const wallet = await deps.wallets.get(operation.walletId)
    const at = deps.clock.now()
    const settled = settledOperation(operation, settlement, wallet, at)
    const told = settlement.silent !== true || wallet.selfEvents
    const event = told ? operationEvent(settled, wallet, newId(at, deps.random)) : undefined
    const entries = settled.status === 'COMPLETED' ? settleEntries[settled.type](settled) : []
    const journalId = entries.length === 0 ? undefined : newId(at, deps.random)
    const won = await write({ settled, guard: settlement.guard, at, event, entries, journalId })
    if (won && event !== undefined) deps.callbacks.wake()
    return won ? settled : undefined
  }
}

function settledOperation(operation: Operation, settlement: Settlement, wallet: Wallet, at: Instant): Operation {
  const completed = settlement.status === 'COMPLETED'
  const rate = operation.method === undefined ? undefined : wallet.feeSchedule[operation.method]
  return {
    ...operation,
    status: settlement.status,
    fee: completed && rate !== undefined ? cents(-feeOf(operation, rate)) : cents(0),
    card: settlement.card ?? operation.card,
    error: settlement.error,
    underApproval: false,
    modifiedAt: at,
  }
}

/** What each type books when it completes. A card hold is the issuer's money, so it books nothing. */
const settleEntries: Record<OperationType, (operation: Operation) => Entry[]> = {
  PAYMENT: income,
  CAPTURE: income,
  AUTH: () => [],
  RELEASE: () => [],
  REFUND: unbooked,
  USERTRANSFER: unbooked,
  WALLETFUNDS: unbooked,
}

function income(operation: Operation): Entry[] {
  return incomeEntries(operation.walletId, methodOf(operation), operation.amount, cents(-operation.fee))
}

function unbooked(operation: Operation): never {
  throw new Error(`nothing settles a ${operation.type} yet`)
}

function methodOf(operation: Operation): Method {
  if (operation.method === undefined) throw new Error(`operation ${operation.id} completed without a method`)
  return operation.method
}

interface SettledRow {
  readonly settled: Operation
  readonly guard: SettleGuard
  readonly at: Instant
  readonly event: NewEvent | undefined
  readonly entries: readonly Entry[]
  readonly journalId: string | undefined
}

const settledSet = rowSet({
  id: 'uuid',
  wallet_id: 'bigint',
  guard: 'text',
  attempt_id: 'uuid',
  status: 'text',
  method: 'text',
  fee: 'bigint',
  card: 'jsonb',
  error: 'text',
  at: 'timestamptz',
  journal_id: 'uuid',
  ...eventColumns,
})
const settledParameterCount = settledSet.parameters([]).length
const entrySet = rowSet(entryColumns, settledParameterCount + 1)

const settleOperations = statement<{ id: string }>(`
  with input as (${settledSet.source}),
  entry as (${entrySet.source}),
  moved as (
    update operations set
      status = input.status,
      fee = input.fee,
      card = coalesce(input.card, operations.card),
      error = input.error,
      under_approval = false,
      modified_at = input.at,
      settled_at = input.at
    from input
    where operations.wallet_id = input.wallet_id and operations.id = input.id
      and operations.status in ('NEW', 'PENDING')
      and operations.method is not distinct from input.method
      and case input.guard
        when 'untouched' then operations.status = 'NEW'
        when 'idle' then not operations.under_approval
        when 'attempt' then operations.under_approval and operations.attempt_id = input.attempt_id
      end
    returning input.*
  ),
  ${postJournalsSql('moved', 'entry', 'settle')},
  ${recordEventsSql('moved')}
  select id from moved`)

async function writeSettlements({ database, ledger }: SettleDeps, rows: readonly SettledRow[]): Promise<boolean[]> {
  const entryRows = []
  for (const { settled, journalId, entries } of rows) {
    if (journalId === undefined) continue
    const { id: operationId, walletId } = settled
    entryRows.push(...(await ledger.entryRows({ id: journalId, walletId, operationId, purpose: 'settle', entries })))
  }
  const moved = await database.run(settleOperations, [
    ...settledSet.parameters(rows.map(settledRow)),
    ...entrySet.parameters(entryRows),
  ])
  const won = new Set(moved.map(({ id }) => id))
  return rows.map(({ settled }) => won.has(settled.id))
}

function settledRow({ settled, guard, at, event, journalId }: SettledRow) {
  return {
    id: settled.id,
    wallet_id: settled.walletId,
    guard: guard.kind,
    attempt_id: guard.kind === 'attempt' ? guard.attemptId : null,
    status: settled.status,
    method: settled.method ?? null,
    fee: settled.fee,
    card: settled.card === undefined ? null : JSON.stringify(settled.card),
    error: settled.error ?? null,
    at: toTimestamp(at),
    journal_id: journalId ?? null,
    ...eventRow(event),
  }
}
