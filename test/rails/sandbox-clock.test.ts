// The sandbox's time: shared, forward only, after all due work.
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandboxClock } from '../../sandbox/clock/clock.ts'
import { createTimeTravel } from '../../sandbox/clock/time-travel.ts'
import { day, hour, type Instant, instant, after as moved, second } from '../../src/kernel/time.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { browse, call, merchantId, type SandboxHost, startSandboxHost } from './sandbox-host.ts'

const base = { now: () => instant(Date.parse('2026-11-21T10:00:00Z')) }

describe.each(databaseKinds)('the sandbox clock on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  it('runs with the machine, then ahead of it, also after a restart', async () => {
    const clock = await createSandboxClock({ database, base })
    expect(clock.now()).toBe(base.now())
    const arrived = await clock.move((now) => moved(now, day))
    expect(arrived).toBe(moved(base.now(), day))
    expect((await createSandboxClock({ database, base })).now()).toBe(arrived)
  })

  it('never goes back', async () => {
    const clock = await createSandboxClock({ database, base })
    const before = clock.now()
    expect(await clock.move((now) => moved(now, -hour))).toBe(before)
    expect(clock.now()).toBe(before)
    await expect(database.run(statement('update sandbox.clock set offset_ms = -1'))).rejects.toThrow()
  })

  it('reaches every other process', async () => {
    const here = await createSandboxClock({ database, base })
    const there = await createSandboxClock({ database, base })
    const arrived = await here.move((now) => moved(now, hour))
    await expect.poll(() => there.now()).toBe(arrived)
  })

  it('adds concurrent moves of several processes', async () => {
    const clocks = await Promise.all([1, 2, 3].map(() => createSandboxClock({ database, base })))
    const start = (clocks[0] as { now(): Instant }).now()
    await Promise.all(clocks.flatMap((clock) => [1, 2].map(() => clock.move((now) => moved(now, second)))))
    expect((await createSandboxClock({ database, base })).now()).toBe(moved(start, 6 * second))
  })

  it('moves in time for many callers during endless work', async () => {
    const clock = await createSandboxClock({ database, base })
    const start = clock.now()
    const late: boolean[] = []
    const untilDeadline = (_: Instant, deadline: AbortSignal) =>
      new Promise<{ callbacks: number }>((resolve) => {
        late.push(allAreOver.aborted && !deadline.aborted)
        const answer = () => resolve({ callbacks: 1 })
        if (deadline.aborted) answer()
        else deadline.addEventListener('abort', answer, { once: true })
      })
    const patience = second / 2
    const time = createTimeTravel(clock, untilDeadline, patience)
    const moves = [1, 2, 3, 4].map(() => time.move({ advance: 'P1D' }))
    // Timers of one length end in the order of their start.
    const allAreOver = AbortSignal.timeout(patience)
    const arrivals = await Promise.all(moves)
    expect(late).toEqual([false, false, false, false])
    expect(arrivals.every(({ ok }) => ok)).toBe(true)
    expect(clock.now()).toBe(moved(start, 4 * day))
  })
})

