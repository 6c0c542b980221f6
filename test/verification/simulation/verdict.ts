// The end of a seed: faults stop, all due work is done, and the books must agree.
import type { Model } from '../model/model.ts'
import type { Receiver } from '../world/receiver.ts'
import { drain, endFaults } from '../world/run.ts'
import type { Wire } from '../world/wire.ts'
import type { World as ActingWorld } from '../world/world.ts'
import type { Pool } from './processes/pool.ts'
import type { World } from './world.ts'

export interface End {
  readonly world: World
  readonly pool: Pool
  readonly wire: Wire
  readonly acting: ActingWorld
  readonly receiver: Receiver
  readonly model: Model
  /** The errors that the gateways reported from work in the background. */
  readonly faults: readonly unknown[]
}

/** Longer than the lease of a callback, and than a process waits for a rail. */
const leasesMs = 21_000

export async function verdictOf({
  world,
  pool,
  wire,
  acting,
  receiver,
  model,
  faults,
}: End): Promise<string[]> {
  world.calm = true
  for (let number = 0; pool.life(number) !== undefined; number++) {
    pool.life(number)?.arm(undefined)
    pool.life(number)?.sleep(0)
  }
  await pool.allRunning()
  for (let number = 0; pool.life(number) !== undefined; number++) await pool.life(number)?.whenAwake()
  await endFaults(acting, receiver)
  await wire.pause(Math.max(0, world.heldUntil - world.time.elapsed))
  pool.leaveOne()
  // Processes that have ended may still hold leases.
  await wire.pause(leasesMs)
  world.faulty = false
  await drain(acting, receiver)
  const gateway = pool.pick()
  if (gateway === undefined) return ['no process answers at the end']
  const { problems } = await gateway.life.within(() => gateway.gateway.commands.audit())
  return [
    ...(await model.verdict(wire, acting.merchants)).map((sentence) => `model: ${sentence}`),
    ...problems.map(({ check, subject, detail }) => `audit: ${check}: ${subject}: ${detail}`),
    ...faults.map((fault) => `a process reported: ${fault instanceof Error ? fault.stack : String(fault)}`),
  ]
}
