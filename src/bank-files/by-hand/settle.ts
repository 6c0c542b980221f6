// Answering orders by hand: alone up to a limit, above it with a second person.

import { crashPoint } from '../../kernel/crash-points.ts'
import { type Cents, cents, decimalText } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Core } from '../../module.ts'
import type { Executor } from '../../storage/index.ts'
import { postCharges } from '../charges/post.ts'
import {
  answerOrders,
  dropUnsentRefunds,
  lockImports,
  refundsSent,
  type SuspenseAccounts,
} from '../incoming/store.ts'
import { maskedIban, type OrderAnswer } from '../model.ts'
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

/** What somebody says that the bank made of an order. */
export interface NewSettlement {
  readonly answer: OrderAnswer
  /** What the bank charged, in cents. */
  readonly fee: Cents
  readonly reason: string
  /** An operator's address, or `command line`. */
  readonly by: string
}

export interface SettledOrder {
  /** As it was before. */
  readonly order: FiledOrder
  readonly settlement: Settlement
  readonly state: 'waiting' | 'answered' | 'withdrawn'
  /** The change of the order, in words, for the merchant's log. */
  readonly change: { readonly field: string; readonly old: string; readonly new: string }
}

type Verb = 'settle' | 'approve' | 'withdraw'

export interface OpenOrder extends FiledOrder {
  /** Of the other end: enough for its owner to know it. */
  readonly maskedIban: string
  /** What waits for a second person. */
  readonly waiting: Settlement | undefined
}

/** Orders are named by their id, or by that of their operation. */
export interface SettlingByHand {
  /** Orders that the bank has and has not answered, and those whose settlement waits, oldest first. */
  openOrders(limit: number): Promise<readonly OpenOrder[]>
  /** Refusals: not_found; illegal_state where an operation has several orders. */
  findOrder(name: string): Promise<Result<FiledOrder>>
  /**
   * Answers an order, or has the answer wait for a second person. Refusals: not_found; illegal_state if no bank has the
   * order, if it is answered, or if another answer waits.
   */
  settle(name: string, settlement: NewSettlement): Promise<Result<SettledOrder>>
  /** Refusals: those of `settle`; access_denied to who has proposed it. */
  approve(name: string, by: string): Promise<Result<SettledOrder>>
  /** Takes back what waits. */
  withdraw(name: string): Promise<Result<SettledOrder>>
}

export interface SettlingDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  /** The largest order that somebody answers alone, in cents. */
  readonly settleAloneMax: Cents
  /** Not for inside a transaction. */
  suspenseAccounts(): Promise<SuspenseAccounts>
  /** Does what follows from answers. */
  follow(): Promise<unknown>
}

export function createSettlingByHand(deps: SettlingDeps): SettlingByHand {
  const { database, clock, random, settleAloneMax } = deps

  async function findOrder(name: string): Promise<Result<FiledOrder>> {
    const [order, ...others] = await findOrdersNamed(database, name)
    if (order === undefined) return refuse('not_found', `there is no order ${name} for the bank`)
    if (others.length === 0) return ok(order)
    const ids = [order, ...others].map(({ id }) => id)
    return refuse('illegal_state', `operation ${name} has several orders: name one of ${ids.join(', ')}`)
  }

  /** Decides under the lock of the order, before or after imports. */
  async function decide(
    name: string,
    verb: Verb,
    decision: (tx: Executor, order: FiledOrder, accounts: SuspenseAccounts) => Promise<Result<Settlement>>,
  ): Promise<Result<SettledOrder>> {
    const found = await findOrder(name)
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

  /** Of a debit that comes back, what refunds have sent stays with the debtor. */
  async function amountOf(tx: Executor, order: FiledOrder, answer: OrderAnswer): Promise<Cents> {
    if (answer === 'paid') return order.amount
    return cents(order.amount - ((await refundsSent(tx, [order.id])).get(order.id) ?? 0n))
  }

  return {
    findOrder,
    async openOrders(limit) {
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
    settle: (name, { answer, fee, reason, by }) =>
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
          return refuse('illegal_state', `an answer to order ${order.id} waits for a second person`)
        if (!settlement.needsSecond) await give(tx, order, settlement, accounts)
        return ok(settlement)
      }),
    approve: (name, by) =>
      decide(name, 'approve', async (tx, order, accounts) => {
        const [waiting] = await findWaiting(tx, [order.id])
        if (waiting === undefined) return nothingWaits(order)
        if (waiting.settledBy === by)
          return refuse('access_denied', `a second person must approve what ${by} proposed`)
        const blockedReason = blockedReasonOf(order, waiting.answer)
        if (blockedReason !== undefined) return refuse('illegal_state', blockedReason)
        const amount = await amountOf(tx, order, waiting.answer)
        const approved: Settlement = { ...waiting, amount, approvedBy: by, approvedAt: clock.now() }
        await markApproved(tx, approved)
        await give(tx, order, approved, accounts)
        return ok(approved)
      }),
    withdraw: (name) =>
      decide(name, 'withdraw', async (tx, order) => {
        const [waiting] = await findWaiting(tx, [order.id])
        if (waiting === undefined) return nothingWaits(order)
        await removeWaiting(tx, waiting)
        return ok(waiting)
      }),
  }
}

function nothingWaits({ id }: FiledOrder): Result<never> {
  return refuse('illegal_state', `no answer to order ${id} waits for a second person`)
}

/** Why an order cannot be given an answer; undefined if it can. */
function blockedReasonOf({ id, fileName, answer }: FiledOrder, wanted: OrderAnswer): string | undefined {
  if (fileName === undefined) return `order ${id} is in no file that was written: no bank has it`
  if (answer === 'returned') return `order ${id} was returned before`
  return answer === 'paid' && wanted === 'paid' ? `order ${id} was paid before` : undefined
}

function settledOrder(order: FiledOrder, settlement: Settlement, verb: Verb): SettledOrder {
  const { answer, fee, reason, settledBy } = settlement
  const state = verb === 'withdraw' ? 'withdrawn' : isWaiting(settlement) ? 'waiting' : 'answered'
  const said = `${answer} by hand${fee === 0n ? '' : `, fee ${decimalText(fee)}`}: ${reason}`
  const waits = `waits for a second person: ${said}`
  const unchanged = order.answer ?? 'not answered'
  const after = {
    waiting: waits,
    answered: verb === 'approve' ? `${said} (proposed by ${settledBy})` : said,
    withdrawn: unchanged,
  }
  const change = { field: `order ${order.id}`, old: verb === 'settle' ? unchanged : waits, new: after[state] }
  return { order, settlement, state, change }
}