describe('the sandbox over HTTP', () => {
  let database: Database
  let host: SandboxHost
  const clock = (body?: unknown) => call(`${host.baseUrl}/sandbox/api/clock`, body)
  const secondsOf = (date: unknown) => Date.parse(String(date).replace('+0000', 'Z')) / second
  beforeAll(async () => {
    database = await openTestDatabase('pglite')
    host = await startSandboxHost(database)
  })
  afterAll(async () => {
    await host.close()
    await database.close()
  })

  it('shows the time and moves it, after all due work', async () => {
    const started = performance.now()
    const { status, body } = await clock()
    expect(status).toBe(200)
    expect(body.now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
    const moved = await clock({ advance: 'P1DT2H' })
    expect(moved.status).toBe(200)
    expect(moved.body.ran).toEqual({ challenges: 0, references: 2 })
    const ahead = secondsOf(moved.body.now) - secondsOf(body.now)
    expect(ahead).toBeGreaterThanOrEqual(26 * 3600)
    const meanwhile = (performance.now() - started) / second
    expect(ahead).toBeLessThanOrEqual(26 * 3600 + 1 + meanwhile)
    expect(Math.floor(Number(host.ranAt.at(-1)) / second)).toBe(secondsOf(moved.body.now))
    expect(secondsOf((await clock()).body.now)).toBeGreaterThanOrEqual(secondsOf(moved.body.now))
  })

  it('moves to a moment', async () => {
    const { body } = await clock()
    const target = new Date((secondsOf(body.now) + 3600) * second).toISOString()
    expect(secondsOf((await clock({ set: target })).body.now)).toBe(secondsOf(body.now) + 3600)
  })

  it('serializes concurrent moves, and both count', async () => {
    const { body } = await clock()
    const moves = await Promise.all([clock({ advance: 'P1D' }), clock({ advance: 'P1D' })])
    const latest = Math.max(...moves.map((moved) => secondsOf(moved.body.now)))
    expect(latest - secondsOf(body.now)).toBeGreaterThanOrEqual(2 * 86_400)
    expect(host.ranTogether()).toBe(1)
  })

  it.each([
    [{ advance: '-P1D' }, 'advance'],
    [{ advance: 'soon' }, 'advance'],
    [{ advance: 'P11Y' }, 'advance'],
    [{ set: '2001-01-01T00:00:00Z' }, 'set'],
    [{}, 'advance'],
  ])('refuses %j, naming the field, without a move', async (asked, field) => {
    const before = host.ranAt.length
    const { status, body } = await clock(asked)
    expect(status).toBe(400)
    expect(body.reason).toContain(field)
    expect(host.ranAt).toHaveLength(before)
  })

  it('moves by the form of its page, without scripts', async () => {
    const url = `${host.baseUrl}/sandbox/clock`
    const page = await browse(url)
    expect(page.status).toBe(200)
    expect(page.html).not.toContain('<script')
    const before = secondsOf((await clock()).body.now)
    const moved = await browse(page.form?.action ?? '', { advance: 'P1W' })
    expect(moved.status).toBe(200)
    expect(moved.html).toContain('Time moved. references: 2.')
    expect(secondsOf((await clock()).body.now) - before).toBeGreaterThanOrEqual(7 * 86_400)
    const refused = await browse(url, { set: '', advance: '<b>' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('advance must be an ISO 8601 duration')
  })

  it.each(['/sandbox/api/clock', '/sandbox/clock'])(
    '%s is moved by no page of another site',
    async (path) => {
      const before = host.ranAt.length
      for (const site of ['cross-site', 'same-site']) {
        const type = path.includes('api') ? 'application/json' : 'application/x-www-form-urlencoded'
        const body = path.includes('api') ? '{"advance":"P1D"}' : 'advance=P1D'
        const headers = { 'content-type': type, 'sec-fetch-site': site }
        const answer = await fetch(host.baseUrl + path, { method: 'POST', headers, body })
        expect(answer.status).toBe(403)
      }
      // Forms of other sites, from browsers that do not name the site.
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data; boundary=x',
      ]) {
        const headers = { 'content-type': type }
        const body = 'advance=P1D'
        const answer = await fetch(`${host.baseUrl}/sandbox/api/clock`, { method: 'POST', headers, body })
        expect(answer.status).toBe(415)
      }
      expect(host.ranAt).toHaveLength(before)
    },
  )

  it.each(['/sandbox/api/clock', '/sandbox/clock'])(
    '%s is moved from no other origin, also by browsers that tell nothing else',
    async (path) => {
      const before = host.ranAt.length
      const type = path.includes('api') ? 'application/json' : 'application/x-www-form-urlencoded'
      const body = path.includes('api') ? '{"advance":"PT1S"}' : 'advance=PT1S'
      const moveFrom = async (origin: string) => {
        const headers = { 'content-type': type, origin }
        return (await fetch(host.baseUrl + path, { method: 'POST', headers, body })).status
      }
      for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'x']) {
        expect(await moveFrom(origin)).toBe(403)
      }
      expect(host.ranAt).toHaveLength(before)
      expect(await moveFrom(host.baseUrl)).toBe(200)
    },
  )

  it.each([
    ['/sandbox', 'GET'],
    ['/sandbox/api/clock', 'GET'],
    ['/sandbox/assets/submit.js', 'GET'],
    ['/sandbox/issuer/challenge', 'POST'],
  ])('%s answers no foreign host name', async (path, method) => {
    const { port } = new URL(host.baseUrl)
    const answerTo = (name: string) => statusOf(`${host.baseUrl}${path}`, method, name)
    for (const name of [`rebound.example:${port}`, 'rebound.example', '10.1.2.3', `localhost.evil.example`]) {
      expect(await answerTo(name)).toBe(403)
    }
    for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      expect(await answerTo(name)).not.toBe(403)
    }
  })

  it('sets where callbacks go, for merchants that exist', async () => {
    const url = (id: unknown) => `${host.baseUrl}/sandbox/api/merchants/${id}/callback-url`
    const set = await call(url(merchantId), { callback_url: 'http://127.0.0.1:9/c', other: 1 })
    expect(set).toEqual({
      status: 200,
      body: { callback_url: 'http://127.0.0.1:9/c', card_callback_url: null },
    })
    const cards = await call(url(merchantId), { card_callback_url: 'http://127.0.0.1:9/d', callback_url: '' })
    expect(cards.body).toEqual({ callback_url: null, card_callback_url: 'http://127.0.0.1:9/d' })
    expect((await call(url(7), { callback_url: 'http://127.0.0.1:9/' })).status).toBe(404)
    expect((await call(url('x'), { callback_url: 'http://127.0.0.1:9/' })).status).toBe(404)
    expect((await call(url('9'.repeat(30)), { callback_url: 'http://127.0.0.1:9/' })).status).toBe(404)
    expect((await call(url(merchantId), {})).status).toBe(400)
    expect(await call(url(merchantId), { callback_url: 5 })).toMatchObject({
      status: 400,
      body: { reason: expect.stringContaining('callback_url') },
    })
  })

  it('shows the overview, with every test card', async () => {
    const page = await browse(`${host.baseUrl}/sandbox`)
    expect(page.status).toBe(200)
    for (const number of ['4176 6600 0000 0027', '3782 822463 10005', '4000 0000 0000 0259']) {
      expect(page.html).toContain(number)
    }
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    for (const [, path] of page.html.matchAll(/href="(\/[^"]*)"/g)) {
      expect((await browse(host.baseUrl + path)).status).toBe(200)
    }
    expect((await browse(`${host.baseUrl}/sandbox/assets/submit.js`)).headers.get('content-type')).toContain(
      'javascript',
    )
  })
})

async function statusOf(url: string, method: string, hostHeader: string): Promise<number> {
  const answer = await request(url, { method: method as 'GET', headers: { host: hostHeader } })
  await answer.body.dump()
  return answer.statusCode
}
