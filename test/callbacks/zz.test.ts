import { expect, it } from 'vitest'
import { statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'
import { startReceiver } from '../receiver.ts'
import { CallbackWorld } from './room.ts'
it('measures', async () => {
  const database = await openTestDatabase('postgres')
  const world = new CallbackWorld(database)
  const receiver = await startReceiver()
  // a million finished
  await database.run(statement(`insert into events (wallet_id,id,kind,subject,event,payload,digest,created_at) select i%1000, gen_random_uuid(),'operation',gen_random_uuid(),'COMPLETED',repeat('x',350),decode(repeat('00',32),'hex'),now() from generate_series(1,300000) i`))
  await database.run(statement(`insert into deliveries (wallet_id,event_id,lane,endpoint,state,finished_at) select wallet_id,id,'wallet','wallet','DELIVERED',now() from events`))
  // 10k lanes waiting for later
  await database.run(statement(`insert into deliveries (wallet_id,event_id,lane,endpoint,state,due_at) select 1000000+i,gen_random_uuid(),'wallet','wallet','DUE',now()+interval '3 hours' from generate_series(1,10000) i`))
  const hang = world.wallet(receiver.url('/hang')); receiver.script('/hang', { kind: 'hang' })
  for (let i = 0; i < 20; i++) await world.record(hang, 5000)
  const explain = async (q: string, p: unknown[]) => { for (const r of await database.run(statement<{ 'QUERY PLAN': string }>(`explain (analyze, buffers off, costs off) ${q}`), p)) console.log(r['QUERY PLAN']) }
  const store = await import('node:fs').then((f) => f.readFileSync('/work/main/src/callbacks/store.ts', 'utf8'))
  void store; void explain
  const { headLanes, dueLanes, claim } = await import('../../src/callbacks/store.ts')
  for (const analyze of [false, true]) {
    if (analyze) await database.run(statement('analyze'))
    const time = async (n: string, f: () => Promise<unknown>) => { const t = performance.now(); let r; for (let i = 0; i < 10; i++) r = await f(); console.log(analyze, n, ((performance.now() - t) / 10).toFixed(2), 'ms', JSON.stringify(r, (_k, v) => typeof v === 'bigint' ? String(v) : v).length) }
    await time('head', () => headLanes(database, world.clock.now(), 512))
    await time('dueLanes', () => dueLanes(database, world.clock.now(), 256))
    await time('claim8', () => claim(database, [{ walletId: hang, lane: 'wallet', quota: 8 }], world.clock.now(), '01900000-0000-7000-8000-000000000001', 1000))
  }
  await database.run(statement(`update deliveries set state='GIVEN_UP', due_at=null, finished_at=now() where state='DUE'`))
  // throughput
  const ws = Array.from({ length: 100 }, (_, i) => world.wallet(receiver.url(`/t${i}`)))
  for (let k = 0; k < 5; k++) for (const w of ws) await world.record(w, 20)
  const room = world.room()
  const t = performance.now()
  const n = await room.runDue(world.clock.now())
  console.log('delivered', n, 'in', performance.now() - t, 'ms', n / (performance.now() - t) * 1000, '/s')
  // recording cost
  const { recordEvents } = await import('../../src/callbacks/index.ts')
  for (const has of [true, false]) { const evs = Array.from({ length: 200 }, () => Array.from({ length: 64 }, () => world.event(ws[0] as bigint, { hasEndpoint: has })))
  const t2 = performance.now(); for (const e of evs) await recordEvents(database, e); console.log('record', has, (200 * 64 / (performance.now() - t2) * 1000).toFixed(0), '/s') }
  await room.stop(); await receiver.close(); await database.close()
  expect(n).toBe(10000)
}, 120000)
