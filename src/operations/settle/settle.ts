// Settling: one statement writes status, postings and event; exactly one wins.

import {
  type EventRow,
  eventRow,
  inThisTrace,
  type NewEvent,
  type OfferedEvent,
  operationCallback,
} from '../../callbacks/index.ts'
import { type AnswerToKeep, storeAnswerCte } from '../../idempotency/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Tracing, tracing } from '../../kernel/tracing.ts'
import {
  accountOf,
  clearingOf,
  type Ledger,
  mergedPostings,
  type PostingRow,
  type WalletAccount,
} from '../../ledger/index.ts'
import { type Method, paidByConsumers } from '../../methods/list.ts'
import { batched, type Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { recordLateApproval } from '../attempts/store.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import { feeOf, holdEndOf, priceOf, railMethodOf, settlePostings } from '../rules.ts'
import { bookDivision, bookTakes, divisionOf, noSharing, type Sharing } from '../shares/book.ts'
import { divideCaptureOf } from '../shares/captures.ts'
import { newShares, newTransfers } from '../shares/table.ts'
import type {
  AnsweredRequest,
  SettleAndAnswer,
  SettleDeps,
  SettledRow,
  Settlement,
  SettleOutcome,
} from './model.ts'
import {
  extraEventSet,
  postingSet,
  revisionSet,
  type SettleStatements,
  type SettlingKind,
  settledColumns,
  settledSet,
  settleStatements,
  shareSet,
  transferSet,
} from './settle-sql.ts'

/** Each retry lost a race with another capture; an authorization allows ten. */
const roundsMax = 50

export function createSettle(deps: SettleDeps): SettleAndAnswer {
  const statements = settleStatements(deps.extension?.sql)
  const write = batched<SettledRow, SettleOutcome>({
    database: deps.database,
    aggregateOf: ({ settled }) => aggregateOf(settled),
    write: (rows) => writeSettlements(deps, statements, rows),
  })

  const settle: SettleAndAnswer = async (operation, settlement) => {
    for (let round = 0; round < roundsMax; round++) {
      const row = await settlementRow(deps, operation, settlement)
      const outcome = await write(row)
      if (outcome !== 'lost') {
        crashPoint('settled, answer not sent')
        return { operation: row.settled, answer: outcome === 'answered' ? row.answer?.answer : undefined }
      }
      if (row.sharing.turn === undefined || !(await isUndecided(deps, operation))) {
        await noteIfApproved(deps, row)
        return undefined
      }
    }
    throw new Error(`capture ${operation.id} lost every race for its authorization: it is settled later`)
  }
  return tracing === undefined ? settle : traced(tracing, settle)
}

/** A worker joins the trace that opened the operation. A request has its own trace. */
function traced(tracing: Tracing, settle: SettleAndAnswer): SettleAndAnswer {
  return (operation, settlement) => {
    const { id, type, method, traceparent } = operation
    const facts = { 'comporta.operation.id': id, 'comporta.operation.type': type, 'comporta.method': method }
    const asked = { ...facts, 'comporta.wallet.id': String(operation.walletId) }
    const isAsked = tracing.traceparent() !== undefined
    const options = isAsked ? { facts: asked, link: traceparent } : { facts: asked, parent: traceparent }
    return tracing.span('settle', options, async (span) => {
      const outcome = await settle(operation, settlement)
      span.note({ 'comporta.operation.status': outcome?.operation.status ?? 'settled otherwise' })
      return outcome
    })
  }
}

/** The totals of captures and releases are on their authorization. */
function aggregateOf({ type, id, parentId }: Operation): string {
  return type === 'CAPTURE' || type === 'RELEASE' ? (parentId ?? id) : id
}

async function isUndecided({ database }: SettleDeps, { walletId, id }: Operation): Promise<boolean> {
  const status = (await findOperation(database, walletId, id))?.status
  return status === 'NEW' || status === 'PENDING'
}

/** Records an approval that came too late, for reversal. */
async function noteIfApproved({ database }: SettleDeps, { settled, guard, at }: SettledRow): Promise<void> {
  const { status, walletId, id: operationId, method } = settled
  if (status !== 'COMPLETED' || guard.kind !== 'attempt' || method === undefined) return
  await recordLateApproval(database, { walletId, key: guard.attemptId, operationId, method }, at)
}

export async function settlementRow(
  deps: SettleDeps,
  operation: Operation,
  settlement: Settlement,
): Promise<SettledRow> {
  const wallet = await deps.wallets.get(operation.walletId)
  const at = deps.clock.now()
  const settled = settledOperation(operation, settlement, wallet, at)
  const hasEvent = wallet.kind === 'merchant' && (settlement.silent !== true || wallet.selfEvents)
  const event = hasEvent ? inThisTrace(operationEvent(settled, wallet, newId(at, deps.random))) : undefined
  const completed = settled.status === 'COMPLETED'
  const payer = completed ? (settlement.payer ?? (await payerOf(deps, settled))) : undefined
  const accounts = () => ({ rail: payer ?? clearingOf(railMethodOf(settled)), own: accountOf(wallet) })
  const sharing = completed ? await sharingOf(deps, settled, at) : noSharing
  const postings = completed
    ? mergedPostings([...settlePostings[settled.type](settled, accounts), ...sharing.postings])
    : []
  const others = settlement.extraEvents ?? (hasEvent ? await extraEventsOf(deps, settled) : [])
  const extraEvents = tracing === undefined ? others : others.map(inThisTrace)
  const answer = answerToKeep(settlement.request, settled)
  const { made } = deps.callbacks
  if (made !== undefined)
    for (const { id } of event === undefined ? extraEvents : [event, ...extraEvents]) made(id)
  return { settled, guard: settlement.guard, at, event, extraEvents, postings, sharing, answer }
}

function answerToKeep(request: AnsweredRequest | undefined, settled: Operation): AnswerToKeep | undefined {
  const answer = request?.answerOf(settled)
  return request === undefined || answer === undefined ? undefined : { requestId: request.requestId, answer }
}

async function extraEventsOf({ extension }: SettleDeps, settled: Operation): Promise<readonly NewEvent[]> {
  return settled.subscriptionId === undefined || extension === undefined ? [] : extension.events(settled)
}

const consumersPay: ReadonlySet<Method> = new Set(paidByConsumers)

/** A refund goes back to the consumer balance that paid. */
async function payerOf(
  deps: SettleDeps,
  { type, method, walletId, parentId }: Operation,
): Promise<WalletAccount | undefined> {
  const isOfConsumer = method !== undefined && consumersPay.has(method)
  if (type !== 'REFUND' || !isOfConsumer || parentId === undefined) return undefined
  const consumerId = await deps.payerOf({ walletId, id: parentId })
  if (consumerId === undefined) throw new Error(`operation ${parentId} was not paid from a balance`)
  return { walletId: consumerId, kind: 'consumer' }
}

function settledOperation(
  operation: Operation,
  settlement: Settlement,
  wallet: Wallet,
  at: Instant,
): Operation {
  const completed = settlement.status === 'COMPLETED'
  const { method, instant } = operation
  const rate = method && wallet.feeSchedule[priceOf(method, instant)]
  return {
    ...operation,
    status: settlement.status,
    fee: completed && rate !== undefined ? cents(-feeOf(operation, rate)) : cents(0),
    card: settlement.card ?? operation.card,
    railPaymentId: settlement.railPaymentId ?? operation.railPaymentId,
    // A movement that a rail reported has its reason from the start.
    error: settlement.error ?? operation.error,
    underApproval: false,
    splitAt: completed && operation.split !== undefined && operation.type !== 'AUTH' ? at : undefined,
    expires: completed && operation.type === 'AUTH' ? holdEndOf(operation, settlement) : operation.expires,
    modifiedAt: at,
    settledAt: at,
  }
}

async function sharingOf(
  { database, random }: SettleDeps,
  settled: Operation,
  at: Instant,
): Promise<Sharing> {
  const { type, split } = settled
  if (type === 'REFUND') return settled.refundSplit === undefined ? noSharing : bookTakes(settled, at, random)
  if (split === undefined || settled.splitAt === undefined) return noSharing
  if (type !== 'CAPTURE') return bookDivision(settled, divisionOf(settled, split), at, random)
  const { division, turn } = await divideCaptureOf(database, settled, split)
  return { ...bookDivision(settled, division, at, random), turn }
}

export interface WriteDeps {
  readonly database: Database
  readonly ledger: Ledger
  readonly callbacks: { offer(event: NewEvent): OfferedEvent }
}

/** Settles each row whose guard still holds. Returns one outcome for each row. */
export async function writeSettlements(
  { database, ledger, callbacks }: WriteDeps,
  statements: SettleStatements,
  rows: readonly SettledRow[],
): Promise<SettleOutcome[]> {
  const offers = new Map<NewEvent, OfferedEvent>()
  const won = new Map<string, SettleOutcome>()
  const offered = (event: NewEvent | undefined) => {
    if (event === undefined) return eventRow(undefined)
    const offer = callbacks.offer(event)
    offers.set(event, offer)
    return offer.columns
  }
  try {
    const { kind, values } = await settlementParameters(ledger, rows, offered)
    for (const { id, is_answered } of await database.run(statements[kind], values))
      won.set(id, is_answered ? 'answered' : 'settled')
  } finally {
    for (const { settled, event, extraEvents } of rows) {
      const recorded = won.has(settled.id)
      for (const each of event === undefined ? extraEvents : [event, ...extraEvents]) {
        if (recorded) offers.get(each)?.committed()
        else offers.get(each)?.abandoned()
      }
    }
  }
  return rows.map(({ settled }) => won.get(settled.id) ?? 'lost')
}

/** The event of the new status (SPEC.md Events; CONTRACT section 16). */
export function operationEvent(operation: Operation, wallet: Wallet, eventId: string): NewEvent {
  const url = operation.callbackUrl
  return {
    id: eventId,
    walletId: operation.walletId,
    kind: 'operation',
    subject: operation.id,
    event: operation.status,
    payload: operationCallback({ ...operation, event: operation.status, operationStatus: operation.status }),
    url,
    endpoint: url === undefined ? 'wallet' : 'operation',
    hasEndpoint: url !== undefined || wallet.callbackUrl !== null,
    createdAt: operation.modifiedAt,
  }
}

export interface SettlementParameters {
  readonly kind: SettlingKind
  readonly values: readonly unknown[]
}

/** Call it outside a transaction, because it looks up accounts. */
export async function settlementParameters(
  ledger: Ledger,
  rows: readonly SettledRow[],
  columnsOf: (event: NewEvent | undefined) => EventRow = eventRow,
): Promise<SettlementParameters> {
  const postingRows: PostingRow[] = []
  const extraEventRows: Parameters<typeof extraEventSet.parameters>[0][number][] = []
  for (const { settled, postings, extraEvents } of rows) {
    for (const event of extraEvents) extraEventRows.push({ operation_id: settled.id, ...columnsOf(event) })
    postingRows.push(...(await ledger.postingRows(settled.id, postings)))
  }
  const settledRows = inOneOrder(rows).map((row) => settledRow(row, columnsOf(row.event)))
  const values = [...settledSet.parameters(settledRows), ...postingSet.parameters(postingRows)]
  const shares = rows.flatMap(({ sharing }) => sharing.shares)
  const transfers = rows.flatMap(({ sharing }) => sharing.transfers)
  const withExtraEvents = [...values, ...extraEventSet.parameters(extraEventRows)]
  if (shares.length + transfers.length > 0) {
    const divided = [
      ...withExtraEvents,
      ...shareSet.parameters(shares.map(newShares.write)),
      ...transferSet.parameters(transfers.map(newTransfers.write)),
      ...revisionSet.parameters(rows.flatMap(revisionRows)),
    ]
    return { kind: 'split', values: divided }
  }
  if (rows.some(({ settled }) => settled.subscriptionId !== undefined))
    return { kind: 'extended', values: withExtraEvents }
  if (rows.some(({ settled }) => concernsOthers(settled))) return { kind: 'related', values }
  return { kind: rows.some(({ answer }) => answer !== undefined) ? 'answered' : 'simple', values }
}

/** Whether other rows change: an authorization gets its timer, a failed child releases its amount. */
function concernsOthers({ type, status }: Operation): boolean {
  return status === 'COMPLETED' ? type === 'AUTH' : type !== 'PAYMENT'
}

/** Rows are sorted by id, so parallel statements lock them in one order and deadlocks are rare. */
function inOneOrder(rows: readonly SettledRow[]): SettledRow[] {
  return rows.toSorted((one, other) => (one.settled.id < other.settled.id ? -1 : 1))
}

function revisionRows({ settled, sharing: { turn } }: SettledRow) {
  if (turn === undefined) return []
  const { id: operation_id, walletId: wallet_id } = settled
  return [{ operation_id, wallet_id, parent_id: turn.authorizationId, split_revision: turn.revision }]
}

function settledRow({ settled, guard, at, answer }: SettledRow, event: EventRow) {
  const lapses = settled.type === 'AUTH' && settled.status === 'COMPLETED' && settled.expires !== undefined
  return {
    ...settledColumns.write(settled),
    guard: guard.kind,
    attempt_id: 'attemptId' in guard ? guard.attemptId : null,
    lapses_at: lapses ? toTimestamp(settled.expires) : null,
    at: toTimestamp(at),
    ...storeAnswerCte.row(answer),
    ...event,
  }
}
