// Numbers of references: none held, the oldest again, an error at the end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { createReferenceNumbers, numberAt } from '../../src/methods/multibanco/numbers.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const now = Date.parse('2026-06-01T12:00:00Z') as Instant
const blockSize = 1000

const insertHeld = statement(`
  insert into bank_references (
    wallet_id, id, kind, entity, number, ref, operation_id, amount_min, amount_max, expires, created_at, number_free_at
  )
  select 1, gen_random_uuid(), 'time_limited', $1, number, '123456789', gen_random_uuid(), 100, 100, $3, $3, $4
  from unnest($2::integer[]) as number`)

describe.each(databaseKinds)('numbers on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  function numbersOf(entity: string) {
    const numbers = createReferenceNumbers({ database, clock: { now: () => now } })
    return { take: () => numbers.take(entity) }
  }
  const places = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => numberAt(BigInt(from + index)))
  const hold = (entity: string, numbers: readonly number[], freeAt: number) =>
    database.run(insertHeld, [entity, numbers, toTimestamp(now), toTimestamp(freeAt as Instant)])

  async function taken(entity: string, count: number): Promise<number[]> {
    const numbers = numbersOf(entity)
    const results = await Promise.all(Array.from({ length: count }, () => numbers.take()))
    return results.map((result) => (result.ok ? result.value : -1))
  }

  it('come in their order, each once, to many processes', async () => {
    const [one, two] = [await taken('10001', 10), await taken('10001', 10)]
    expect(one).toEqual(places(0, 10))
    expect(two).toEqual(places(blockSize, 10))
  })

  it('that are held are passed over, those whose rest is over come back', async () => {
    await hold('10002', places(0, 5), now + 1)
    await hold('10002', places(5, 5), now)
    expect(await taken('10002', 10)).toEqual(places(5, 10))
    // A new reference can hold a returned number while the old one still exists.
    await hold('10002', places(5, 1), now + 1)
    await expect(hold('10002', places(0, 1), now + 1)).rejects.toThrow()
  })

  it('of a full block are fetched from the next one', async () => {
    await hold('10003', places(0, blockSize + 3), now + 1)
    expect(await taken('10003', 2)).toEqual(places(blockSize + 3, 2))
  })

  it('run out with a refusal that says so', async () => {
    await hold('10004', places(0, 21 * blockSize), now + 1)
    const numbers = numbersOf('10004')
    expect(await numbers.take()).toMatchObject({
      ok: false,
      refusal: { kind: 'service_unavailable', reason: expect.stringContaining('no free reference') },
    })
    expect(await numbers.take()).toMatchObject({ ok: true })
  })

  it('are never shared, however many ask at once', async () => {
    const several = Array.from({ length: 4 }, () => numbersOf('10005'))
    const results = await Promise.all(
      several.flatMap((numbers) => Array.from({ length: 700 }, () => numbers.take())),
    )
    const numbers = results.map((result) => (result.ok ? result.value : -1))
    expect(new Set(numbers).size).toBe(2800)
    expect(numbers).not.toContain(-1)
  })
})
