// A customer's phone, through the sandbox's JSON API.
import { formTo, openPage, submit } from './browserless.ts'
import type { Answer, Json, World } from './world.ts'

export interface Phone {
  readonly number: string
  requests(): Promise<Json[]>
  mandates(): Promise<Json[]>
  pending(): Promise<Json>
  approve(id: string, terms?: { amount_limit?: unknown; expiry_date?: unknown }): Promise<Answer>
  refuse(id: string): Promise<Answer>
  change(
    mandateId: string,
    change: 'update' | 'suspend' | 'resume' | 'cancel',
    terms?: unknown,
  ): Promise<Answer>
}

let numbers = 0

export function newPhone(world: World): Phone {
  numbers += 1
  return phoneWith(world, `+35192${String(1000 + numbers).padStart(5, '0')}${numbers % 10}0`)
}

export async function askedOnPhone(
  world: World,
  checkout: Json,
): Promise<{ readonly phone: Phone; readonly request: Json }> {
  const phone = newPhone(world)
  const page = await openPage(checkout.url_redirect)
  const waiting = await submit(page, formTo(page, '/mbway'), { phone: phone.number })
  if (!waiting.text.includes('Approve on your phone')) throw new Error(waiting.text)
  return { phone, request: await phone.pending() }
}

function phoneWith(world: World, number: string): Phone {
  const path = `/sandbox/api/phones/${number}`
  const post = (part: string, body: unknown = {}) =>
    world.request(`${path}/${part}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const look = async () => (await world.request(path)).body
  return {
    number,
    requests: async () => (await look()).requests,
    mandates: async () => (await look()).mandates,
    async pending() {
      const { requests } = await look()
      const waiting = requests.find(({ state }: Json) => state === 'PENDING')
      if (waiting === undefined) throw new Error(`${number} is asked nothing: ${JSON.stringify(requests)}`)
      return waiting
    },
    approve: (id, terms) => post(`requests/${id}/approve`, terms),
    refuse: (id) => post(`requests/${id}/refuse`),
    change: (mandateId, change, terms) => post(`mandates/${mandateId}/${change}`, terms),
  }
}
