// SIGKILL between the opening of a capture and its settling: one outcome each, and it is the acquirer's.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openPglite, openPostgres } from '../../src/storage/index.ts'
import { authorizing, followUpsDeclined, followUpsSilentThenDeclined } from '../authorizing.ts'
import { databaseKinds } from '../database.ts'
import { type Answer, cards, type Json, startWorld, type World } from '../world.ts'

/** Milliseconds after the first of a burst of requests: before, within and after every step of it. */
const killMoments = [10, 40, 150]
/** Several moves of the clock, on a slow machine. */
const decidedSecondsMax = 60

interface Sent {
  readonly verb: 'capture' | 'release'
  readonly id: string
  readonly body: { readonly amount: number; readonly request_id: string }
  answer?: Answer | undefined
}

describe.each(databaseKinds)('on %s', (kind) => {
  let world: World
  let approving: string
  let declining: string
  const shop = authorizing(() => world)

  beforeAll(async () => {
    world = await startWorld(kind)
    approving = await shop.storeCard()
    declining = await shop.storeCard(followUpsDeclined)
  })
  afterAll(() => world.stop())

  /** Undefined when the gateway died meanwhile. */
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

  /** A request that never reached the acquirer is asked about several times before it counts as declined. */
  async function untilDecided(authorizations: readonly { readonly id: string }[]): Promise<void> {
    await world.eventually(async () => {
      await world.advance('PT3M')
      const found = await Promise.all(authorizations.map(({ id }) => shop.read(id)))
      return found.every(({ captures, releases }) =>
        [...captures, ...releases].every(({ status }) => status === 'COMPLETED'),
      )
    }, decidedSecondsMax)
  }

  /** Every capture and release is as the acquirer decided about it, and the totals of both sides are alike. */
  async function expectEqualBooks(): Promise<void> {
    await world.kill()
    const { children, differing } = await withDatabase(async (database) => ({
      children: await database.run<{ id: string; status: string; moved: boolean }>({
        text: `
          select operations.id, operations.status,
            sandbox_follow_ups.key is not null and sandbox_follow_ups.decline is null as moved
          from operations left join sandbox_follow_ups on sandbox_follow_ups.key = operations.id
          where operations.type in ('CAPTURE', 'RELEASE')`,
      }),
      differing: await database.run({
        text: `
          select operations.id, operations.captured, operations.released, hold.captured as taken, hold.released as given
          from operations join sandbox_authorisations as hold on hold.key = operations.attempt_id
          where operations.type = 'AUTH'
            and (operations.captured, operations.released) is distinct from (hold.captured, hold.released)`,
      }),
    }))
    await world.restart()
    for (const { id, status, moved } of children)
      expect({ id, status }).toEqual({ id, status: moved ? 'COMPLETED' : 'FAIL' })
    expect(differing).toEqual([])
  }

  it.each(killMoments)('killed %i ms into a burst', async (moment) => {
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
    const working = sent.map(async (one) => {
      one.answer = await send(one)
    })
    await new Promise((resolve) => setTimeout(resolve, moment))
    await world.kill()
    await Promise.all(working)
    await world.restart()

    // What was answered is answered alike; what was not is done once, found done, or asked for again a minute later.
    for (const one of sent) {
      const again = await send(one)
      if (one.answer !== undefined) expect(again?.text.replace(/"tid".*/, '')).toBe(textOf(one.answer))
      else if (again?.body.code !== 10014) one.answer = again
    }
    await world.advance('PT3M')
    for (const one of sent) {
      const again = await send(one)
      expect([200, 402, 409]).toContain(again?.status)
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

  it('killed after the opening, and after the acquirer decided: each ends as the acquirer has it', async () => {
    const silent = async (number: string) => {
      const { id } = await shop.accept({ amount: 10 }, { number })
      await world.advance('PT30S')
      return id as string
    }
    const approved = await silent(cards.silentThenApproved.number)
    const declined = await silent(followUpsSilentThenDeclined)
    const unheard = await silent(cards.silentThenApproved.number)
    const sent = [approved, declined, unheard].map(
      (id): Sent => ({ verb: 'capture', id, body: { amount: 4, request_id: randomUUID() } }),
    )
    const working = sent.map(send)
    const underWay = async (id: string) => (await shop.read(id)).captures.length === 1
    await world.eventually(async () => (await Promise.all(sent.map(({ id }) => underWay(id)))).every(Boolean))
    // The acquirer writes down what it decides some milliseconds after the capture can be read.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await world.kill()
    expect(await Promise.all(working)).toEqual([undefined, undefined, undefined])
    // As if the process had died before it asked the acquirer for the third.
    await withDatabase(async (database) => {
      const forgotten = `select id from operations where parent_id = '${unheard}'`
      await database.run({ text: `delete from sandbox_follow_ups where key in (${forgotten})` })
      await database.run({
        text: `
          update sandbox_authorisations set captured = 0
          where key = (select attempt_id from operations where id = '${unheard}')`,
      })
    })
    await world.restart()
    for (const id of [approved, declined, unheard])
      expect(await shop.read(id)).toMatchObject({ captures: [{ status: 'PENDING', amount: 4 }] })
    await untilDecided([{ id: unheard }])
    expect(await shop.read(approved)).toMatchObject({
      captures: [{ status: 'COMPLETED', amount: 4, fee: -0.19 }],
    })
    expect(await shop.read(declined)).toMatchObject({ captures: [] })
    expect(await shop.read(unheard)).toMatchObject({ captures: [] })
    const answers = await Promise.all(sent.map(send))
    expect(answers.map((answer) => answer?.status)).toEqual([200, 402, 402])
    expect(answers[0]?.body).toMatchObject({ status: 'COMPLETED', parent: approved })
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await expectEqualBooks()
  })
})

/** The text of an answer without what each refusal has of its own. */
function textOf({ text }: Answer): string {
  return text.replace(/"tid".*/, '')
}
