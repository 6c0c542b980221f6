// A failed capture or release frees its reservation, even in one statement with others that complete.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { childOperation, insertOperations } from '../../src/operations/for-movements.ts'
import {
  findOperation,
  type NewOperation,
  type Operation,
  openedOperation,
} from '../../src/operations/index.ts'
import type { ChildType } from '../../src/operations/model.ts'
import { insertChildren } from '../../src/operations/open/open.ts'
import { writeSettlements } from '../../src/operations/settle/settle.ts'
import { settleStatements } from '../../src/operations/settle/settle-sql.ts'
import { noSharing } from '../../src/operations/shares/book.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { CallbackWorld } from '../callbacks/callbacks.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const walletId = 1001n
const subMerchant = 1002n
const statements = settleStatements(undefined)

const insertShare = statement(`
  insert into shares (wallet_id, operation_id, position, merchant_wallet_id, fraction, fee_fixed, fee_variable_bp,
    amount, refunded, transfer_id, created_at)
  values ($1, $2, 0, $3, '1', 0, 0, 1000, 0, $4, now())`)

describe.each(databaseKinds)('on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  /** A completed operation of 10.00, divided with one share if `change` says so. */
  async function parentOf(type: NewOperation['type'], change = ''): Promise<Operation> {
    const parent = openedOperation({
      id: randomUUID(),
      walletId,
      type,
      status: 'NEW',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      createdAt: systemClock.now(),
    })
    await insertOperations(database, [{ operation: parent, claim: undefined }])
    const completed = `status = 'COMPLETED', settled_at = now()${change}`
    await database.run(statement(`update operations set ${completed} where id = $1`), [parent.id])
    return parent
  }

  function childOf(parent: Operation, type: ChildType, amount: number) {
    const asked = { id: randomUUID(), type, amount: cents(amount), merchantReferences: {} }
    return childOperation(parent, { ...asked, createdAt: systemClock.now() })
  }

  /** Settles all in one statement. */
  function settle(...settled: readonly [Operation, 'COMPLETED' | 'FAIL'][]) {
    const ledger = createLedger({ database })
    const callbacks = new CallbackWorld(database).callbacks()
    const rows = settled.map(([operation, status]) => ({
      settled: { ...operation, status },
      guard: { kind: 'no_rail_deciding' } as const,
      at: systemClock.now(),
      event: undefined,
      extraEvents: [],
      postings: [],
      sharing: noSharing,
    }))
    return writeSettlements({ database, ledger, callbacks }, statements, rows)
  }

  it.each<[ChildType, NewOperation['type'], number, number[]]>([
    ['CAPTURE', 'AUTH', 1, [300, 1, 0, 0]],
    ['RELEASE', 'AUTH', 1, [0, 0, 300, 0]],
    ['REFUND', 'PAYMENT', -1, [0, 0, 0, 300]],
  ])('of a %s that completes and one that fails, the second', async (type, parentType, sign, left) => {
    const parent = await parentOf(parentType)
    const [completes, fails] = [childOf(parent, type, 300 * sign), childOf(parent, type, 200 * sign)]
    const opened = { claim: undefined }
    for (const operation of [completes, fails])
      expect(await insertChildren(database, [{ operation, ...opened }])).toEqual(['opened'])
    const outcomes = await settle([openedOperation(completes), 'COMPLETED'], [openedOperation(fails), 'FAIL'])
    expect(outcomes).toEqual(['settled', 'settled'])
    const { captured, captures, released, refunded } =
      (await findOperation(database, walletId, parent.id)) ?? {}
    expect([captured, captures, released, refunded].map(Number)).toEqual(left)
  })

  it('to the shares of a divided payment as well', async () => {
    const parent = await parentOf('PAYMENT', ', split_at = now()')
    const transferId = randomUUID()
    await database.run(insertShare, [walletId, parent.id, subMerchant, transferId])
    const refund = async (amount: number, parentRevision: number) => {
      const takes = [{ position: 0, walletId: subMerchant, transferId, amount: cents(amount) }]
      const refundSplit = { source: 'proportion', shareRefunds: takes } as const
      const operation = { ...childOf(parent, 'REFUND', -amount), refundSplit, parentRevision }
      expect(await insertChildren(database, [{ operation, claim: undefined }])).toEqual(['opened'])
      return openedOperation(operation)
    }
    const [completes, fails] = [await refund(300, 0), await refund(200, 1)]
    const taken = statement<{ refunded: bigint }>('select refunded from shares where operation_id = $1')
    expect(await database.run(taken, [parent.id])).toEqual([{ refunded: 500n }])
    await settle([completes, 'COMPLETED'], [fails, 'FAIL'])
    expect(await database.run(taken, [parent.id])).toEqual([{ refunded: 300n }])
  })
})
