// Settling orders by hand, with a second person above a limit.
import { crashPoint } from '../../kernel/crash-points.ts'
import { type Cents, cents, decimalText } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Core } from '../../module.ts'
import type { Executor } from '../../storage/index.ts'
import { postCharges } from '../charges/post.ts'
import { answerOrders, dropUnsentRefunds, lockImports, type SuspenseAccounts } from '../incoming/store.ts'
import { maskedIban, type OrderAnswer } from '../model.ts'
import { sumsOfRefunds } from '../store.ts'
import { isWaiting, type Settlement } from './model.ts'
import {
  addSettlement,
  type FiledOrder,
  findOrdersNamed,
  findWaiting,
  listOpenOrders,
  lockFiledOrder,
  markApproved,
  removeWaiting,
} from './store.ts'

export interface NewSettlement {
  readonly answer: OrderAnswer
  readonly fee: Cents
  readonly reason: string
  /** The e-mail address of an operator, or `command line`. */
  readonly by: string
}

export interface SettledOrder {
  readonly order: FiledOrder
  readonly settlement: Settlement
  readonly state: 'waiting' | 'answered' | 'withdrawn'
  /** The change of the order as text, for the merchant's log. */
  readonly change: { readonly field: string; readonly old: string; readonly new: string }
}

type Verb = 'settle' | 'approve' | 'withdraw'

export interface OpenOrder extends FiledOrder {
  readonly maskedIban: string
  readonly waiting: Settlement | undefined
}

export interface SettlingDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settleAloneMax: Cents
  /** Must not be called in a transaction. */
  suspenseAccounts(): Promise<SuspenseAccounts>
  follow(): Promise<unknown>
}

export type SettlingByHand = ReturnType<typeof createSettlingByHand>

/** Settles orders by hand. `name` is the id of an order or of its operation. */
export function createSettlingByHand(deps: SettlingDeps) {
  const { database, clock, random, settleAloneMax } = deps

  /** Decides while it holds the locks of the order and of imports. */
  async function decide(
    name: string,
    verb: Verb,
    decision: (tx: Executor, order: FiledOrder, accounts: SuspenseAccounts) => Promise<Result<Settlement>>,
  ): Promise<Result<SettledOrder>> {
    const found = await findOrder(database, name)
    if (!found.ok) return found
    const accounts = await deps.suspenseAccounts()
    const decided = await database.transaction(async (tx): Promise<Result<SettledOrder>> => {
      await lockImports(tx)
      const order = await lockFiledOrder(tx, found.value.id)
      if (order === undefined) return refuse('not_found', `there is no order ${name} for the bank`)
      const settlement = await decision(tx, order, accounts)
      return settlement.ok ? ok(settledOrder(order, settlement.value, verb)) : settlement
    })
    if (decided.ok && decided.value.state === 'answered') {
      crashPoint('order answered by hand, nothing follows')
      await deps.follow()
    }
    return decided
  }

  async function give(
    tx: Executor,
    order: FiledOrder,
    { id, fee, answer }: Settlement,
    accounts: SuspenseAccounts,
  ): Promise<void> {
    const now = clock.now()
    if (answer === 'returned') await dropUnsentRefunds(tx, [order.id])
    await answerOrders(tx, [{ walletId: order.walletId, id: order.id, answer, returnCode: undefined }], now)
    await postCharges(tx, [{ id, amount: fee, walletId: order.walletId }], accounts, now)
  }

  return {
    findOrder: (name: string) => findOrder(database, name),
    /** Orders that the bank has not answered, or whose settlement waits for approval, oldest first. */
    async openOrders(limit: number): Promise<OpenOrder[]> {
      const orders = await listOpenOrders(database, limit)
      const waiting = await findWaiting(
        database,
        orders.map(({ id }) => id),
      )
      const byOrder = new Map(waiting.map((one) => [one.orderId, one]))
      return orders.map((order) => ({
        ...order,
        maskedIban: maskedIban(order.party.iban),
        waiting: byOrder.get(order.id),
      }))
    },
    /** Refusals: not_found; illegal_state if no bank has the order, it is answered, or another settlement waits. */
    settle: (name: string, { answer, fee, reason, by }: NewSettlement) =>
      decide(name, 'settle', async (tx, order, accounts) => {
        const blockedReason = blockedReasonOf(order, answer)
        if (blockedReason !== undefined) return refuse('illegal_state', blockedReason)
        const now = clock.now()
        const settlement: Settlement = {
          ...{ id: newId(now, random), walletId: order.walletId, orderId: order.id, answer, fee, reason },
          ...{ amount: await amountOf(tx, order, answer), settledBy: by, settledAt: now },
          needsSecond: settleAloneMax === 0n || order.amount > settleAloneMax,
        }
        if (!(await addSettlement(tx, settlement)))
          return refuse(
            'illegal_state',
            `a settlement of order ${order.id} already waits for a second person`,
          )
        if (!settlement.needsSecond) await give(tx, order, settlement, accounts)
        return ok(settlement)
      }),
    /** Refusals: those of `settle`, and access_denied for the person who proposed the settlement. */
    approve: (name: string, by: string) =>
      decide(name, 'approve', async (tx, order, accounts) => {
        const [waiting] = await findWaiting(tx, [order.id])
        if (waiting === undefined) return nothingWaits(order)
        if (waiting.settledBy === by)
          return refuse('access_denied', `a second person must approve the settlement that ${by} proposed`)
        const blockedReason = blockedReasonOf(order, waiting.answer)
        if (blockedReason !== undefined) return refuse('illegal_state', blockedReason)
        const amount = await amountOf(tx, order, waiting.answer)
        const approved: Settlement = { ...waiting, amount, approvedBy: by, approvedAt: clock.now() }
        await markApproved(tx, approved)
        await give(tx, order, approved, accounts)
        return ok(approved)
      }),
    withdraw: (name: string) =>
      decide(name, 'withdraw', async (tx, order) => {
        const [waiting] = await findWaiting(tx, [order.id])
        if (waiting === undefined) return nothingWaits(order)
        await removeWaiting(tx, waiting)
        return ok(waiting)
      }),
  }
}

