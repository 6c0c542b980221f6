// Settles operations in the process of the test: wallets with prices, postings, sent events.

import { randomUUID } from 'node:crypto'
import type { NewEvent } from '../../src/callbacks/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { type Clock, instant } from '../../src/kernel/time.ts'
import { rational } from '../../src/kernel/values/rational.ts'
import { type AccountName, createLedger } from '../../src/ledger/index.ts'
import { bookedPostings } from '../../src/ledger/store.ts'
import { defaultFeeSchedule } from '../../src/methods/list.ts'
import { type ChildOperation, childOperation, insertOperations } from '../../src/operations/for-movements.ts'
import {
  findOperation,
  type NewOperation,
  type Operation,
  openedOperation,
} from '../../src/operations/index.ts'
import type { ChildType } from '../../src/operations/model.ts'
import { insertChildren } from '../../src/operations/open/open.ts'
import type {
  Settle,
  SettleAndAnswer,
  SettleDeps,
  SettleGuard,
  Settlement,
} from '../../src/operations/settle/model.ts'
import { createSettle } from '../../src/operations/settle/settle.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { subscriptionSettlement } from '../../src/subscriptions/settlement.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { createPostgresDatabase } from '../database.ts'
import { insertRow } from '../storage/rows.ts'

export const now = instant(Date.UTC(2026, 0, 31, 12))

/** A split with one share of a half, without fees. */
export const halfFor = ({ id, publicId }: Wallet) => [
  {
    walletId: id,
    publicId,
    fraction: rational(1n, 2n),
    feeFixed: cents(0),
    feeVariableBp: 0,
    descr: 'half',
  },
]

export type SettleWorld = Awaited<ReturnType<typeof openSettleWorld>>

