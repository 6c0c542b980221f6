// Money in suspense leaves it once, to its payer or a wallet.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { clearingOf, createLedger, suspense } from '../../src/ledger/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import type { SuspenseEntry } from '../../src/suspense/model.ts'
import {
  beginRefund,
  endRefund,
  findSuspense,
  insertSuspense,
  markAssigned,
  reopen,
} from '../../src/suspense/store.ts'
import { openTestDatabase, waitingFor } from '../database.ts'

const now = systemClock.now()
let database: Database
beforeAll(async () => {
  database = await openTestDatabase('postgres')
})
afterAll(() => database.close())

/** A posting between suspense and the rail, under its own id. */
async function posting() {
  const moved = { debit: suspense, credit: clearingOf('MB'), amount: cents(500) }
  const [row] = await createLedger({ database }).postingRows(randomUUID(), [moved])
  if (row === undefined) throw new Error('no posting')
  return row
}

async function postings(): Promise<bigint> {
  const [row] = await database.run(statement<{ count: bigint }>('select count(*) as count from postings'))
  return row?.count ?? 0n
}

const entryOf = (paymentId: string): SuspenseEntry => ({
  id: randomUUID(),
  walletId: 0n,
  method: 'MB',
  paymentId,
  reference: '123456789',
  amount: cents(500),
  reason: 'expired',
  paidAt: now,
  state: 'OPEN',
  refunds: 0,
  createdAt: now,
  tries: 0,
})

async function newEntry(): Promise<SuspenseEntry> {
  const entry = entryOf(randomUUID())
  expect(await insertSuspense(database, entry, await posting())).toBe(true)
  return entry
}

/** The answer of `act`, and the number of postings it wrote. */
async function written(act: () => Promise<boolean>): Promise<[boolean, number]> {
  const before = await postings()
  const result = await act()
  return [result, Number((await postings()) - before)]
}

const refundBegun = async (entry: SuspenseEntry) => {
  const refundKey = randomUUID()
  return { refundKey, begun: await beginRefund(database, { ...entry, refundKey, refundBy: 'rail', at: now }) }
}
const end = async (refundKey: string) => {
  const row = { ...(await posting()), operation_id: refundKey }
  return written(() => endRefund(database, row, now))
}
const comeBack = async (refundKey: string) => {
  const row = { ...(await posting()), operation_id: refundKey, purpose: 'back' }
  return written(() =>
    reopen(
      database,
      { ...row, debit_account: row.credit_account, credit_account: row.debit_account },
      'why',
      now,
    ),
  )
}
const assign = async (entry: SuspenseEntry) => {
  const row = await posting()
  return written(() => markAssigned(database, { id: entry.id, walletId: 7n }, row, now))
}
const stateOf = async ({ id }: SuspenseEntry) => (await findSuspense(database, id))?.state

it('a payment is kept once', async () => {
  const entry = await newEntry()
  const row = await posting()
  expect(await written(() => insertSuspense(database, entryOf(entry.paymentId), row))).toEqual([false, 0])
})

it('is given back once', async () => {
  const entry = await newEntry()
  const { refundKey } = await refundBegun(entry)
  expect((await refundBegun(entry)).begun).toBe(false)
  expect(await assign(entry)).toEqual([false, 0])
  expect(await end(refundKey)).toEqual([true, 1])
  expect(await end(refundKey)).toEqual([false, 0])
  expect(await stateOf(entry)).toBe('REFUNDED')
})

it('is assigned once, and not given back after it', async () => {
  const entry = await newEntry()
  expect(await assign(entry)).toEqual([true, 1])
  expect(await assign(entry)).toEqual([false, 0])
  expect((await refundBegun(entry)).begun).toBe(false)
  expect(await stateOf(entry)).toBe('ASSIGNED')
})

it('comes back once, with a posting in the other direction', async () => {
  const entry = await newEntry()
  const { refundKey } = await refundBegun(entry)
  expect(await comeBack(refundKey)).toEqual([true, 0])
  expect(await comeBack(refundKey)).toEqual([false, 0])
  const again = (await refundBegun(entry)).refundKey
  await end(again)
  expect(await comeBack(again)).toEqual([true, 1])
  expect(await stateOf(entry)).toBe('OPEN')
})

it('comes back once, also after two reports at the same time', async () => {
  const entry = await newEntry()
  const { refundKey } = await refundBegun(entry)
  await end(refundKey)
  const { debit_account, credit_account, ...row } = await posting()
  const back = {
    ...row,
    operation_id: refundKey,
    debit_account: credit_account,
    credit_account: debit_account,
  }
  let second: Promise<boolean> | undefined
  const first = await database.transaction(async (tx) => {
    const reopened = await reopen(tx, back, 'why', now)
    second = reopen(database, back, 'why', now)
    await expect.poll(() => waitingFor(database)).toBe(1)
    return reopened
  })
  expect([first, await second]).toEqual([true, false])
})
