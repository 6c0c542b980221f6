// Processes that settle the same operations in groups of their own: whoever waits in a circle gets out of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { instant } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import type { SettledRow } from '../../src/operations/settle/settle-sql.ts'
import { settleStatements } from '../../src/operations/settle/settle-sql.ts'
import { writeSettlements } from '../../src/operations/settle/write-settlements.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { type Json, startWorld, type World } from '../world.ts'

let world: World
let processes: Database[]
beforeAll(async () => {
  world = await startWorld('postgres')
  processes = [1, 2].map(() => openPostgres({ url: world.databaseUrl ?? '' }))
})
afterAll(async () => {
  await Promise.all(processes.map((database) => database.close()))
  await world.stop()
})

it('each operation is settled once, whatever the order in which they are asked for', async () => {
  const statements = settleStatements(undefined)
  for (let round = 0; round < 10; round++) {
    const made: Json[] = await Promise.all(Array.from({ length: 400 }, () => world.createCheckout()))
    const rows = made.map(({ payment }) => rowOf(payment.id))
    const orders = [rows.toSorted(() => Math.random() - 0.5), rows.toReversed()]
    const won = await Promise.all(
      processes.map((database, index) =>
        writeSettlements(
          {
            database,
            ledger: createLedger({ database }),
            callbacks: new CallbackWorld(database).callbacks(),
          },
          statements,
          orders[index] ?? [],
        ),
      ),
    )
    expect(won.flat().filter((outcome) => outcome === 'settled')).toHaveLength(rows.length)
  }
})

it('an attempt settles nothing while the rail decides about another, and its own settles', async () => {
  const [database] = processes
  if (database === undefined) throw new Error('no process')
  const statements = settleStatements(undefined)
  const ledger = createLedger({ database })
  const callbacks = new CallbackWorld(database).callbacks()
  const { payment } = await world.createCheckout()
  const [earlier, current] = [randomUUID(), randomUUID()]
  await database.run(
    statement(
      `update operations set status = 'PENDING', under_approval = true, attempt_id = $2 where id = $1`,
    ),
    [payment.id, current],
  )
  const settleBy = async (attemptId: string) => {
    const row: SettledRow = { ...rowOf(payment.id), guard: { kind: 'attempt', attemptId } }
    return (await writeSettlements({ database, ledger, callbacks }, statements, [row]))[0]
  }
  expect(await settleBy(earlier)).toBe('lost')
  expect(await world.operation(payment.id)).toMatchObject({ status: 'PENDING' })
  expect(await settleBy(current)).toBe('settled')
})

/** Voids an operation that nobody chose a method for. */
function rowOf(id: string): SettledRow {
  const walletId = BigInt(world.shop.wallet_id)
  const settled = { id, walletId, status: 'VOIDED', fee: 0n } as unknown as SettledRow['settled']
  const sharing = { postings: [], shares: [], transfers: [] }
  const nothing = { event: undefined, eventsBeside: [], postings: [], sharing }
  return { settled, guard: { kind: 'untouched' }, at: instant(Date.now()), ...nothing }
}
