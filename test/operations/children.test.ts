// Opening of captures, releases and refunds. If the parent does not allow one, nothing is written.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRequest } from '../../src/idempotency/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { childOperation, insertOperations } from '../../src/operations/for-movements.ts'
import { findOperation, type NewOperation, openedOperation } from '../../src/operations/index.ts'
import type { ChildType } from '../../src/operations/model.ts'
import { insertChildren } from '../../src/operations/open/open.ts'
import { childrenOf } from '../../src/operations/read/movements.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const walletId = 1001n

/** Releases of 1 to 2000 cents, in that order. */
const manyReleases = `
  insert into operations (
    id, wallet_id, parent_id, type, status, method, amount, currency, channel, created_at, modified_at, settled_at
  )
  select (lpad(to_hex(cents), 8, '0') || substr(gen_random_uuid()::text, 9))::uuid, $1, $2::uuid, 'RELEASE',
    'COMPLETED', 'CC', cents, 'EUR', 'API', now(), now(), now()
  from generate_series(1, 2000) as cents`

/** Rows of operations that the transaction has read so far. */
const rowsRead = `
  select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'operations'`

describe.each(databaseKinds)('on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  /** A completed operation of 10.00, with the columns set by `change`. */
  async function parentOf(type: NewOperation['type'], change = ''): Promise<NewOperation> {
    const parent = {
      id: randomUUID(),
      walletId,
      type,
      status: 'NEW',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      createdAt: systemClock.now(),
    } as const
    await insertOperations(database, [{ operation: parent, claim: undefined }])
    const settled = `status = 'COMPLETED', settled_at = now()${change === '' ? '' : `, ${change}`}`
    await database.run(statement(`update operations set ${settled} where id = $1`), [parent.id])
    return parent
  }

  function childOf(parent: NewOperation, type: ChildType, amount: number) {
    const asked = {
      id: randomUUID(),
      type,
      amount: cents(amount),
      merchantReferences: {},
      createdAt: parent.createdAt,
    }
    const operation = childOperation(openedOperation(parent), asked)
    const claim = {
      requestId: randomUUID(),
      fingerprint: new Uint8Array([1]),
      resourceId: operation.id,
      href: '/',
    }
    return { operation, claim }
  }

  const totals = async ({ id }: NewOperation) => {
    const { captured, captures, released, refunded } = (await findOperation(database, walletId, id)) ?? {}
    return [captured, captures, released, refunded].map(Number)
  }

  it.each<[ChildType, number, NewOperation['type'], string, number[] | 'refused']>([
    ['CAPTURE', 1000, 'AUTH', '', [1000, 1, 0, 0]],
    ['CAPTURE', 1001, 'AUTH', '', 'refused'],
    ['CAPTURE', 500, 'AUTH', 'captured = 300, captures = 9, released = 200', [800, 10, 200, 0]],
    ['CAPTURE', 501, 'AUTH', 'captured = 300, captures = 9, released = 200', 'refused'],
    ['CAPTURE', 20, 'AUTH', 'captured = 300, captures = 10', 'refused'],
    ['CAPTURE', 20, 'AUTH', 'lapsed_at = now()', 'refused'],
    ['CAPTURE', 20, 'AUTH', "status = 'FAIL'", 'refused'],
    ['CAPTURE', 20, 'PAYMENT', '', 'refused'],
    ['RELEASE', 1000, 'AUTH', '', [0, 0, 1000, 0]],
    ['RELEASE', 701, 'AUTH', 'released = 300', 'refused'],
    ['RELEASE', 20, 'AUTH', 'captured = 20, captures = 1', 'refused'],
    ['RELEASE', 20, 'AUTH', 'lapsed_at = now()', 'refused'],
    ['RELEASE', 20, 'PAYMENT', '', 'refused'],
    ['REFUND', -1000, 'PAYMENT', '', [0, 0, 0, 1000]],
    ['REFUND', -400, 'CAPTURE', 'refunded = 600', [0, 0, 0, 1000]],
    ['REFUND', -401, 'CAPTURE', 'refunded = 600', 'refused'],
    ['REFUND', -20, 'AUTH', '', 'refused'],
  ])('a %s of %i on a %s with %j: %j', async (type, amount, parentType, change, expected) => {
    const parent = await parentOf(parentType, change.replace("status = 'FAIL'", '')).then(async (one) => {
      if (change.startsWith('status'))
        await database.run(statement("update operations set status = 'FAIL' where id = $1"), [one.id])
      return one
    })
    const before = await totals(parent)
    const child = childOf(parent, type, amount)
    const refused = expected === 'refused'
    expect(await insertChildren(database, [child])).toEqual([refused ? 'refused' : 'opened'])
    expect(await totals(parent)).toEqual(refused ? before : expected)
    const opened = await findOperation(database, walletId, child.operation.id)
    expect(opened === undefined).toBe(refused)
    // After a refusal the request id can be used again.
    const claimed = await findRequest(database, walletId, child.claim.requestId)
    expect(claimed === undefined).toBe(refused)
  })

  const divided = 'split_at = now(), refund_revision = 2'
  it.each<[string, string, number | undefined, 'opened' | 'refused']>([
    ['a divided payment at its present revision', divided, 2, 'opened'],
    ['a divided payment at an older revision', divided, 1, 'refused'],
    ['a divided payment without a revision', divided, undefined, 'refused'],
    ['an undivided payment with a revision', 'refund_revision = 2', 2, 'refused'],
  ])('a refund of %s: %s, %s is %s', async (_, change, parentRevision, expected) => {
    const { operation, claim } = childOf(await parentOf('PAYMENT', change), 'REFUND', -100)
    expect(await insertChildren(database, [{ operation: { ...operation, parentRevision }, claim }])).toEqual([
      expected,
    ])
  })

  it('a request id that was used before reserves nothing', async () => {
    const [first, second] = [await parentOf('AUTH'), await parentOf('AUTH')]
    const child = childOf(first, 'CAPTURE', 100)
    const again = { ...childOf(second, 'CAPTURE', 100) }
    const repeated = { ...again, claim: { ...again.claim, requestId: child.claim.requestId } }
    const other = childOf(second, 'RELEASE', 100)
    expect(await insertChildren(database, [child])).toEqual(['opened'])
    expect(await insertChildren(database, [repeated])).toEqual(['repeated'])
    expect(await insertChildren(database, [childOf(first, 'CAPTURE', 1), other])).toEqual([
      'opened',
      'opened',
    ])
    expect(await totals(first)).toEqual([101, 2, 0, 0])
    expect(await totals(second)).toEqual([0, 0, 100, 0])
  })

  it('the newest movements are found without reading the others', async () => {
    const parent = await parentOf('AUTH')
    const other = await parentOf('AUTH')
    for (const { id } of [parent, other]) {
      await database.run(statement(manyReleases), [walletId, id])
    }
    await database.run(statement('analyze operations'))
    const authorizations = [openedOperation(parent), openedOperation(other)]
    const { shown, read } = await database.transaction(async (tx) => {
      // PostgreSQL reports the counts of a connection late, so this reads those of the transaction.
      const readSoFar = async () => Number((await tx.run(statement<{ read: bigint }>(rowsRead)))[0]?.read)
      const before = await readSoFar()
      const movements = await childrenOf(tx, walletId, authorizations, 30)
      return { shown: movements, read: (await readSoFar()) - before }
    })
    expect(
      shown.filter(({ parentId }) => parentId === parent.id).map(({ amount }) => Number(amount)),
    ).toEqual(Array.from({ length: 30 }, (_, index) => 1971 + index))
    expect(shown).toHaveLength(60)
    expect(read).toBeGreaterThanOrEqual(60)
    expect(read).toBeLessThan(100)
  })
})
