// Requests that move money, with their callbacks.
import { accepted, deliveredAhead, deliveredPerSecond, within } from './goals.ts'
import type { Machine } from './machine.ts'
import { type Measurement, measure, requestText } from './measure.ts'
import { storeCard } from './shop.ts'

export interface PartOptions {
  readonly machine: Machine
  readonly seconds: number
  readonly connections?: readonly number[] | undefined
  readonly bareOf?: (connections: number) => number | undefined
  readonly limitOf?: (connections: number) => number | undefined
}

const warmUpSeconds = 2

/** Every roll-up behind the payments runs at least once in this time. */
const rollUpSeconds = 60

let paths = 0
const newPath = () => `/callbacks/${++paths}`

async function byToken(machine: Machine): Promise<(endpoint: string, path: string) => string> {
  const [shop] = machine.shops
  if (shop === undefined) throw new Error('the demo world has no merchant')
  const token = await storeCard(shop)
  return (endpoint, path) =>
    requestText('POST', endpoint, shop, {
      amount: 10,
      currency: 'EUR',
      method: 'CC',
      callback: machine.receiver.url(path),
      cardsecure_url_confirm: 'https://shop.example/ok',
      cardsecure_url_cancel: 'https://shop.example/no',
      card: { token },
    })
}

const paymentGoals: Readonly<Record<number, (measured: Measurement) => Measurement['goal'] & object>> = {
  128: deliveredAhead(3000, 3),
  32: deliveredPerSecond(2000),
  1: within(2.5),
}

export async function payments({
  machine,
  seconds,
  connections = [128, 32, 1],
  bareOf,
  limitOf,
}: PartOptions) {
  const pay = await byToken(machine)
  const rows: Measurement[] = []
  const endpoint = '/prows/v2/payment'
  await warmUp(machine, (path) => pay(endpoint, path))
  for (const count of connections) {
    const path = newPath()
    const goal = paymentGoals[count]
    rows.push(
      await measure(machine, {
        what: count === 1 ? 'a lone token payment' : 'token payments',
        connections: count,
        requests: [pay(endpoint, path)],
        seconds: count === 128 ? Math.max(seconds, rollUpSeconds) : seconds,
        callbacks: { path, operations: 1 },
        bare: bareOf?.(count),
        limit: limitOf?.(count),
        ...(goal === undefined ? {} : { goal }),
      }),
    )
  }
  return rows
}

export async function embeddedPayments({ machine, seconds, connections = [32] }: PartOptions) {
  const rows = await payments({ machine, seconds, connections })
  return rows.map((row) => ({
    ...row,
    what: 'token payments, embedded database',
    goal: deliveredPerSecond(1200)(row),
  }))
}

export async function authorizations({ machine, seconds, connections = [128], bareOf }: PartOptions) {
  const pay = await byToken(machine)
  const [shop] = machine.shops
  if (shop === undefined) throw new Error('the demo world has no merchant')
  const endpoint = '/prows/v2/authorization'
  const follow = requestText('POST', '/api/v2/authorizations/:id/capture', shop, {})
  await warmUp(machine, (path) => pay(endpoint, path))
  const rows: Measurement[] = []
  for (const count of connections) {
    const path = newPath()
    rows.push(
      await measure(machine, {
        what: 'authorizations with their captures',
        connections: count,
        requests: [pay(endpoint, path)],
        follow,
        seconds,
        callbacks: { path, operations: 2 },
        bare: bareOf?.(count),
        goal: deliveredPerSecond(1200),
      }),
    )
  }
  return rows
}

export async function references({ machine, seconds, connections = [128], bareOf }: PartOptions) {
  const [shop] = machine.shops
  if (shop === undefined) throw new Error('the demo world has no merchant')
  const request = requestText('POST', '/api/v2/mb/pay', shop, {
    amount: 10,
    currency: 'EUR',
    method: 'MB',
    type: 'PAYMENT',
    ext_invoiceid: 'BENCH-1',
  })
  await warmUp(machine, () => request)
  const rows: Measurement[] = []
  for (const count of connections) {
    const row = { what: 'mb/pay', connections: count, requests: [request], seconds, bare: bareOf?.(count) }
    rows.push(await measure(machine, { ...row, goal: accepted(5000) }))
  }
  return rows
}

export async function atOnce({ machine, connections = [2000] }: PartOptions): Promise<Measurement[]> {
  const pay = await byToken(machine)
  const rows: Measurement[] = []
  for (const count of connections) {
    const path = newPath()
    rows.push(
      await measure(machine, {
        what: 'token payments, all connections at once',
        connections: count,
        requests: [pay('/prows/v2/payment', path)],
        total: count,
        callbacks: { path, operations: 1 },
        goal: ({ failures = 0, delivered }) => ({
          text: 'none fails',
          met: failures === 0 && delivered?.missing === 0,
        }),
      }),
    )
  }
  return rows
}

export async function firstPayments(machine: Machine): Promise<void> {
  const pay = await byToken(machine)
  await warmUp(machine, (path) => pay('/prows/v2/payment', path))
}

/** The first use compiles and plans; it is not measured. */
async function warmUp(machine: Machine, request: (path: string) => string): Promise<void> {
  const requests = [request(newPath())]
  await machine.generator.run({ port: machine.port, connections: 32, requests, seconds: warmUpSeconds })
}
