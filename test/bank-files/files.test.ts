// Every order is in exactly one file, and every transfer is credited once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatOf } from '../../src/bank-files/pain.ts'
import { addBankOrder, gatherFile, listOrders, lockUnwrittenFile } from '../../src/bank-files/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { assign, previewAssign } from '../../src/methods/bank-transfer/receive.ts'
import { assignTransfer, findTransfer, insertTransfer } from '../../src/methods/bank-transfer/store.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase } from '../database.ts'
import { patienceSeconds } from '../patience.ts'

const now = systemClock.now()
let database: Database
beforeAll(async () => {
  // A lock that somebody waits for is seen by an answer that does not come.
  database = openPostgres({ url: await createPostgresDatabase(), answerMsMax: patienceSeconds * 1000 })
})
afterAll(() => database.close())

async function order(): Promise<void> {
  await addBankOrder(database, {
    id: randomUUID(),
    walletId: 1001n,
    kind: 'transfer',
    operationId: randomUUID(),
    amount: cents(500),
    currency: 'EUR',
    party: { name: 'Ana', iban: 'PT50000201231234567890154' },
    remittance: 'thanks',
    dueOn: '2026-03-02',
    createdAt: now,
  })
}

const newFile = () => {
  const kind = 'transfer' as const
  return { id: randomUUID(), kind, name: randomUUID(), createdAt: now, format: formatOf(kind) }
}

it('two that gather at once take other orders, and nothing is taken twice', async () => {
  for (let n = 0; n < 5; n++) await order()
  const [first, second] = await database.transaction(async (tx) => {
    const mine = await gatherFile(tx, newFile(), 2)
    return [mine, await gatherFile(database, newFile(), 10)]
  })
  expect([first?.orders, second?.orders]).toEqual([2, 3])
  expect((await listOrders(database, first?.id ?? '')).length).toBe(2)
  expect(await gatherFile(database, newFile(), 10)).toBeUndefined()
})

it('a file that one process writes is not written by another', async () => {
  await database.transaction(async (tx) => {
    const mine = await lockUnwrittenFile(tx)
    const others = await database.transaction((other) => lockUnwrittenFile(other))
    expect(mine?.id).toBeDefined()
    expect(others?.id).not.toBe(mine?.id)
  })
})

it('a transfer is kept once, and put to one wallet', async () => {
  const transfer = {
    key: randomUUID(),
    text: 'hello',
    iban: 'PT50',
    amount: cents(500),
    currency: 'EUR',
  } as const
  expect(await insertTransfer(database, transfer, { problem: 'nobody' }, now)).toBe(true)
  expect(await insertTransfer(database, transfer, { problem: 'nobody' }, now)).toBe(false)
  const assignTo = (walletId: bigint) =>
    database.transaction(async (tx) => {
      // This test has no wallets, so the foreign keys to them must go.
      await tx.run(statement('set local session_replication_role = replica'))
      return assignTransfer(tx, transfer.key, { walletId, operationId: randomUUID() }, now)
    })
  expect(await assignTo(7n)).toBe(true)
  expect(await assignTo(8n)).toBe(false)
  expect((await findTransfer(database, transfer.key))?.walletId).toBe(7n)
})

it('a transfer in another currency is put to no wallet, and not shown as if it could be', async () => {
  const transfer = { key: randomUUID(), text: 'hello', amount: cents(500), currency: 'USD' } as const
  await insertTransfer(database, transfer, { problem: 'nobody' }, now)
  const deps = { database, clock: systemClock, wallets: { find: async (id: bigint) => ({ id }) } } as never
  const reason = expect.stringContaining('is in USD: only EUR is kept on balances')
  for (const assigning of [previewAssign, assign])
    expect(await assigning(deps, transfer.key, 7n)).toMatchObject({
      ok: false,
      refusal: { kind: 'illegal_state', reason },
    })
  expect((await findTransfer(database, transfer.key))?.walletId).toBeUndefined()
})
