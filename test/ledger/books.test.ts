// Accounts and postings of the ledger.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { type Instant, instant, toTimestamp } from '../../src/kernel/time.ts'
import { createLedger, type Posting } from '../../src/ledger/index.ts'
import { accountOf, clearingOf, merchantAccount, paidPostings, suspense } from '../../src/ledger/ledger.ts'
import { countBacklog, createRollups } from '../../src/ledger/rollups.ts'
import {
  bookedPostings,
  findBalance,
  lockAccount,
  openAccount,
  postingColumns,
  postingsOf,
  postSql,
} from '../../src/ledger/store.ts'
import { type Database, rowSet, statement } from '../../src/storage/index.ts'
import { openTestDatabase, waitingFor } from '../database.ts'

const rows = rowSet(postingColumns)
const post = statement(`
  with moved as (select $${Object.keys(postingColumns).length + 1}::bigint as wallet_id,
      $${Object.keys(postingColumns).length + 2}::uuid as id, $${Object.keys(postingColumns).length + 3}::timestamptz as at),
    input as (${rows.source}), ${postSql('moved', 'input', 'settle')}
  select 1`)
const at: Instant = instant(Date.UTC(2026, 0, 2))

let database: Database
beforeAll(async () => {
  database = await openTestDatabase('postgres')
})
afterAll(() => database.close())

async function book(walletId: bigint, postings: readonly Posting[]): Promise<string> {
  const operation = randomUUID()
  const given = await createLedger({ database }).postingRows(operation, postings)
  await database.run(post, [...rows.parameters(given), walletId, operation, toTimestamp(at)])
  return operation
}

it('opens an account once, and remembers its number', async () => {
  const ledger = createLedger({ database })
  const shop = merchantAccount(11n)
  const number = await ledger.numberOf(shop)
  expect(number).toBeGreaterThan(0n)
  expect(await openAccount(database, shop)).toBe(number)
  expect(await ledger.numberOf(suspense)).toBeLessThan(0n)
  const gone = { ...database, run: () => Promise.reject(new Error('out of reach')) } as unknown as Database
  let reachable = true
  const half = {
    ...database,
    run: (...asked: [never]) => (reachable ? database : gone).run(...asked),
  } as Database
  const remembering = createLedger({ database: half })
  expect(await remembering.numberOf(shop)).toBe(number)
  const consumer = accountOf({ id: 12n, kind: 'consumer' })
  const [row] = await remembering.postingRows('x', [{ debit: consumer, credit: shop, amount: cents(5) }])
  reachable = false
  expect(await remembering.numberOf(shop)).toBe(number)
  const again = { operation_id: 'x', debit_account: row?.credit_account, credit_account: row?.debit_account }
  expect(await remembering.postingRows('x', [{ debit: shop, credit: consumer, amount: cents(7) }])).toEqual([
    { ...again, amount: 7n },
  ])
  expect(row).toEqual({
    operation_id: 'x',
    debit_account: await openAccount(database, consumer),
    credit_account: number,
    amount: 5n,
  })
})

it('reads the postings of an operation, and the balances from it', async () => {
  const shop = merchantAccount(21n)
  const operation = await book(21n, paidPostings(clearingOf('CC'), shop, cents(1000), cents(25)))
  expect(await postingsOf(database, 21n, operation)).toEqual([
    { walletId: 21n, account: 'merchant', amount: 975n },
    { walletId: 0n, account: 'fees', amount: 25n },
    { walletId: 0n, account: 'clearing:CC', amount: -1000n },
  ])
  expect(await postingsOf(database, 22n, operation)).toEqual([])
  const common = { operationId: operation, purpose: 'settle', debit: clearingOf('CC') }
  expect((await bookedPostings(database, 21n, [operation])).map(({ createdAt: _, ...line }) => line)).toEqual(
    [
      { ...common, credit: { walletId: 21n, kind: 'merchant' }, amount: 975n },
      { ...common, credit: { walletId: 0n, kind: 'fees' }, amount: 25n },
    ],
  )
  expect(await createLedger({ database }).balanceOf(shop)).toBe(975n)
  expect(await findBalance(database, await openAccount(database, shop))).toBe(975n)
})

it('makes one debit wait for the other', async () => {
  const account = await openAccount(database, merchantAccount(31n))
  let waiting: Promise<void> | undefined
  await database.transaction(async (tx) => {
    await lockAccount(tx, account)
    waiting = database.transaction((other) => lockAccount(other, account))
    await expect.poll(() => waitingFor(database)).toBe(1)
  })
  await waiting
})

it('rolls balances up if the backlog is too large', async () => {
  const rolledUp = async (backlog: bigint) => {
    await createRollups({ database, onError: fail, backlog }).runDue()
    return countBacklog(database)
  }
  await book(41n, paidPostings(clearingOf('CC'), merchantAccount(41n), cents(1000), cents(25)))
  const backlog = await countBacklog(database)
  expect(backlog).toBeGreaterThan(0n)
  expect(await rolledUp(backlog)).toBe(backlog)
  expect(await rolledUp(backlog - 1n)).toBe(0n)
})

it('names the reason if balances cannot be rolled up', async () => {
  const broken = await openTestDatabase('postgres')
  // The numbers can still be counted, but writers cannot be blocked.
  await broken.run(statement('alter table postings rename to elsewhere'))
  const errors: unknown[] = []
  const rollups = createRollups({ database: broken, onError: (error) => errors.push(error), backlog: -1n })
  await rollups.runDue().catch((error) => errors.push(error))
  await broken.close()
  expect(errors).toMatchObject([{ message: expect.stringContaining('"postings" does not exist') }])
})

function fail(error: unknown): never {
  throw error
}
