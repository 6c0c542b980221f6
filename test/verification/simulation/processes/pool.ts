// The processes of one seed: each begins again some time after it has died.
import type { Chance } from '../../chance.ts'
import { owners } from '../machine/time.ts'
import type { World } from '../world.ts'
import type { RunningGateway } from './gateway.ts'
import { Life } from './life.ts'

const restartMsMax = 3_000

export interface Pool {
  /** One of those that answer; undefined while none does. */
  pick(): RunningGateway | undefined
  /** The process of this number, whether it answers already or not. */
  life(number: number): Life | undefined
  /** How many have died. */
  readonly deaths: number
  /** Comes back when every process answers. */
  allRunning(): Promise<void>
  /** Ends all but one for good: what they had claimed is left to that one. */
  leaveOne(): void
  /** Ends all of them for good. */
  end(): void
}

/** Starts `count` processes. `onFailure` is told of one that could not start, and did not die. */
export function startPool(
  count: number,
  world: World,
  chance: Chance,
  start: (life: Life, chance: Chance) => Promise<RunningGateway>,
  onFailure: (error: unknown) => void,
): Pool {
  const { time } = world
  const lives: Life[] = []
  const running: (RunningGateway | undefined)[] = []
  let deaths = 0
  let over = false

  function begin(number: number, generation: number): void {
    const name = `${number}.${generation}`
    const life = new Life(name, world)
    lives[number] = life
    life.atEnd(() => {
      running[number] = undefined
      if (over) return
      deaths += 1
      owners.run(undefined, () =>
        time.plan(() => begin(number, generation + 1), time.chance.below(restartMsMax)),
      )
    })
    life.orDeath(start(life, chance.apart(name))).then(
      (gateway) => {
        running[number] = gateway
      },
      (error) => {
        if (!life.ended) onFailure(error)
      },
    )
  }

  for (let number = 0; number < count; number++) begin(number, 0)
  return {
    pick() {
      const ready = running.filter((gateway) => gateway !== undefined)
      return ready.length === 0 ? undefined : time.chance.pick(ready)
    },
    life: (number) => lives[number],
    get deaths() {
      return deaths
    },
    async allRunning() {
      while (running.filter((gateway) => gateway !== undefined).length < count) await time.pause(50)
    },
    leaveOne() {
      over = true
      for (const life of lives.slice(1)) life.end()
    },
    end() {
      over = true
      for (const life of lives) life.end()
    },
  }
}
