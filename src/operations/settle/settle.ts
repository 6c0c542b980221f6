// Settling: one statement moves the status, writes the postings and the event, and exactly one settle wins.

import {
  type Callbacks,
  eventRow,
  inThisTrace,
  type NewEvent,
  type OfferedEvent,
  operationCallback,
} from '../../callbacks/index.ts'
import type { AnswerToKeep, FirstAnswer } from '../../idempotency/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import type { Instant } from '../../kernel/time.ts'
import { type Tracing, tracing } from '../../kernel/tracing.ts'
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import { accountOf, clearingOf, type Ledger, mergedPostings, type WalletAccount } from '../../ledger/index.ts'
import { type Method, paidByConsumers } from '../../methods/list.ts'
import type { Core } from '../../module.ts'
import { batched, type Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { recordLateApproval } from '../attempts/store.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import { feeOf, holdEndOf, priceOf, settlePostings } from '../rules.ts'
import { bookDivision, bookTakes, divisionOf, noSharing, type Sharing } from '../shares/book.ts'
import { divideCaptureOf } from '../shares/captures.ts'
import {
  type ExtensionSql,
  type SettledRow,
  type SettleGuard,
  type SettleStatements,
  settlementParameters,
  settleStatements,
} from './settle-sql.ts'

export interface Settlement {
  readonly status: 'COMPLETED' | 'FAIL' | 'VOIDED'
  readonly guard: SettleGuard
  /** Why it failed, in a word of the field. */
  readonly error?: string | undefined
  readonly card?: CardSummary | undefined
  /** Of an authorization: until when its provider holds the money, where it says so. */
  readonly heldUntil?: Instant | undefined
  /** What the rail calls the payment, where the payment is begun there. */
  readonly railPaymentId?: string | undefined
  /** What the merchant did itself and was answered at once sends no callback, unless the wallet wants it. */
  readonly silent?: boolean | undefined
  /** Whose balance pays, or is paid back, where no rail does. */
  readonly payer?: WalletAccount
  /** Further events if this settlement wins, where the caller knows them; else {@link SettlementExtension} is asked. */
  readonly extraEvents?: readonly NewEvent[] | undefined
  /** The request that asked for it, where that has an id. */
  readonly request?: AnsweredRequest | undefined
}

/** A request whose answer can be kept by the commit that settles what it made. */
export interface AnsweredRequest {
  readonly requestId: string
  /** The answer, should the operation settle like this; undefined where it is not known before. */
  answerOf(settled: Operation): FirstAnswer | undefined
}

/** What the subscriptions module does with the settlements of operations that belong to one. */
export interface SettlementExtension {
  readonly sql: ExtensionSql
  /** The events of the subscription of `settled`, recorded if its settlement wins. */
  events(settled: Operation): Promise<readonly NewEvent[]>
}

export interface SettleDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly ledger: Ledger
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  /** The consumer whose balance paid an operation. */
  payerOf(payment: Pick<Operation, 'walletId' | 'id'>): Promise<bigint | undefined>
  /** Sends what is recorded; `wake` follows the commit of events that were not offered. */
  readonly callbacks: Pick<Callbacks, 'wake' | 'offer' | 'made'>
  readonly extension?: SettlementExtension | undefined
}

/** Of these, each but the last lost its turn to another capture of the authorization, which takes ten at most. */
const roundsMax = 50

/**
 * Settles an operation; answers it as settled, or undefined when another settlement won. Where a rail approved what
 * the other settlement ended otherwise, that is written down, and reversed.
 */
export type Settle = (operation: Operation, settlement: Settlement) => Promise<Operation | undefined>

/** {@link Settle} of what a request with an id asked for; `answer` is what was kept of {@link Settlement.request}. */
export type SettleAndAnswer = (
  operation: Operation,
  settlement: Settlement,
) => Promise<{ readonly operation: Operation; readonly answer: FirstAnswer | undefined } | undefined>

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
    throw new Error(`capture ${operation.id} found its authorization changed each time: it is settled later`)
  }
  return tracing === undefined ? settle : traced(tracing, settle)
}

/** Whoever brings a settlement about has a trace; what a worker finds out belongs to that of the operation. */
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

/** What a settlement changes apart from the operation: captures and releases count on their authorization. */
function aggregateOf({ type, id, parentId }: Operation): string {
  return type === 'CAPTURE' || type === 'RELEASE' ? (parentId ?? id) : id
}

async function isUndecided({ database }: SettleDeps, { walletId, id }: Operation): Promise<boolean> {
  const status = (await findOperation(database, walletId, id))?.status
  return status === 'NEW' || status === 'PENDING'
}

/** A rail that approved what another settlement has ended otherwise keeps its money only until it is reversed. */
async function noteIfApproved({ database }: SettleDeps, { settled, guard, at }: SettledRow): Promise<void> {
  const { status, walletId, id: operationId, method } = settled
  if (status !== 'COMPLETED' || guard.kind !== 'attempt' || method === undefined) return
  await recordLateApproval(database, { walletId, key: guard.attemptId, operationId, method }, at)
}

/** The operation as it will be, with the postings and events of its settlement. */
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
  const accounts = () => ({ rail: payer ?? clearingOf(methodOf(settled)), own: accountOf(wallet) })
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

/** What a balance paid goes back to that balance. */
async function payerOf(
  deps: SettleDeps,
  { type, method, walletId, parentId }: Operation,
): Promise<WalletAccount | undefined> {
  const isOfConsumer = method !== undefined && consumersPay.has(method)
  if (type !== 'REFUND' || !isOfConsumer || parentId === undefined) return undefined
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
  const { method, instant } = operation
  const rate = method && wallet.feeSchedule[priceOf(method, instant)]
  return {
    ...operation,
    status: settlement.status,
    fee: completed && rate !== undefined ? cents(-feeOf(operation, rate)) : cents(0),
    card: settlement.card ?? operation.card,
    railPaymentId: settlement.railPaymentId ?? operation.railPaymentId,
    // What a rail did by itself says why from the beginning.
    error: settlement.error ?? operation.error,
    underApproval: false,
    splitAt: completed && operation.split !== undefined && operation.type !== 'AUTH' ? at : undefined,
    expires: completed && operation.type === 'AUTH' ? holdEndOf(operation, settlement) : operation.expires,
    modifiedAt: at,
    settledAt: at,
  }
}

/** What a completed operation moves between the marketplace owner and the sub-merchants. */
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

function methodOf(operation: Operation): Method {
  if (operation.method === undefined) throw new Error(`operation ${operation.id} completed without a method`)
  return operation.method
}

/** `answered`: it settled, and its answer was kept with it. */
export type SettleOutcome = 'lost' | 'settled' | 'answered'

export interface WriteDeps {
  readonly database: Database
  readonly ledger: Ledger
  readonly callbacks: { offer(event: NewEvent): OfferedEvent }
}

/** Settles each row whose guard still holds; answers per row what became of it. Its events are on their way then. */
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

/** The event of `operation` having reached its status (SPEC.md Events; CONTRACT section 16). */
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
