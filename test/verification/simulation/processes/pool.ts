// The processes of one seed. Each starts again after its death.
import type { Chance } from '../../chance.ts'
import { owners } from '../machine/time.ts'
import type { World } from '../world.ts'
import type { RunningGateway } from './gateway.ts'
import { Life } from './life.ts'

const restartMsMax = 3_000

export interface Pool {
  pick(): RunningGateway | undefined
  life(number: number): Life | undefined
  readonly deaths: number
  allRunning(): Promise<void>
  leaveOne(): void
  end(): void
}

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
