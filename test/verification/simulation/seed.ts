// Runs one seed, from its start to its verdict.
import type { Database } from '../../../src/storage/index.ts'
import { slowPolling } from '../../../src/storage/leases.ts'
import { createChance } from '../chance.ts'
import { createModel } from '../model/model.ts'
import type { Merchant } from '../world/notes.ts'
import { act } from '../world/plan.ts'
import { createReceiver, receiverPath } from '../world/receiver.ts'
import { createWorld } from '../world/world.ts'
import type { NoticeBoard } from './machine/board.ts'
import type { Receive } from './machine/posts.ts'
import type { VirtualTime } from './machine/time.ts'
import { fetchesOver, postsTo, receiverOrigin, wireTo } from './network.ts'
import { type Line, processes, simulationPlan } from './plan.ts'
import { type Installation, startGateway } from './processes/gateway.ts'
import { noticesTo } from './processes/notices.ts'
import { startPool } from './processes/pool.ts'
import { verdictOf } from './verdict.ts'
import { Trace, type World } from './world.ts'

export interface SeedRun {
  readonly seed: number
  readonly operations: number
  readonly keep?: readonly number[] | undefined
  readonly onTrace?: ((line: string) => void) | undefined
}

export interface Outcome {
  readonly problems: readonly string[]
  readonly trace: string
  readonly lines: readonly number[]
  readonly asked: number
  readonly deaths: number
  readonly requests: number
  readonly elapsedMs: number
}

export interface Ground extends Installation {
  readonly database: Database
  readonly time: VirtualTime
  readonly board: NoticeBoard
  readonly merchants: readonly Merchant[]
  takePosts(receive: Receive): void
  takeFetches(ask: ReturnType<typeof fetchesOver>): void
}

const actsAtOnceMax = 4
const betweenActsMsMax = 400
const awaitedLikelihood = 0.5
/** Most polls find nothing, and take most of the time of a seed. So only one in 32 seeds polls at the normal rate. */
const pollsRarer = [1, ...Array<number>(31).fill(20)]

export async function runSeed(run: SeedRun, ground: Ground): Promise<Outcome> {
  const { time } = ground
  const trace = new Trace()
  const world: World = {
    time,
    database: ground.database,
    acquirerCancels: createChance(`acquirer ${run.seed}`).happens(0.5),
    heldUntil: 0,
    jumpedAt: Number.NEGATIVE_INFINITY,
    calm: false,
    faulty: true,
    trace(who, what, detail) {
      trace.add(time.elapsed, who, what, detail)
      run.onTrace?.(`${time.elapsed.toFixed(3).padStart(12)} ${who.padEnd(8)} ${what.padEnd(12)} ${detail}`)
    },
  }
  slowPolling(createChance(`polls ${run.seed}`).pick(pollsRarer))
  const lines = simulationPlan(run.seed, run.operations, run.keep)
  const { problems, ...counts } = await time.until(live(run, lines, world, ground))
  const elapsedMs = Math.round(time.elapsed)
  return {
    problems,
    trace: trace.value,
    lines: lines.map(({ at }) => at),
    asked: trace.count,
    elapsedMs,
    ...counts,
  }
}

async function live({ seed }: SeedRun, lines: readonly Line[], world: World, ground: Ground) {
  const faults: unknown[] = []
  const onError = (error: unknown) => void faults.push(error)
  const model = createModel()
  const { witness } = model
  const receiver = createReceiver(witness, createChance(`receivers ${seed}`))
  ground.takePosts(postsTo(receiver, world))
  const notices = noticesTo(() => pool.pick(), world)
  const surroundings = { world, board: ground.board, notices, onError }
  const pool = startPool(
    processes,
    world,
    createChance(`processes ${seed}`),
    (life, chance) => startGateway(life, ground, chance, surroundings),
    onError,
  )
  try {
    await pool.allRunning()
    const wire = wireTo(pool, world, ground.baseUrl, onError)
    ground.takeFetches(fetchesOver(wire))
    const acting = createWorld({
      wire,
      merchants: ground.merchants,
      witness,
      callbackUrl: ({ wallet_id }) => `${receiverOrigin}${receiverPath(wallet_id)}`,
      isOver: () => world.calm,
    })
    await actAll(lines, seed, world, async (line) => {
      if ('dies' in line) pool.life(line.process)?.arm(line.dies)
      else if ('sleepsMs' in line) pool.life(line.process)?.sleep(line.sleepsMs)
      else await act(line.does, acting)
    })
    const problems = await verdictOf({ world, pool, wire, acting, receiver, model, faults })
    return { problems, deaths: pool.deaths, requests: wire.requests }
  } finally {
    pool.end()
  }
}

/** Runs the lines of the plan in order. Some start while earlier ones still run. */
async function actAll(
  lines: readonly Line[],
  seed: number,
  world: World,
  actOne: (line: Line) => Promise<void>,
): Promise<void> {
  const { time } = world
  const acting = new Set<Promise<void>>()
  for (const line of lines) {
    // Each line has its own random numbers, so it stays the same if other lines are left out.
    time.chance = createChance(`${seed}/${line.at}`)
    world.trace('world', 'does' in line ? line.does.verb : 'faults', JSON.stringify(line))
    const work = actOne(line).finally(() => acting.delete(work))
    acting.add(work)
    if ('does' in line && line.together === true) continue
    if (time.chance.happens(awaitedLikelihood)) await work
    else await time.pause(time.chance.below(betweenActsMsMax))
    while (acting.size >= actsAtOnceMax) await Promise.race(acting)
  }
  await Promise.all(acting)
}
