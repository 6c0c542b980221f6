// The network between a process and its rails: answers come late, twice, out of order, or not at all.
import type { World } from '../world.ts'

const usualMsMax = 60
const lateMsMax = 20_000
/** Longer than a request is asked about before it is given up, and so much more. */
const heldMs = 100_000
const heldMsMax = 100_000

/** As a network library says it. */
export class ConnectionLost extends Error {
  readonly code = 'ECONNRESET'

  constructor() {
    super('the connection to the rail was lost')
    this.name = 'ConnectionLost'
  }
}

/**
 * Makes one call over a network. Times are of the simulation.
 *
 * @param mayBeHeld whether it may arrive when who made it has long given it up
 */
export async function meet<T>(world: World, call: () => Promise<T>, mayBeHeld = false): Promise<T> {
  const { time } = world
  const { chance } = time
  const luck = world.calm ? 1 : chance.below(1000) / 1000
  await time.pause(chance.below(usualMsMax))
  if (luck < 0.04) throw new ConnectionLost()
  if (luck < 0.08) {
    await call()
    throw new ConnectionLost()
  }
  if (luck < 0.12) {
    const first = call().catch(() => undefined)
    await time.pause(chance.below(usualMsMax))
    const [answer] = await Promise.all([call(), first])
    return answer
  }
  if (luck < 0.14) {
    await call()
    await time.pause(10 * lateMsMax)
    throw new ConnectionLost()
  }
  if (luck < 0.17) await time.pause(chance.below(lateMsMax))
  if (luck > 0.94 && luck < 1 && mayBeHeld) {
    void arriveLate(world, call)
    throw new ConnectionLost()
  }
  const answer = await call()
  await time.pause(luck < 0.22 ? chance.below(lateMsMax) : chance.below(usualMsMax))
  return answer
}

/** Has the call arrive minutes later, if the process whose rail it is still lives. */
async function arriveLate(world: World, call: () => Promise<unknown>): Promise<void> {
  const { time } = world
  const afterMs = heldMs + time.chance.below(heldMsMax)
  world.heldUntil = Math.max(world.heldUntil, time.elapsed + afterMs)
  await time.pause(afterMs)
  await call().catch(() => undefined)
}
