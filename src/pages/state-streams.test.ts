// Event streams of waiting pages: shared polls and clean ends.
import { fastify } from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAdmission } from '../http/admission.ts'
import type { App } from '../http/index.ts'
import { createStateStreams } from './state-streams.ts'

let app: App
let url: string
let polls: number
let state: () => string

beforeEach(async () => {
  polls = 0
  state = () => 'waiting'
  app = fastify() as unknown as App
  const admission = createAdmission(new Registry())
  app.decorate('http', { limiters: undefined, openStreams: new Map(), admission } as unknown as App['http'])
  const streams = createStateStreams(app)
  app.get('/events', (request, reply) =>
    streams.stream(request, reply, 'one', async () => {
      polls += 1
      return state()
    }),
  )
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/events`
})
afterEach(() => app.close())

it('sends each state once, and ends when the waiting is over', async () => {
  const events = fetch(url).then((answer) => answer.text())
  await untilLooked(2)
  state = () => 'over'
  expect(await events).toBe('event: state\ndata: waiting\n\nevent: state\ndata: over\n\n')
})

it('polls once for all who wait for the same', async () => {
  const leaving = new AbortController()
  const started = performance.now()
  const waiting = Array.from({ length: 50 }, () => fetch(url, { signal: leaving.signal }))
  await Promise.all(waiting)
  await untilLooked(3)
  // At least half a second between two polls.
  const pollsMax = 1 + Math.floor((performance.now() - started) / 490)
  expect(polls).toBeLessThanOrEqual(pollsMax)
  leaving.abort()
})

it('ends when the state cannot be found any more', async () => {
  const events = fetch(url).then((answer) => answer.text())
  await untilLooked(1)
  state = () => {
    throw new Error('the database is gone')
  }
  expect(await events).toBe('event: state\ndata: waiting\n\n')
})

it('ends when the gateway stops', async () => {
  const answer = await fetch(url)
  const before = polls
  await app.close()
  expect(await answer.text()).toBe('event: state\ndata: waiting\n\n')
  // An old stream has polled about 120 times.
  expect(polls - before).toBeLessThanOrEqual(1)
})

async function untilLooked(times: number): Promise<void> {
  while (polls < times) await new Promise((resolve) => setTimeout(resolve, 20))
}
