// PostgreSQL alone, which writes the same rows one by one and in groups.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { runBareLoop } from './bare-loop.ts'
import { bareAuthorizationAndCapture, bareCheckout, barePayment, bareReference } from './bare-rows.ts'
import { groupOfPayments } from './group-rows.ts'
import type { Machine } from './machine.ts'
import { type Measurement, measure, measureEach, requestText } from './measure.ts'
import { accountsOf } from './shop.ts'

export type BareKind = 'payments' | 'checkouts' | 'authorizations' | 'references'

const names: Readonly<Record<BareKind, string>> = {
  payments: 'a token payment',
  checkouts: 'a checkout',
  authorizations: 'an authorization and its capture',
  references: 'a reference',
}

/** Numbers that the gateway does not use in this test. */
let number = 0

export async function bareLoop(
  { postgres, shops, receiver }: Machine,
  kind: BareKind,
  connections: number,
  seconds: number,
): Promise<Measurement | undefined> {
  const [shop] = shops
  if (postgres === undefined || shop === undefined) return undefined
  const { wallet_id: walletId } = shop
  const accounts = await accountsOf(postgres.url, walletId)
  const callback = receiver.url('/bare')
  const rows = {
    payments: () => barePayment(walletId, accounts, callback),
    checkouts: () => bareCheckout(walletId),
    authorizations: () => bareAuthorizationAndCapture(walletId, accounts, callback),
    references: () => bareReference(walletId, number++),
  }[kind]
  const measured = await runBareLoop(postgres.url, connections, seconds, rows)
  return { what: `yardstick: bare loop, rows of ${names[kind]}`, connections, ratio: 1, ...measured }
}

const groupSize = 64

export async function groupsAlone(
  { postgres, shops, receiver }: Machine,
  seconds: number,
): Promise<Measurement[]> {
  const [shop] = shops
  if (postgres === undefined || shop === undefined) return []
  const accounts = await accountsOf(postgres.url, shop.wallet_id)
  const rows: Measurement[] = []
  for (const connections of [1, 2]) {
    const began = performance.now()
    const groups = await Promise.all(
      Array.from({ length: connections }, async () => {
        const client = new pg.Client({ connectionString: postgres.url })
        await client.connect()
        let done = 0
        for (; performance.now() - began < seconds * 1000; done++) {
          const group = groupOfPayments(shop.wallet_id, accounts, receiver.url('/bare'), groupSize)
          for (const [index, { text, values }] of group.entries()) {
            await client.query({ name: `group${index}`, text, values: [...values] })
          }
        }
        await client.end()
        return done
      }),
    )
    const payments = groups.reduce((sum, count) => sum + count, 0) * groupSize
    const perSecond = payments / ((performance.now() - began) / 1000)
    rows.push({ what: 'yardstick: rows of 64 token payments a statement', connections, perSecond })
  }
  return rows
}

export async function limitPayments(
  machine: Machine,
  counts: readonly number[],
  seconds: number,
): Promise<Measurement[]> {
  const { postgres, generator, receiver, shops } = machine
  const [shop] = shops
  if (postgres === undefined || shop === undefined) return []
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = fork(join(import.meta.dirname, 'limit.ts'), [postgres.url], { stdio: [...stdio] })
  const [port] = (await once(child, 'message')) as [number]
  const pay = (path: string) =>
    requestText('POST', '/prows/v2/payment', shop, { amount: 10, callback: receiver.url(path) })
  await generator.run({ port, connections: 32, requests: [pay('/limit/first')], seconds: seconds / 2 })
  const script = { ...machine, port, gateway: { ...machine.gateway, pid: child.pid ?? 0 } }
  const rows = await measureEach(counts, (connections) => {
    const path = `/limit/${connections}`
    const callbacks = { path, operations: 1 }
    const what = 'yardstick: limit script, a token payment'
    return measure(script, { what, connections, requests: [pay(path)], seconds, callbacks })
  })
  child.disconnect()
  return rows
}
