// Reads all data of the merchants at the end of a run.
import type { Json, Merchant } from '../world/notes.ts'
import type { Wire } from '../world/wire.ts'

export interface Books {
  readonly merchant: Merchant
  readonly operations: readonly Json[]
  readonly events: readonly Json[]
  readonly mandates: readonly Json[]
  readonly subscriptions: readonly Json[]
  readonly payouts: readonly Json[]
  readonly links: readonly Json[]
  readonly balance: Json
}

const pauseMs = 500
const triesMax = 120
const pageLength = 30

export async function readUntilAnswered(wire: Wire, path: string, merchant?: Merchant): Promise<Json> {
  const headers = merchant === undefined ? {} : { authorization: `Comporta ${merchant.api_key}` }
  for (let round = 0; ; round++) {
    const answer = await wire.send({ method: 'GET', path, headers })
    if (answer?.status === 200) return JSON.parse(answer.text)
    if (round === triesMax)
      throw new Error(`${path} is not answered: ${answer?.status} ${answer?.text.slice(0, 300)}`)
    await wire.pause(pauseMs)
  }
}

export async function readBooks(wire: Wire, merchant: Merchant): Promise<Books> {
  const get = (path: string) => readUntilAnswered(wire, path, merchant)

  async function pages(path: string): Promise<Json[]> {
    const elements: Json[] = []
    for (let offset = 0; ; offset++) {
      const page = await get(`${path}?limit=${pageLength}&offset=${offset}`)
      elements.push(...page.elements)
      if (page.elements.length < pageLength) return elements
    }
  }

  async function events(): Promise<Json[]> {
    const all: Json[] = []
    for (let after = ''; ; ) {
      const page = await get(`/api/v2/events?limit=100${after}`)
      all.push(...page.events)
      if (page.more !== true) return all
      after = `&after=${page.next}`
    }
  }

  const subscriptions = []
  for (const { subscription } of await pages('/api/v2/subscriptions')) {
    const charges = await pages(`/api/v2/subscriptions/${subscription.id}/charge`)
    const whole = await get(`/api/v2/subscriptions/${subscription.id}`)
    subscriptions.push({ ...whole, charges: charges.map(({ charge_order }) => charge_order) })
  }
  return {
    merchant,
    operations: await pages('/api/v2/operations'),
    events: await events(),
    mandates: merchant.roles.includes('partner') ? await pages('/api/v2/mandate/mbway') : [],
    subscriptions,
    payouts: await pages('/api/v2/payouts'),
    links: await pages('/api/v2/payment_links'),
    balance: await get('/api/v2/balance'),
  }
}
