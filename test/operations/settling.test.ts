// Who may settle an operation that a rail decides about: the attempt that was chosen last, and no earlier one.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import {
  findOperation,
  insertOperations,
  type NewOperation,
  openedOperation,
} from '../../src/operations/index.ts'
import { writeSettlements } from '../../src/operations/settle/settle.ts'
import { settleStatements } from '../../src/operations/settle/settle-sql.ts'
import type { Database } from '../../src/storage/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const statements = settleStatements(undefined)

describe.each(databaseKinds)('on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  it('an attempt settles nothing while the rail decides about another, and its own settles', async () => {
    const [earlier, current] = [randomUUID(), randomUUID()]
    const operation: NewOperation = {
      id: randomUUID(),
      walletId: 1001n,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      attemptId: current,
      underApproval: true,
      createdAt: systemClock.now(),
    }
    await insertOperations(database, [{ operation, claim: undefined }])
    const settleBy = async (attemptId: string) => {
      const row = {
        settled: { ...openedOperation(operation), status: 'FAIL', error: 'declined' },
        guard: { kind: 'attempt', attemptId },
        at: systemClock.now(),
        event: undefined,
        extraEvents: [],
        postings: [],
        sharing: { postings: [], shares: [], transfers: [] },
      } as const
      const callbacks = new CallbackWorld(database).callbacks()
      const ledger = createLedger({ database })
      return (await writeSettlements({ database, ledger, callbacks }, statements, [row]))[0]
    }
    const statusNow = async () => (await findOperation(database, operation.walletId, operation.id))?.status
    expect(await settleBy(earlier)).toBe('lost')
    expect(await statusNow()).toBe('PENDING')
    expect(await settleBy(current)).toBe('settled')
    expect(await statusNow()).toBe('FAIL')
  })
})
