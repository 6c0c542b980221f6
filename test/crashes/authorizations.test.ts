// The gateway dies between the start of a capture and its settlement.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import { type Database, openPglite, openPostgres } from '../../src/storage/index.ts'
import { authorizing, followUpsDeclined } from '../authorizing.ts'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import type { Answer, Json, World } from '../world.ts'
import { kills } from './kills.ts'

interface Sent {
  readonly verb: 'capture' | 'release'
  readonly id: string
  readonly body: { readonly amount: number; readonly request_id: string }
  answer?: Answer | undefined
}

describe.each(databasesOr('postgres'))('on %s', (kind) => {
  let world: World
  let approving: string
  let declining: string
  const shop = authorizing(() => world)

  beforeAll(async () => {
    world = await startMortalWorld(kind)
    approving = await shop.storeCard()
    declining = await shop.storeCard(followUpsDeclined)
  })
  afterAll(() => world.stop())

  const send = ({ verb, id, body }: Sent): Promise<Answer | undefined> =>
    shop[verb](id, body).catch(() => undefined)

  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const { databaseUrl, dataDir } = world
    const database =
      databaseUrl === undefined
        ? await openPglite(join(dataDir, 'database'))
        : openPostgres({ url: databaseUrl })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }

  /** The resolver asks several times before it treats a lost request as declined. */
  async function untilDecided(authorizations: readonly { readonly id: string }[]): Promise<void> {
    await world.eventually(async () => {
      await world.advance('PT3M')
      const found = await Promise.all(authorizations.map(({ id }) => shop.read(id)))
      return found.every(({ captures, releases }) =>
        [...captures, ...releases].every(({ status }) => status === 'COMPLETED'),
      )
    })
  }

  async function expectEqualBooks(): Promise<void> {
    await world.kill()
    const { children, differing } = await withDatabase(async (database) => ({
      children: await database.run<{ id: string; status: string; moved: boolean }>({
        text: `
          select operations.id, operations.status,
            sandbox.follow_ups.key is not null and sandbox.follow_ups.decline is null as moved
          from operations left join sandbox.follow_ups on sandbox.follow_ups.key = operations.id
          where operations.type in ('CAPTURE', 'RELEASE')`,
      }),
      differing: await database.run({
        text: `
          select operations.id, operations.captured, operations.released, hold.captured as taken, hold.released as given
          from operations join sandbox.authorizations as hold on hold.key = operations.attempt_id
          where operations.type = 'AUTH'
            and (operations.captured, operations.released) is distinct from (hold.captured, hold.released)`,
      }),
    }))
    await world.restart()
    for (const { id, status, moved } of children)
      expect({ id, status }).toEqual({ id, status: moved ? 'COMPLETED' : 'FAIL' })
    expect(differing).toEqual([])
  }

  it.each(kills.holds)('killed at "%s" (%i) in a burst', async (point, count) => {
    const holds: Json[] = []
    for (const token of [approving, approving, approving, declining])
      holds.push(await shop.authorize(token, 9))
    const sent = holds.flatMap(({ id }, index): Sent[] =>
      Array.from({ length: 6 }, (_, n) => ({
        verb: index === 1 || (index === 2 && n < 2) ? 'release' : 'capture',
        id,
        body: { amount: 1 + n / 10, request_id: randomUUID() },
      })),
    )
    await world.armCrash(point, count)
    const working = sent.map(async (one) => {
      one.answer = await send(one)
    })
    await world.crashed()
    await Promise.all(working)
    await world.restart()

    // If a request got no answer, its repetition does it once, or finds it done, or asks for another try a minute
    // later.
    for (const one of sent) {
      const again = await send(one)
      if (one.answer !== undefined) expect(again?.text.replace(/"tid".*/, '')).toBe(textOf(one.answer))
      else if (again?.body.code !== 10014) one.answer = again
    }
    await world.advance('PT3M')
    for (const one of sent) {
      const again = await send(one)
      // After 503 the acquirer has not got the request.
      expect([200, 402, 409, 503]).toContain(again?.status)
      expect(again?.body.code).not.toBe(10014)
      if (one.answer !== undefined) expect(again?.text.replace(/"tid".*/, '')).toBe(textOf(one.answer))
    }
    await untilDecided(holds)
    for (const { id } of holds) {
      const { captures, releases } = await shop.read(id)
      const [taken, given] = [captures, releases].map((list: Json[]) => list.map(({ amount }) => amount))
      expect(new Set(taken).size).toBe(taken?.length)
      expect(new Set(given).size).toBe(given?.length)
      for (const one of [...captures, ...releases]) expect(one.status).toBe('COMPLETED')
    }
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await expectEqualBooks()
  })

  it.each<[string, CrashPoint, () => string, 'taken' | 30007 | 40021]>([
    ['the acquirer has approved', 'rail answered, nothing written', () => approving, 'taken'],
    ['the acquirer has declined', 'rail answered, nothing written', () => declining, 30007],
    ['nobody has asked the acquirer', 'attempt opened, rail not asked', () => approving, 40021],
  ])('killed when %s: a capture equals the acquirer’s record', async (_, point, card, outcome) => {
    const { id } = await shop.authorize(card(), 10)
    const sent: Sent = { verb: 'capture', id, body: { amount: 4, request_id: randomUUID() } }
    await world.armCrash(point)
    const unanswered = send(sent)
    await world.crashed()
    expect(await unanswered).toBeUndefined()
    const current = await withDatabase((database) =>
      database.run({ text: `select status from operations where parent_id = '${id}'` }),
    )
    expect(current).toEqual([{ status: 'PENDING' }])
    await world.restart()
    await untilDecided([{ id }])
    const answer = await send(sent)
    if (outcome === 'taken') {
      expect(answer).toMatchObject({ status: 200, body: { status: 'COMPLETED', parent: id } })
      expect(await shop.read(id)).toMatchObject({
        captures: [{ status: 'COMPLETED', amount: 4, fee: -0.19 }],
      })
    } else {
      expect(answer?.body.code).toBe(outcome)
      expect(await shop.read(id)).toMatchObject({ captures: [] })
    }
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })

  it('each capture and release equals the acquirer’s record', expectEqualBooks)

  it.each(kills.lapses)(
    'killed at "%s" (%i) at the end of its month: the rest is released once',
    async (point, count) => {
      const { id } = await shop.authorize(approving, 10)
      expect((await shop.capture(id, { amount: 4 })).status).toBe(200)
      await world.armCrash(point, count)
      await world.advance('P32D').catch(() => undefined)
      await world.crashed()
      await world.restart()
      await world.advance('P32D')
      const { captures, releases } = await shop.read(id)
      expect(captures).toMatchObject([{ status: 'COMPLETED', amount: 4 }])
      expect(releases).toEqual([])
      expect((await shop.capture(id, { amount: 1 })).body).toMatchObject({ code: 10013 })
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    },
  )
})

function textOf({ text }: Answer): string {
  return text.replace(/"tid".*/, '')
}
