// Row locks during decisions, and skipped locked work.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimOverdueAuthorizations, closeAuthorization } from '../../src/authorizations/store.ts'
import { recordEvents } from '../../src/callbacks/index.ts'
import { claim, dueLanes } from '../../src/callbacks/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { after, minute, systemClock } from '../../src/kernel/time.ts'
import { lockAccount, openAccount } from '../../src/ledger/index.ts'
import { reserveAllowance } from '../../src/methods/mbway/mandates/allowances-store.ts'
import { renewAttempt } from '../../src/operations/attempts/store.ts'
import { childOperation, insertOperations } from '../../src/operations/for-movements.ts'
import type { NewOperation } from '../../src/operations/index.ts'
import { insertChildren } from '../../src/operations/open/open.ts'
import { lockLink } from '../../src/payment-links/store.ts'
import { type Database, type Executor, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase, waitingFor } from '../database.ts'
import { patienceSeconds } from '../patience.ts'
import { insertRow, isMovableDuring, pendingPayment } from './rows.ts'

const walletId = 1001n
const now = systemClock.now()
const later = after(now, minute)

let database: Database
beforeAll(async () => {
  // A statement that waits for a lock fails by timeout.
  database = openPostgres({ url: await createPostgresDatabase(), answerMsMax: patienceSeconds * 1000 })
})
afterAll(() => database.close())

async function operation(type: NewOperation['type'], more: object): Promise<string> {
  const operation = pendingPayment({ type, ...more })
  await insertOperations(database, [{ operation, claim: undefined }])
  return operation.id
}

async function authorization(): Promise<string> {
  const id = await operation('AUTH', {})
  await database.run(
    statement(
      `update operations set status = 'COMPLETED', under_approval = false, settled_at = now(), expires = now() where id = $1`,
    ),
    [id],
  )
  await database.run(
    statement(
      'insert into authorization_timers (due_at, wallet_id, id) select expires, wallet_id, id from operations where id = $1',
    ),
    [id],
  )
  return id
}

const insert = (table: string, row: Parameters<typeof insertRow>[2]) => insertRow(database, table, row)
const isMovable = (act: (tx: Executor) => Promise<unknown>, table: string, id: string | bigint) =>
  isMovableDuring(database, act, table, id)

describe('is kept while it is decided on:', () => {
  it('an operation whose attempt is renewed', async () => {
    const id = randomUUID()
    await operation('PAYMENT', { id, attemptId: id, underApproval: true })
    const renew = (tx: Executor) => renewAttempt(tx, { walletId, id }, later, undefined)
    expect(await isMovable(async () => undefined, 'operations', id)).toBe(true)
    expect(await isMovable(renew, 'operations', id)).toBe(false)
  })

  it('an account whose balance is looked at', async () => {
    const account = await openAccount(database, { walletId, kind: 'merchant' })
    expect(await isMovable((tx) => lockAccount(tx, account), 'accounts', account)).toBe(false)
  })

  it('a mandate of which something is reserved', async () => {
    const id = randomUUID()
    await insert('mandates', {
      id,
      wallet_id: 1001,
      type: 'ONECLICK',
      state: 'ACTIVE',
      phone: '351#912345678',
      amount_limit: 1000,
      expiry_date: '2999-01-01',
      asked_until: '2026-01-01',
      due_at: '2026-01-01',
      created_at: '2026-01-01',
      modified_at: '2026-01-01',
    })
    const reservation = { walletId, mandateId: id, id: randomUUID(), amount: cents(10) }
    const reserve = (tx: Executor) => reserveAllowance(tx, reservation, '2026-03-02', now)
    expect(await isMovable(reserve, 'mandates', id)).toBe(false)
  })

  it('a link of which a checkout is opened', async () => {
    const id = randomUUID()
    await insert('payment_links', {
      id,
      wallet_id: 1001,
      code: id,
      description: 'lamp',
      amount: 100,
      currency: 'EUR',
      created_at: '2026-01-01',
    })
    expect(await isMovable((tx) => lockLink(tx, { walletId, id } as never), 'payment_links', id)).toBe(false)
  })
})

it('two captures that fit alone and not together: the one that comes second is refused', async () => {
  const parentId = await authorization()
  const parent = { id: parentId, walletId, type: 'AUTH', amount: cents(1000), currency: 'EUR' } as never
  const capture = () => ({
    operation: childOperation(parent, {
      type: 'CAPTURE',
      amount: cents(600),
      id: randomUUID(),
      channel: 'API',
      createdAt: now,
    } as never),
    claim: undefined,
  })
  let second: Promise<unknown> | undefined
  const first = await database.transaction(async (tx) => {
    const opened = await insertChildren(tx, [capture()])
    second = insertChildren(database, [capture()])
    await expect.poll(() => waitingFor(database)).toBe(1)
    return opened
  })
  expect([first, await second]).toEqual([['opened'], ['refused']])
})

it('an account that two open at once is one', async () => {
  const name = { walletId: 1002n, kind: 'merchant' } as const
  let second: Promise<bigint> | undefined
  const first = await database.transaction(async (tx) => {
    const opened = await openAccount(tx, name)
    second = openAccount(database, name)
    await expect.poll(() => waitingFor(database)).toBe(1)
    return opened
  })
  expect(await second).toBe(first)
})

it('an event that one process claims is passed over by another', async () => {
  const [eventId, subject] = [randomUUID(), randomUUID()]
  await recordEvents(database, [
    {
      id: eventId,
      walletId,
      kind: 'ping',
      subject,
      event: 'PING',
      payload: { id: subject },
      endpoint: 'wallet',
      hasEndpoint: true,
      createdAt: now,
    },
  ])
  const [lane] = await dueLanes(database, later, 10)
  if (lane === undefined) throw new Error('no lane')
  const claimEvents = async (db: Executor) => {
    const claimed = await claim(db as Database, [{ ...lane, quota: 10 }], later, randomUUID(), 60_000)
    return claimed.map((delivery) => delivery.eventId)
  }
  const claimed = await database.transaction(async (tx) => [
    await claimEvents(tx),
    await claimEvents(database),
  ])
  expect(claimed).toEqual([[eventId], []])
})

describe('an authorization that is to lapse', () => {
  const overdue = (db: Executor) => claimOverdueAuthorizations(db, later, after(later, minute), 10)
  const idsOf = (claimed: Awaited<ReturnType<typeof overdue>>) =>
    claimed.map(({ authorization: { id } }) => id)

  it('is taken by one process, until its lease runs out', async () => {
    const id = await authorization()
    const [mine, others] = await database.transaction(async (tx) => [
      idsOf(await overdue(tx)),
      idsOf(await overdue(database)),
    ])
    expect(mine).toContain(id)
    expect(others).toEqual([])
    expect(idsOf(await overdue(database))).toEqual([])
  })

  it('is passed over while something is captured of it', async () => {
    const id = await authorization()
    const claimed = await database.transaction(async (tx) => {
      await tx.run(statement('select from operations where id = $1 for no key update'), [id])
      return idsOf(await overdue(database))
    })
    expect(claimed).not.toContain(id)
  })

  it('lapses once', async () => {
    const id = await authorization()
    const lapse = (at: typeof now) => closeAuthorization(database, { walletId, id } as never, at)
    await lapse(now)
    await lapse(later)
    const [row] = await database.run(
      statement<{ lapsed_at: Date }>('select lapsed_at from operations where id = $1'),
      [id],
    )
    expect(row?.lapsed_at.valueOf()).toBe(now)
  })
})
