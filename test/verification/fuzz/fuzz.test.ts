// Short fuzzing run over every route, always the same.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Campaign, startCampaign } from './campaign.ts'
import { type FuzzedGateway, startFuzzedGateway } from './gateway.ts'

const patienceMs = 240_000
/** A third of the routes is reached only by luck: unknown ids, forms in a certain state. */
const reachedMin = 130

let gateway: FuzzedGateway
let campaign: Campaign
beforeAll(async () => {
  gateway = await startFuzzedGateway()
  campaign = await startCampaign(gateway, () => undefined)
}, patienceMs)
afterAll(() => gateway.stop())

it(
  'every route answers any request in time, with its own errors, and without data of others',
  async () => {
    await campaign.round({ seed: 18, runs: 3 })
    expect(campaign.faults).toEqual([])
    const routes = gateway.routes.map(({ method, url }) => `${method} ${url}`)
    expect(campaign.reached).toContain('encrypted cards')
    expect([...campaign.asked].sort()).toEqual([...new Set(routes)].sort())
    expect(campaign.reached.size).toBeGreaterThan(reachedMin)
    expect((await gateway.memory()).polluted).toEqual([])
    expect(await gateway.command('audit')).toBe('')
  },
  patienceMs,
)
