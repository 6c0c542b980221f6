// Stored answers: the first wins, per wallet.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeepAnswer, findRequest } from '../../src/idempotency/store.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const claim = statement(`
  insert into requests (wallet_id, request_id, fingerprint, resource_id, href, created_at)
  values ($1, $2, $3, $4, '/', now())`)

describe.each(databaseKinds)('answers of keyed requests on %s', (kind) => {
  let database: Database

  async function claimed(requestId: string, ...walletIds: bigint[]): Promise<string> {
    for (const walletId of walletIds)
      await database.run(claim, [walletId, requestId, Buffer.from([1]), randomUUID()])
    return requestId
  }

  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  it('are each kept once, however many are ready at the same time', async () => {
    const keep = createKeepAnswer(database)
    const ids = await Promise.all(Array.from({ length: 20 }, () => claimed(randomUUID(), 1n, 2n)))
    const given = ids.flatMap((id) =>
      [1n, 2n, 1n].map((walletId, nth) => ({ walletId, id, body: `${walletId} ${id} ${nth}` })),
    )
    const kept = await Promise.all(
      given.map(({ walletId, id, body }) => keep(walletId, id, { status: 200, body })),
    )
    expect(kept).toEqual(ids.flatMap(() => [true, true, false]))
    for (const { walletId, id, body } of given.filter((_, index) => kept[index])) {
      expect((await findRequest(database, walletId, id))?.answer).toEqual({ status: 200, body })
    }
  })

  it('are not stored for requests without a key, nor for another wallet', async () => {
    const keep = createKeepAnswer(database)
    const id = await claimed(randomUUID(), 1n)
    const late = { status: 402, body: '{}' }
    expect(await keep(2n, id, late)).toBe(false)
    expect(await keep(1n, randomUUID(), late)).toBe(false)
    expect((await findRequest(database, 1n, id))?.answer).toBeUndefined()
    expect(await keep(1n, id.toUpperCase(), late)).toBe(true)
  })
})
