// Rolled-up balances equal the sum of all postings, with concurrent writers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceSql, createRollups, openAccount } from '../../src/ledger/index.ts'
import { findFinalPosting, rollUp } from '../../src/ledger/rollups.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase, waitingFor } from '../database.ts'

const writersCount = 6
const postingsEach = 60

const insertPosting = statement(`
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  values (1, $1, 'settle', $2, $3, $4, now())`)
const compare = statement<{ rolled: bigint; added: bigint; rollups: bigint }>(`
  select ${balanceSql('accounts.id')} as rolled,
    (
      select coalesce(sum(case accounts.id when credit_account then amount else -amount end), 0)::bigint
      from postings where accounts.id in (debit_account, credit_account)
    ) as added,
    (select count(*) from balance_rollups) as rollups
  from accounts where accounts.id = $1`)

/** Rolled-back transactions also use up numbers. */
const burnNumbers = statement(
  `select setval('postings_id_seq', (select last_value from postings_id_seq) + 100)`,
)

function fail(error: unknown): void {
  throw error
}

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

async function write(
  database: Database,
  accounts: readonly bigint[],
  commit: () => Promise<void> = async () => {},
): Promise<void> {
  const amount = BigInt(1 + Math.floor(Math.random() * 1000))
  await database.transaction(async (tx) => {
    await tx.run(insertPosting, [randomUUID(), accounts[0], accounts[1], amount])
    await commit()
  })
}

describe.each(databaseKinds)('balances on %s', (kind) => {
  let database: Database
  let accounts: bigint[]

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    accounts = [
      await openAccount(database, { walletId: 1n, kind: 'merchant' }),
      await openAccount(database, { walletId: 1n, kind: 'consumer' }),
    ]
  })
  afterAll(() => database.close())

  const failures: unknown[] = []
  const rollups = (backlog: bigint) =>
    createRollups({ database, onError: (error) => failures.push(error), backlog })

  it('are summed before any roll-up, and not rolled up for a few postings', async () => {
    await write(database, accounts)
    expect(await rollups(1000n).runDue()).toBe(0)
    const [seen] = await database.run(compare, [accounts[0]])
    expect(seen).toMatchObject({ rolled: seen?.added, rollups: 0n })
  })

  it('are right at every moment during writes and roll-ups', async () => {
    let writing = true
    const rolling = [rollups(5n), rollups(5n)].map(async (worker) => {
      while (writing) {
        await worker.runDue()
        await after(1)
      }
    })
    const reading = (async () => {
      while (writing) {
        const [seen] = await database.run(compare, [accounts[0]])
        expect(seen?.rolled).toBe(seen?.added)
      }
    })()
    const writers = Array.from({ length: writersCount }, async () => {
      for (let n = 0; n < postingsEach; n++) {
        const pauseMs = kind === 'postgres' ? n % 5 : 0
        await write(database, accounts, pauseMs === 0 ? undefined : () => after(pauseMs))
      }
    })
    await Promise.all(writers).finally(() => {
      writing = false
    })
    await Promise.all([...rolling, reading])
    await rollups(0n).runDue()
    for (const account of accounts) {
      const [seen] = await database.run(compare, [account])
      expect(seen).toMatchObject({ rolled: seen?.added, rollups: 2n })
      expect(seen?.added).not.toBe(0n)
    }
    expect(failures).toEqual([])
  })
})

it.each(databaseKinds)('are checked once if numbers belong to rolled-back postings, on %s', async (kind) => {
  const database = await openTestDatabase(kind)
  const accounts = [
    await openAccount(database, { walletId: 1n, kind: 'merchant' }),
    await openAccount(database, { walletId: 1n, kind: 'consumer' }),
  ]
  await write(database, accounts)
  const worker = createRollups({ database, onError: fail, backlog: 5n })
  await database.run(burnNumbers)
  expect(await worker.runDue()).toBe(1)
  await database.run(burnNumbers)
  expect(await worker.runDue()).toBeLessThanOrEqual(1)
  expect(await worker.runDue()).toBe(0)
  for (let n = 0; n < 4; n++) await write(database, accounts)
  expect(await worker.runDue()).toBe(1)
  const [seen] = await database.run(compare, [accounts[0]])
  expect(seen).toMatchObject({ rolled: seen?.added, rollups: 2n })
  await database.close()
})

it('are rolled up later if a writer does not finish', async () => {
  const database = await openTestDatabase('postgres')
  const accounts = [
    await openAccount(database, { walletId: 1n, kind: 'merchant' }),
    await openAccount(database, { walletId: 1n, kind: 'consumer' }),
  ]
  const failures: unknown[] = []
  const worker = createRollups({ database, onError: (error) => failures.push(error), backlog: 0n })
  const written = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const slow = write(database, accounts, () => {
    written.resolve()
    return finish.promise
  })
  await written.promise
  await write(database, accounts)
  expect(await worker.runDue()).toBe(0)
  finish.resolve()
  await slow
  expect(await worker.runDue()).toBe(1)
  expect(failures).toEqual([])
  const [seen] = await database.run(compare, [accounts[0]])
  expect(seen?.rolled).toBe(seen?.added)
  await database.close()
})

it('of two roll-ups at once the one that reached further stays', async () => {
  const database = await openTestDatabase('postgres')
  const accounts = [
    await openAccount(database, { walletId: 1n, kind: 'merchant' }),
    await openAccount(database, { walletId: 1n, kind: 'consumer' }),
  ]
  for (let n = 0; n < 3; n++) await write(database, accounts)
  const last = await findFinalPosting(database)
  let behind: Promise<void> | undefined
  await database.transaction(async (tx) => {
    await rollUp(tx, last)
    behind = rollUp(database, last - 1n)
    await expect.poll(() => waitingFor(database)).toBe(1)
  })
  await behind
  const reached = statement<{ upto: bigint }>('select upto from balance_rollups')
  expect(await database.run(reached)).toEqual([{ upto: last }, { upto: last }])
  const [seen] = await database.run(compare, [accounts[0]])
  expect(seen?.rolled).toBe(seen?.added)
  await database.close()
})
