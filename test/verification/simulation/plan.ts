// The plan of one seed: what the world does, and between that which process dies where, or is stopped for a while.
import { type CrashPoint, crashPoints } from '../../../src/kernel/crash-points.ts'
import { createChance } from '../chance.ts'
import { planOf } from '../world/plan.ts'
import type { Step } from '../world/world.ts'
import type { Death } from './processes/life.ts'

/** How many gateways run on the database at the same time. */
export const processes = 2

/** One line of a plan. `at` is its number in the whole plan: a part of a plan is named by the numbers that it keeps. */
export type Line = { readonly at: number } /** `together`: the next line begins at the same moment. */ & (
  | { readonly does: Step; readonly together?: true }
  | { readonly process: number; readonly dies: Death }
  | { readonly process: number; readonly sleepsMs: number }
)

const points = Object.keys(crashPoints) as CrashPoint[]
const deathsPerStep = 0.04
const sleepsPerStep = 0.02
/** Longer than any lease, and than a request at a rail is asked about before it is given up. */
const sleepMsMax = 150_000
/** How often a step is done twice at once, about the same thing. */
const twiceLikelihood = 0.15
/** A payment has some ten moments at which a process may die. */
const momentsMax = 60

/** The plan of `seed` with so many steps of the world; `keep` leaves only those lines. */
export function simulationPlan(seed: number, operations: number, keep?: readonly number[]): Line[] {
  const chance = createChance(`deaths ${seed}`)
  const lines: Line[] = []
  for (const does of planOf(seed, operations)) {
    const isTwice = chance.happens(twiceLikelihood)
    lines.push({ at: lines.length, does, ...(isTwice && { together: true }) })
    if (isTwice) lines.push({ at: lines.length, does: { ...does, seed: chance.below(2 ** 32) } })
    if (chance.happens(sleepsPerStep))
      lines.push({
        at: lines.length,
        process: chance.below(processes),
        sleepsMs: 1 + chance.below(sleepMsMax),
      })
    if (!chance.happens(deathsPerStep)) continue
    const isNamed = chance.happens(0.5)
    const dies = isNamed
      ? { point: chance.pick(points), count: 1 + chance.below(2) }
      : { count: 1 + chance.below(momentsMax) }
    lines.push({ at: lines.length, process: chance.below(processes), dies })
  }
  if (keep === undefined) return lines
  const kept = new Set(keep)
  return lines.filter(({ at }) => kept.has(at))
}
