// Timers of references while the network does not answer.
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { createReferenceTimers } from '../../src/methods/multibanco/timers.ts'
import { type OwnReferences, onlyNetwork } from '../../src/rails/index.ts'
import { statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'

const start = Date.parse('2026-06-01T12:00:00Z') as Instant

const insertDue = statement(`
  insert into bank_references (
    wallet_id, id, kind, entity, number, ref, amount_min, amount_max, expires, deleted_at, created_at, due_at
  )
  values (1, $1, 'recurring', '21312', $2, $3, 100, 100, $4, $5, $6, $6)`)
const selectDue = statement<{ id: string }>(
  'select id from bank_references where due_at <= $1 order by number',
)

it('are not stopped by a network that never answers', async () => {
  const database = await openTestDatabase('pglite')
  try {
    let now = start
    const complaints: string[] = []
    const never = () => new Promise<never>(() => {})
    let network: Omit<OwnReferences, 'entity' | 'numbering'> = {
      publish: never,
      unanswered: never,
      withdraw: never,
    }
    const calls: string[] = []
    const port: OwnReferences = {
      numbering: 'ours',
      entity: '21312',
      publish: (references) => network.publish(references),
      unanswered: (references) => network.unanswered(references),
      withdraw: (references) => network.withdraw(references),
    }
    const timers = createReferenceTimers(
      {
        database,
        clock: { now: () => now },
        networks: onlyNetwork(port),
        metrics: new Registry(),
        onError: (error: unknown) => complaints.push(String(error)),
      } as unknown as Parameters<typeof createReferenceTimers>[0],
      { receive: never, beneficiaryOf: never },
    )
    const [open, over, deleted] = [randomUUID(), randomUUID(), randomUUID()]
    const at = toTimestamp(start)
    const later = toTimestamp((start + 86_400_000) as Instant)
    await database.run(insertDue, [open, 1, '000000101', later, null, at])
    await database.run(insertDue, [over, 2, '000000202', toTimestamp((start - 2000) as Instant), null, at])
    await database.run(insertDue, [deleted, 3, '000000303', later, at, at])

    expect(await timers.runDue()).toBe(3)
    expect(complaints).toHaveLength(3)
    expect(complaints[0]).toContain('no answer within')

    now = (start + 60_000) as Instant
    const due = async () => (await database.run(selectDue, [toTimestamp(now)])).map(({ id }) => id)
    expect(await due()).toEqual([open, over, deleted])
    network = {
      publish: async (references) => void calls.push(...references.map(({ ref }) => `published ${ref}`)),
      unanswered: async (references) => {
        calls.push(...references.map(({ ref }) => `over ${ref}`))
        return []
      },
      withdraw: async (references) => void calls.push(...references.map(({ ref }) => `withdrawn ${ref}`)),
    }
    expect(await timers.runDue()).toBe(3)
    expect(calls.sort()).toEqual(['over 000000202', 'published 000000101', 'withdrawn 000000303'])
    expect(await due()).toEqual([])
  } finally {
    await database.close()
  }
})
