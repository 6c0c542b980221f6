// Requests that move money, with their callbacks.
import { accepted, deliveredAhead, deliveredPerSecond, type GoalOf, within } from './goals.ts'
import { firstShop, type Machine, warmUp } from './machine.ts'
import { type Measurement, measure, measureEach, requestText } from './measure.ts'
import { storeCard } from './shop.ts'

export interface PartOptions {
  readonly machine: Machine
  readonly seconds: number
  readonly connections?: readonly number[] | undefined
  readonly bareOf?: (connections: number) => number | undefined
  readonly limitOf?: (connections: number) => number | undefined
}

const warmUpSeconds = 2

/** The workers that add up postings run at least once in this time. */
const rollUpSeconds = 60

let paths = 0
const newPath = () => `/callbacks/${++paths}`

async function byToken(machine: Machine): Promise<(endpoint: string, path: string) => string> {
  const shop = firstShop(machine)
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

const paymentGoals: Readonly<Record<number, GoalOf>> = {
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
  const endpoint = '/prows/v2/payment'
  await warmUp(machine, [pay(endpoint, newPath())], warmUpSeconds)
  return measureEach(connections, (count) => {
    const path = newPath()
    return measure(machine, {
      what: count === 1 ? 'a lone token payment' : 'token payments',
      connections: count,
      requests: [pay(endpoint, path)],
      seconds: count === 128 ? Math.max(seconds, rollUpSeconds) : seconds,
      callbacks: { path, operations: 1 },
      bare: bareOf?.(count),
      limit: limitOf?.(count),
      goal: paymentGoals[count],
    })
  })
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
  const shop = firstShop(machine)
  const endpoint = '/prows/v2/authorization'
  const follow = requestText('POST', '/api/v2/authorizations/:id/capture', shop, {})
  await warmUp(machine, [pay(endpoint, newPath())], warmUpSeconds)
  return measureEach(connections, (count) => {
    const path = newPath()
    return measure(machine, {
      what: 'authorizations with their captures',
      connections: count,
      requests: [pay(endpoint, path)],
      follow,
      seconds,
      callbacks: { path, operations: 2 },
      bare: bareOf?.(count),
      goal: deliveredPerSecond(1200),
    })
  })
}

export async function references({ machine, seconds, connections = [128], bareOf }: PartOptions) {
  const shop = firstShop(machine)
  const request = requestText('POST', '/api/v2/mb/pay', shop, {
    amount: 10,
    currency: 'EUR',
    method: 'MB',
    type: 'PAYMENT',
    ext_invoiceid: 'BENCH-1',
  })
  await warmUp(machine, [request], warmUpSeconds)
  return measureEach(connections, (count) => {
    const row = { what: 'mb/pay', connections: count, requests: [request], seconds, bare: bareOf?.(count) }
    return measure(machine, { ...row, goal: accepted(5000) })
  })
}

export async function atOnce({ machine, connections = [2000] }: PartOptions): Promise<Measurement[]> {
  const pay = await byToken(machine)
  return measureEach(connections, (count) => {
    const path = newPath()
    return measure(machine, {
      what: 'token payments, all connections at once',
      connections: count,
      requests: [pay('/prows/v2/payment', path)],
      total: count,
      callbacks: { path, operations: 1 },
      goal: ({ failures = 0, delivered }) => ({
        text: 'none fails',
        met: failures === 0 && delivered?.missing === 0,
      }),
    })
  })
}

export async function firstPayments(machine: Machine): Promise<void> {
  const pay = await byToken(machine)
  await warmUp(machine, [pay('/prows/v2/payment', newPath())], warmUpSeconds)
}
