// The simulated network between clients and processes, which loses requests and answers.
import type { Receiver } from '../world/receiver.ts'
import type { Wire } from '../world/wire.ts'
import type { Receive } from './machine/posts.ts'
import { owners, type VirtualTime } from './machine/time.ts'
import { Life } from './processes/life.ts'
import type { Pool } from './processes/pool.ts'
import type { World } from './world.ts'

export const receiverOrigin = 'http://receiver.invalid'

const onTheWayMsMax = 30
/** If a process is suspended, its client waits this long and then tries again. */
const patienceMs = 30_000
/** Half of the requests are fast, so that two that start together often share a statement. */
const quickLikelihood = 0.5
const quickMsMax = 3
const lostLikelihood = 0.02

export function wireTo(
  pool: Pool,
  world: World,
  baseUrl: string,
  onFault: (fault: Error) => void,
): Wire & { readonly requests: number } {
  const { time } = world
  let requests = 0
  const isLost = () => !world.calm && time.chance.happens(lostLikelihood)
  return {
    baseUrl,
    get requests() {
      return requests
    },
    pause: (milliseconds) => time.pause(milliseconds),
    async send({ method, path, headers = {}, body }) {
      requests += 1
      // A lost request can arrive within a day, unless the clock jumps.
      if (method === 'POST' && path === '/sandbox/api/clock')
        await time.pause(Math.max(0, world.heldUntil - time.elapsed))
      await onTheWay(time)
      const to = pool.pick()
      if (to === undefined || isLost()) return undefined
      const { life, app } = to
      world.trace('world', method, path)
      const asked = { method, url: path, headers: { host: 'gateway.invalid', ...headers } }
      // The request starts only when its result is awaited, so this awaits it inside the life of the process.
      const injected = life.within(async () => {
        await life.whenAwake()
        return app.inject({ ...asked, ...(body === undefined ? {} : { payload: body }) })
      })
      const answer = await Promise.race([
        life.orDeath(injected).catch(() => undefined),
        time.pause(patienceMs).then(() => undefined),
      ])
      world.trace('world', `answer ${answer?.statusCode ?? 'none'}`, answer?.body ?? path)
      // The pages of the sandbox send notices of rails, which the simulation can lose.
      const isExcused = world.faulty && path.startsWith('/sandbox/')
      if (answer?.statusCode === 500 && !isExcused)
        onFault(new Error(`${method} ${path} is answered 500: ${answer.body}`))
      await onTheWay(time)
      if (answer === undefined || isLost()) return undefined
      return { status: answer.statusCode, headers: textsOf(answer.headers), text: answer.body }
    },
  }
}

function onTheWay(time: VirtualTime): Promise<void> {
  const { chance } = time
  return time.pause(chance.below(chance.happens(quickLikelihood) ? quickMsMax : onTheWayMsMax))
}

/** If a header is there several times, its values become one text with line breaks. */
function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join('\n') : String(value),
    ]),
  )
}

export function postsTo(receiver: Receiver, world: World): Receive {
  const { time } = world
  const isCut = () => !world.calm && time.chance.happens(lostLikelihood)
  return async ({ url, headers, body }) => {
    const life = owners.getStore()
    if (!(life instanceof Life)) throw new Error('a callback is posted by nobody')
    return life.ask('post', url, () =>
      owners.run(undefined, async () => {
        await onTheWay(time)
        if (isCut()) return 'cut'
        const reply = receiver.receive(new URL(url).pathname, headers, body)
        world.trace('receiver', String(reply), body)
        await onTheWay(time)
        if (reply === 'cut' || isCut()) return 'cut'
        return reply === 'hang' ? undefined : { status: reply }
      }),
    )
  }
}

export function fetchesOver(wire: Wire) {
  return async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
  ) => {
    const { pathname, search } = new URL(url)
    const request = { method: method as 'POST', path: pathname + search, headers, body }
    const answer = await owners.run(undefined, () => wire.send(request))
    if (answer === undefined) throw new TypeError('fetch failed')
    return new Response(answer.text, { status: answer.status })
  }
}
