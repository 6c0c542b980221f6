// Follows a path to its end, or to the death of the gateway.
import type { CrashPoint } from '../../../src/kernel/crash-points.ts'
import type { World } from '../../world.ts'
import { accountPaths } from './accounts.ts'
import { cardPaths } from './cards.ts'
import type { Path, Walk } from './path.ts'

const named = { ...cardPaths, ...accountPaths }
export type PathName = keyof typeof named
export const paths: Readonly<Record<PathName, Path>> = named

const roundsMax = 40

/** The time from the last answer of a dying gateway until its connections are closed. */
const deathMsMax = 5_000
/** After this time the gateway has asked again about an abandoned attempt. */
const longAfter = 'PT2H'

export async function dieAt(world: World, path: Path, walk: Walk, point: CrashPoint): Promise<boolean> {
  let isDead = false
  await world.armCrash(point)
  const death = world.crashed().then(() => {
    isDead = true
  })
  const end = goOn(world, path.step, walk, async () => isDead || (await walk.isOver()))
    .then(() => world.advance(longAfter))
    .catch(async (error) => {
      // A client can notice the lost connection before this process knows of the death.
      await Promise.race([death, new Promise((resolve) => setTimeout(resolve, deathMsMax))])
      if (!isDead) throw error
    })
  await Promise.race([death, end])
  const hasCome = isDead
  if (!hasCome) await world.kill()
  await Promise.all([end, hasCome ? death : death.catch(() => undefined)])
  await world.restart()
  return hasCome
}

export async function walkToItsEnd(world: World, { step }: Path, walk: Walk): Promise<void> {
  if (!(await goOn(world, step, walk, () => walk.isOver()))) throw new Error('it does not come to its end')
}

async function goOn(
  world: World,
  step: string,
  walk: Walk,
  isDone: () => Promise<boolean>,
): Promise<boolean> {
  for (let round = 0; round < roundsMax; round++) {
    await walk.go()
    if (await isDone()) return true
    await world.advance(step)
  }
  return false
}