export async function openSettleWorld() {
  const databaseUrl = await createPostgresDatabase()
  const database: Database = openPostgres({ url: databaseUrl })
  const clock: Clock = { now: () => now }
  const wallets = new Map<bigint, Wallet>()
  const merchant = {
    kind: 'merchant',
    name: 'Shop',
    callbackUrl: 'http://shop.example/events',
    selfEvents: false,
    feeSchedule: defaultFeeSchedule,
    paymentLimit: null,
    dayLimit: null,
  }
  let walletsMade = 1000n
  /** A merchant with the usual prices. `change` replaces some of its fields. */
  function wallet(change: Partial<Wallet> = {}): Wallet {
    walletsMade += 1n
    const made = { ...merchant, id: walletsMade, publicId: randomUUID(), ...change } as unknown as Wallet
    wallets.set(made.id, made)
    return made
  }

  const callbacks = new CallbackWorld(database).callbacks()
  /** The calls about reserved events, in order. */
  const sent: string[] = []
  const told: SettleDeps['callbacks'] = {
    wake: () => void sent.push('wake'),
    made: (id) => void sent.push(`made ${id}`),
    offer(event: NewEvent) {
      const { columns, committed, abandoned } = callbacks.offer(event)
      const noted = (word: string, act: () => void) => () => {
        sent.push(`${word} ${event.event} of ${event.subject}`)
        act()
      }
      noted('offered', () => {})()
      return { columns, committed: noted('committed', committed), abandoned: noted('abandoned', abandoned) }
    },
  }
  const ledger = createLedger({ database })
  const known = { get: async (id: bigint) => wallets.get(id) as Wallet }
  const deps: SettleDeps = {
    ...{ database, clock, ledger, random: systemRandomness, wallets: known, callbacks: told },
    payerOf: async () => undefined,
    extension: subscriptionSettlement({ database, clock, random: systemRandomness, wallets: known }),
  }

  /** An operation of 10.00 by card that the rail has not decided. `change` replaces some of its fields. */
  async function opened(owner: Wallet, change: Partial<NewOperation> = {}): Promise<Operation> {
    const id = change.id ?? randomUUID()
    const operation = openedOperation({
      id,
      walletId: owner.id,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      attemptId: id,
      underApproval: true,
      createdAt: now,
      ...change,
    })
    await insertOperations(database, [{ operation, claim: undefined }])
    return operation
  }

  let settle = createSettle(deps)
  /** The guard for an operation that the rail of its latest attempt has decided. */
  const decidedBy = ({ attemptId = '' }: Operation): SettleGuard => ({ kind: 'attempt', attemptId })

  return {
    database,
    databaseUrl,
    deps,
    wallet,
    opened,
    decidedBy,
    /** Makes later settlements run like those of a separate process, with the dependencies in `change`. */
    settleWith(change: Partial<SettleDeps> = {}): void {
      settle = createSettle({ ...deps, ...change })
    },
    settle: (...asked: Parameters<SettleAndAnswer>) => settle(...asked),
    settleAlone: async (...asked: Parameters<Settle>) => (await settle(...asked))?.operation,
    /** Completes an operation that its rail approved. */
    async complete(operation: Operation, more: Partial<Settlement> = {}): Promise<Operation> {
      const settled = await settle(operation, { status: 'COMPLETED', guard: decidedBy(operation), ...more })
      if (settled === undefined) throw new Error(`${operation.type} ${operation.id} was settled otherwise`)
      return settled.operation
    },
    /** Fails an operation that its rail declined. Undefined if another settlement came first. */
    fail: (operation: Operation, more: Partial<Settlement> = {}) =>
      settle(operation, { status: 'FAIL', guard: decidedBy(operation), ...more }),
    /** A capture, release or refund that the rail has not decided, with its reservation. */
    async child(
      parent: Operation,
      type: ChildType,
      amount: number,
      change: Partial<ChildOperation> = {},
    ): Promise<Operation> {
      const id = randomUUID()
      const asked = { id, type, amount: cents(amount), merchantReferences: {}, createdAt: now }
      const deciding = { attemptId: id, underApproval: true }
      const operation = { ...childOperation(parent, asked), ...deciding, ...change }
      const [outcome] = await insertChildren(database, [{ operation, claim: undefined }])
      if (outcome !== 'opened') throw new Error(`a ${type} of ${amount} was ${outcome}`)
      return openedOperation(operation)
    },
    /** The calls about events since the last time. */
    sent: () => sent.splice(0),
    async stored({ walletId, id }: Pick<Operation, 'walletId' | 'id'>): Promise<Operation> {
      const operation = await findOperation(database, walletId, id)
      if (operation === undefined) throw new Error(`there is no operation ${id}`)
      return operation
    },
    /** The postings of an operation, as `debit > credit: amount`. */
    async booked({ walletId, id }: Pick<Operation, 'walletId' | 'id'>): Promise<string[]> {
      const named = ({ walletId: owner, kind }: AccountName) => (owner === 0n ? kind : `${kind} ${owner}`)
      const lines = await bookedPostings(database, walletId, [id])
      return lines.map(({ debit, credit, amount }) => `${named(debit)} > ${named(credit)}: ${amount}`)
    },
    /** The events of a subject, with their endpoint and state. */
    async events(subject: string): Promise<readonly string[]> {
      const rows = await database.run(selectEvents, [subject])
      return rows.map(({ kind, event, endpoint, state }) => `${kind} ${event} ${endpoint} ${state}`)
    },
    shares: ({ walletId, id }: Operation) => database.run(selectShares, [walletId, id]),
    /** The stored events of a subject. */
    eventRows: (subject: string) => database.run(selectEventRows, [subject]),
    async count(what: string, ...parameters: readonly unknown[]): Promise<number> {
      const count = statement<{ count: bigint }>(`select count(*) as count from ${what}`)
      return Number((await database.run(count, parameters))[0]?.count)
    },
    async run(sql: string, ...parameters: readonly unknown[]): Promise<void> {
      await database.run(statement(sql), parameters)
    },
    /** A subscription, and a charge of it that `payment` pays. */
    async charge(owner: Wallet, operationId: string): Promise<{ subscriptionId: string; chargeId: string }> {
      const [subscriptionId, chargeId] = [randomUUID(), randomUUID()]
      const always = {
        wallet_id: Number(owner.id),
        amount: 1000,
        currency: 'EUR',
        created_at: '2026-01-01',
        modified_at: '2026-01-01',
      }
      await insertRow(database, 'subscriptions', {
        ...{ id: subscriptionId, ...always, status: 'APPROVED', method: 'CC', card_token: randomUUID() },
        ...{ frequency: 1, period: 'MONTH', start_date: '2026-01-01', checkout_id: randomUUID() },
        cycle_charged: 1000,
      })
      await insertRow(database, 'charges', {
        ...{ id: chargeId, ...always, subscription_id: subscriptionId, operation_id: operationId },
        ...{ status: 'PROCESSING', cycle: 0, opened: true },
      })
      return { subscriptionId, chargeId }
    },
    close: async () => {
      await callbacks.workers.callbacks.stop()
      await database.close()
    },
  }
}

const selectEvents = statement<{ kind: string; event: string; endpoint: string; state: string }>(`
  select events.kind, events.event, deliveries.endpoint, deliveries.state
  from events join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.subject = $1 order by events.created_at`)

const selectEventRows = statement<{ id: string; payload: string; url: string | null }>(`
  select events.id, events.payload::text as payload, deliveries.url
  from events join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.subject = $1 order by events.created_at`)

const selectShares = statement<{ amount: bigint; transfer_id: string }>(`
  select amount, transfer_id from shares where wallet_id = $1 and operation_id = $2 order by position`)
