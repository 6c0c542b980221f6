// The network between a process and its rails, on which calls are late, doubled or lost.
import type { World } from '../world.ts'
import type { Life } from './life.ts'

const usualMsMax = 60
const lateMsMax = 20_000
/** Longer than the resolver asks about a request. */
const heldMs = 100_000
const heldMsMax = 100_000
/** A process sends a request within this time after it has written it, unless the process was stopped. */
const writtenMsMax = 1_000

export class ConnectionLost extends Error {
  readonly code = 'ECONNRESET'

  constructor() {
    super('the connection to the rail was lost')
    this.name = 'ConnectionLost'
  }
}

/**
 * Makes one call over the network. All times are virtual.
 * The gateway asks about an abandoned request for a day, and no network keeps one for a day. So a jump of the clock
 * loses a request, unless it arrives at once and its process reads the answer.
 * @param life of the calling process; undefined for a rail
 * @param mayBeHeld whether the call may arrive long after its caller abandoned it
 */
export async function meet<T>(
  world: World,
  life: Life | undefined,
  call: () => Promise<T>,
  mayBeHeld = false,
): Promise<T> {
  const { time } = world
  const { chance } = time
  const luck = world.calm ? 1 : chance.below(1000) / 1000
  const asked = time.elapsed
  const hasSlept = life !== undefined && life.sleepsUntil > asked - writtenMsMax
  const written = (hasSlept ? life.sleptFrom : asked) - writtenMsMax
  const isLate = luck >= 0.14 && luck < 0.17
  const isOvertaken = () =>
    life !== undefined && world.jumpedAt > written && (hasSlept || isLate || life.ended)
  await time.pause(chance.below(usualMsMax))
  if (luck < 0.04 || isOvertaken()) throw new ConnectionLost()
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
  if (isLate) {
    await time.pause(chance.below(lateMsMax))
    if (isOvertaken()) throw new ConnectionLost()
  }
  if (luck > 0.94 && luck < 1 && mayBeHeld) {
    void arriveLate(world, written, call)
    throw new ConnectionLost()
  }
  const answer = await call()
  await time.pause(luck < 0.22 ? chance.below(lateMsMax) : chance.below(usualMsMax))
  return answer
}

/** Delivers the call minutes later, even if its process has died. A jump of the clock since `written` loses it. */
async function arriveLate(world: World, written: number, call: () => Promise<unknown>): Promise<void> {
  const { time } = world
  const afterMs = heldMs + time.chance.below(heldMsMax)
  world.heldUntil = Math.max(world.heldUntil, time.elapsed + afterMs)
  await time.pause(afterMs)
  if (world.jumpedAt <= written) await call().catch(() => undefined)
}
