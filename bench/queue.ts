// A queue of due callbacks, as after an outage of a large merchant.
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf, type Machine } from './machine.ts'
import { cpuMicrosSince, type Measurement, watchMemory } from './measure.ts'

const queued = 50_000
const goalPerSecond = 5_000
const waitMsMax = 60_000
const path = '/queue'

export async function callbacks({ machine }: { readonly machine: Machine }): Promise<Measurement[]> {
  const { postgres, receiver, gateway, shops } = machine
  const [shop] = shops
  if (postgres === undefined || shop === undefined) return []
  const url = receiver.url(path)
  await postgres.sql.query(queueSql, [shop.wallet_id, queued, url, new URL(url).origin])
  const began = Date.now()
  const cpuBefore = cpuOf(machine)
  const memory = watchMemory(gateway.pid)
  let received = await receiver.received(path)
  while (received.operations < queued && Date.now() - began < waitMsMax) {
    await pause(100)
    received = await receiver.received(path)
  }
  const cpuMicros = cpuMicrosSince(cpuBefore, cpuOf(machine), received.operations)
  const perSecond = received.operations / ((received.lastAt - began) / 1000)
  const missing = queued - received.operations
  return [
    {
      what: `callbacks alone, ${queued} due`,
      connections: 0,
      perSecond,
      failures: missing,
      memoryMb: memory.stop(),
      costs: { cpuMicros },
      goal: { text: `${goalPerSecond}/s`, met: perSecond >= goalPerSecond && missing === 0 },
    },
  ]
}

const queueSql = `
  with queued as (
    select gen_random_uuid() as id, gen_random_uuid() as subject from generate_series(1, $2::integer)
  ), recorded as (
    insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
    select $1, id, 'operation', subject, 'COMPLETED', payload, sha256(convert_to(payload, 'UTF8')), now()
    from queued cross join lateral (
      select '{"amount":10,"currency":"EUR","event":"COMPLETED","operation_id":"' || subject || '"}' as payload
    ) as text
  )
  insert into deliveries (wallet_id, event_id, lane, endpoint, url, state, due_at)
  select $1, id, $4, 'operation', $3, 'DUE', now() from queued`