/** Refusals: not_found; illegal_state if an operation has several orders. */
async function findOrder(db: Executor, name: string): Promise<Result<FiledOrder>> {
  const [order, ...others] = await findOrdersNamed(db, name)
  if (order === undefined) return refuse('not_found', `there is no order ${name} for the bank`)
  if (others.length === 0) return ok(order)
  const ids = [order, ...others].map(({ id }) => id)
  return refuse('illegal_state', `operation ${name} has several orders: name one of ${ids.join(', ')}`)
}

/** After the return of a debit, the debtor keeps earlier refunds. They are subtracted here. */
async function amountOf(tx: Executor, order: FiledOrder, answer: OrderAnswer): Promise<Cents> {
  if (answer === 'paid') return order.amount
  return cents(order.amount - ((await sumsOfRefunds(tx, [order.id])).get(order.id) ?? 0n))
}

function nothingWaits({ id }: FiledOrder): Result<never> {
  return refuse('illegal_state', `no settlement of order ${id} waits for a second person`)
}

function blockedReasonOf({ id, fileName, answer }: FiledOrder, wanted: OrderAnswer): string | undefined {
  if (fileName === undefined) return `order ${id} is in no written file: no bank has it`
  if (answer === 'returned') return `order ${id} was returned before`
  return answer === 'paid' && wanted === 'paid' ? `order ${id} was paid before` : undefined
}

function settledOrder(order: FiledOrder, settlement: Settlement, verb: Verb): SettledOrder {
  const { answer, fee, reason, settledBy } = settlement
  const state = verb === 'withdraw' ? 'withdrawn' : isWaiting(settlement) ? 'waiting' : 'answered'
  const settled = `${answer} by hand${fee === 0n ? '' : `, fee ${decimalText(fee)}`}: ${reason}`
  const waits = `waits for a second person: ${settled}`
  const unchanged = order.answer ?? 'not answered'
  const after = {
    waiting: waits,
    answered: verb === 'approve' ? `${settled} (proposed by ${settledBy})` : settled,
    withdrawn: unchanged,
  }
  const change = { field: `order ${order.id}`, old: verb === 'settle' ? unchanged : waits, new: after[state] }
  return { order, settlement, state, change }
}
