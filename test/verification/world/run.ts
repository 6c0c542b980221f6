// Runs a plan, and ends it: all answers, callbacks, references and authorizations become final.
import { parsed } from './ask.ts'
import { act } from './plan.ts'
import type { Receiver } from './receiver.ts'
import type { Step, World } from './world.ts'

/** These jumps let references and authorizations expire, and banks answer. */
const advances = ['PT6M', 'P1D', 'P2D', 'P8D', 'P35D', 'PT1H'] as const
const triesMax = 60
const pauseMs = 1_000

export async function actAll(
  world: World,
  steps: Iterable<Step>,
  atOnce: number,
  isOver: () => boolean = () => false,
): Promise<number> {
  const remaining = steps[Symbol.iterator]()
  let done = 0
  const work = async () => {
    for (let next = remaining.next(); next.done !== true && !isOver(); next = remaining.next()) {
      await act(next.value, world)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return done
}

/**
 * After the last fault, repeats requests without a clear answer, and moves the clock until everything is final.
 * Throws if the gateway does not answer.
 */
export async function drain(world: World, receiver: Receiver): Promise<void> {
  await endFaults(world, receiver)
  for (const again of world.unknownAnswer) await again()
  for (const advance of advances) await moveClock(world, advance)
}

/** Ends all faults, so that rails and receivers answer. */
export async function endFaults(world: World, receiver: Receiver): Promise<void> {
  receiver.behave()
  await untilAnswered(world, 'DELETE', '/sandbox/api/chaos')
}

/** Looks first whether a move without an answer happened, so that the clock does not move twice. */
async function moveClock(world: World, advance: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ advance })
  for (let round = 0; round < triesMax; round++) {
    const answer = await world.wire.send({ method: 'POST', path: '/sandbox/api/clock', headers, body })
    if (answer?.status === 200) return
    await world.wire.pause(pauseMs)
  }
  throw new Error(`the clock could not be moved by ${advance}`)
}

async function untilAnswered(world: World, method: 'GET' | 'DELETE', path: string): Promise<unknown> {
  for (let round = 0; round < triesMax; round++) {
    const answer = await world.wire.send({ method, path })
    if (answer?.status === 200) return parsed(answer.text)
    await world.wire.pause(pauseMs)
  }
  throw new Error(`${method} ${path} is not answered`)
}
