// The plan of a seed: steps of the world, deaths and suspensions of processes.
import { type CrashPoint, crashPoints } from '../../../src/kernel/crash-points.ts'
import { createChance } from '../chance.ts'
import { planOf } from '../world/plan.ts'
import type { Step } from '../world/world.ts'
import type { Death } from './processes/life.ts'

export const processes = 2

export type Line = { readonly at: number } & (
  | { readonly does: Step; readonly together?: true }
  | { readonly process: number; readonly dies: Death }
  | { readonly process: number; readonly sleepsMs: number }
)

const points = Object.keys(crashPoints) as CrashPoint[]
const deathsPerStep = 0.04
const sleepsPerStep = 0.02
/** Longer than any lease, and than the resolver waits before it asks. */
const sleepMsMax = 150_000
const twiceLikelihood = 0.15
/** A payment has about ten moments at which a process can die, so this reaches several payments. */
const momentsMax = 60

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
