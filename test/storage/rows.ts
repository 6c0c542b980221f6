// Rows for tests of single statements, without references.
import { randomUUID } from 'node:crypto'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import type { NewOperation } from '../../src/operations/index.ts'
import { type Database, type Executor, statement } from '../../src/storage/index.ts'

/** A pending payment of 10.00 of wallet 1001. */
export function pendingPayment(more: Partial<NewOperation> = {}): NewOperation {
  return {
    id: randomUUID(),
    walletId: 1001n,
    type: 'PAYMENT',
    status: 'PENDING',
    method: 'CC',
    amount: cents(1000),
    currency: 'EUR',
    channel: 'API',
    createdAt: systemClock.now(),
    ...more,
  }
}

export async function insertRow(
  database: Database,
  table: string,
  row: Readonly<Record<string, string | number | boolean | null>>,
): Promise<void> {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`)
  await database.transaction(async (tx) => {
    await tx.run(statement('set local session_replication_role = replica'))
    const columns = Object.keys(row).join(', ')
    await tx.run(statement(`insert into ${table} (${columns}) values (${places})`), Object.values(row))
  })
}

/** Whether another transaction can change the row before `act` commits. */
export async function isMovableDuring(
  database: Database,
  act: (tx: Executor) => Promise<unknown>,
  table: string,
  id: string | bigint,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await act(tx)
    const others = database.transaction(async (other) => {
      await other.run(statement(`select from ${table} where id = $1 for no key update nowait`), [id])
    })
    return others.then(
      () => true,
      () => false,
    )
  })
}
