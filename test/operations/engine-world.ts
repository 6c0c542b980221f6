// The engine in a test process, with a scripted rail and a clock.

import { randomUUID } from 'node:crypto'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { after, type Clock, type Instant, instant, systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import type { Method } from '../../src/methods/list.ts'
import {
  createCustomerEngine,
  type FollowedAttempts,
} from '../../src/operations/attempts/customers/engine.ts'
import type { CustomerHandler } from '../../src/operations/attempts/customers/handler.ts'
import { type AskRail, createEngine } from '../../src/operations/attempts/engine.ts'
import {
  approvedAtOnce,
  type ChargeHandler,
  type RailHandler,
  type RailOf,
} from '../../src/operations/attempts/model.ts'
import { createGiveUp } from '../../src/operations/attempts/resolver.ts'
import { findOperation, type NewOperation, type Operation } from '../../src/operations/index.ts'
import { createSettle } from '../../src/operations/settle/settle.ts'
import type { RailAnswer } from '../../src/rails/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { openTestDatabase } from '../database.ts'

/** Answers in order. The last one is repeated. An Error is thrown. */
export type Script = readonly unknown[]

export const approved = { kind: 'approved' } as const
export const declined = { kind: 'declined', reason: 'no_funds' } as const
export const unknownAnswer = { kind: 'unknown' } as const
export const notFound = { kind: 'not_found' } as const

interface AttemptRow {
  readonly state: string
  readonly tries: number
  readonly due_at: Date | null
}

export type EngineWorld = Awaited<ReturnType<typeof openEngineWorld>>

export async function openEngineWorld() {
  const database: Database = await openTestDatabase('postgres')
  let now: Instant = instant(Math.floor(systemClock.now() / 1000) * 1000)
  const clock: Clock = { now: () => now }
  const errors: unknown[] = []
  /** The requests that the rail got, in order, such as `cancel`. */
  const asked: string[] = []
  const script = new Map<string, Script>()

  /** The next answer to `verb`. */
  async function say(verb: string): Promise<never> {
    const [answer, ...rest] = script.get(verb) ?? [unknownAnswer]
    if (rest.length > 0) script.set(verb, rest)
    asked.push(verb)
    if (answer instanceof Error) throw answer
    return answer as never
  }

  const handler: RailHandler = {
    inquire: () => say('inquire'),
    cancel: () => say('cancel'),
    reverse: () => say('reverse'),
  }
  const { cancel: _, reverse: __, ...inquiring } = handler
  const rails: Partial<Record<Method, RailHandler>> = {
    CC: handler,
    SEPA: inquiring,
    MB: { inquire: approvedAtOnce },
  }
  const railOf: RailOf = ({ method }) => method && rails[method]
  const charges: ChargeHandler = {
    inquire: () => say('inquire'),
    send: async (_payment, beforeSend) => ((await beforeSend()) ? say('send') : (unknownAnswer as never)),
    givenUp: async () => void asked.push('given up'),
  }
  const wallet = {
    id: 1001n,
    kind: 'merchant',
    publicId: randomUUID(),
    name: 'Shop',
    callbackUrl: null,
    selfEvents: false,
    feeSchedule: {},
    paymentLimit: null,
    dayLimit: null,
  } as unknown as Wallet
  const wallets = new Map<bigint, Wallet>([
    [wallet.id, wallet],
    [1002n, { ...wallet, id: 1002n, dayLimit: cents(1500) }],
  ])
  const deps = {
    database,
    clock,
    random: systemRandomness,
    ledger: createLedger({ database }),
    wallets: { get: async (id: bigint) => wallets.get(id) as Wallet },
    payerOf: async () => undefined,
    callbacks: new CallbackWorld(database).callbacks(),
    railOf,
    onError: (error: unknown) => void errors.push(error),
  }
  const giveUp = createGiveUp({ database, clock, railOf })
  const engine = createEngine({ ...deps, settle: createSettle(deps), giveUp })
  /** The engines of customers' attempts. */
  const followed: Partial<Record<Method, FollowedAttempts>> = {}
  const resolver = engine.resolver((method) => followed[method], charges)

  return {
    database,
    engine,
    wallet,
    errors,
    now: () => now,
    advance: (milliseconds: number) => {
      now = after(now, milliseconds)
    },
    /** Sets the answers, and forgets earlier requests. */
    scripted(answers: Readonly<Record<string, Script>>) {
      script.clear()
      for (const [verb, said] of Object.entries(answers)) script.set(verb, said)
      asked.length = 0
      errors.length = 0
    },
    asked: () => asked.splice(0),
    say,
    /** The resolver continues attempts by this engine of `handler`. */
    follow<Details>(handler: CustomerHandler<Details>) {
      const customers = createCustomerEngine(deps, handler)
      followed[handler.method] = customers as FollowedAttempts
      return customers
    },
    /** Moves the clock, and does all work that is due. */
    async resolveAfter(milliseconds: number): Promise<readonly string[]> {
      now = after(now, milliseconds)
      await resolver.runDue()
      return asked.splice(0)
    },
    payment: (more: Partial<NewOperation> = {}): NewOperation => ({
      id: randomUUID(),
      walletId: wallet.id,
      type: 'PAYMENT',
      status: 'NEW',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      createdAt: now,
      ...more,
    }),
    /** A rail that first asks whether it may start, and then answers. */
    rail:
      (answer: RailAnswer): AskRail =>
      async (beforeSend) =>
        (await beforeSend()) ? answer : unknownAnswer,
    async stored({ walletId, id }: Pick<Operation, 'walletId' | 'id'>): Promise<Operation> {
      const operation = await findOperation(database, walletId, id)
      if (operation === undefined) throw new Error(`there is no operation ${id}`)
      return operation
    },
    /** The state and the tries of an attempt, and the seconds until it is due. */
    async attempt({
      id,
    }: Pick<Operation, 'id'>): Promise<readonly [string, number, number | undefined] | undefined> {
      const rows = await database.run(statement<AttemptRow>('select * from attempts where id = $1'), [id])
      const [row] = rows
      const due = row?.due_at?.valueOf()
      return row && [row.state, Number(row.tries), due === undefined ? undefined : (due - now) / 1000]
    },
    async counted(table: 'postings' | 'events', { id }: Pick<Operation, 'id'>): Promise<number> {
      const of = table === 'postings' ? 'operation_id' : 'subject'
      const count = statement<{ count: bigint }>(`select count(*) as count from ${table} where ${of} = $1`)
      return Number((await database.run(count, [id]))[0]?.count)
    },
    close: () => database.close(),
  }
}
