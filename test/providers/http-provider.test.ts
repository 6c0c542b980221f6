// The test provider breaks the chosen calls.
import { afterEach, expect, it } from 'vitest'
import { everyInterruption, type HttpProvider, startHttpProvider } from './http-provider.ts'

let provider: HttpProvider
afterEach(() => provider.close())

async function startCounter(): Promise<Map<string, number>> {
  const handled = new Map<string, number>()
  provider = await startHttpProvider(async ({ path, body }) => {
    handled.set(path, (handled.get(path) ?? 0) + 1)
    return { status: 201, headers: { 'content-type': 'text/plain' }, body: `took ${body}` }
  })
  return handled
}

const post = (path: string) => fetch(provider.url + path, { method: 'POST', body: 'one' })

it('answers, records requests, and can be down', async () => {
  const handled = await startCounter()
  const answer = await post('/pay?now=1')
  expect([answer.status, await answer.text()]).toEqual([201, 'took one'])
  provider.setDown(true)
  expect((await post('/pay')).status).toBe(503)
  provider.setDown(false)
  expect((await post('/pay')).status).toBe(201)
  expect(provider.calls).toEqual(['POST /pay', 'POST /pay', 'POST /pay'])
  expect(handled.get('/pay')).toBe(2)
})

it('breaks one call, before or after it was handled', async () => {
  const handled = await startCounter()
  provider.interrupt(2, 'before')
  await post('/first')
  await expect(post('/second')).rejects.toThrow()
  provider.interrupt(1, 'after')
  await expect(post('/third')).rejects.toThrow()
  await post('/fourth')
  expect([...handled.keys()]).toEqual(['/first', '/third', '/fourth'])
})

it('interrupts a scenario at every call in both ways, and reports the failure', async () => {
  const handled = await startCounter()
  let subjects = 0
  const scenario = {
    get provider() {
      return provider
    },
    open: async () => post,
    prepare: async () => `/${++subjects}`,
    async act(driver: typeof post, subject: string) {
      await driver(`${subject}/create`)
      await driver(`${subject}/confirm`)
    },
    async recover(driver: typeof post, subject: string) {
      if (!handled.has(`${subject}/confirm`)) await driver(`${subject}/confirm`)
      expect(handled.get(`${subject}/confirm`)).toBe(1)
    },
  }
  const interruptions = await everyInterruption(scenario)
  expect(interruptions.map(({ call, when }) => `${call} ${when}`)).toEqual([
    ...['1 before', '1 after'],
    ...['2 before', '2 after'],
  ])
  const careless = { ...scenario, recover: async () => expect(handled.get(`/${subjects}/confirm`)).toBe(1) }
  await expect(everyInterruption({ ...careless, provider })).rejects.toThrow('broken before call 1')
})
