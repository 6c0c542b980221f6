// Finds the program files that run during a request, by the coverage counts of Node.
import { join } from 'node:path'
import type { World } from './world.ts'

const root = join(import.meta.dirname, '..')
/** These files run in the background, or only connect modules. */
const background =
  /^src\/(callbacks\/(sending\/|metrics\.ts|store\.ts)|compose(\.ts|\/)|request-log\/|storage\/leases\.ts|wallets\/keys\/callback-secrets\.ts)/

export const inspected = ['--inspect=127.0.0.1:0', 'src/cli.ts', 'serve']

/**
 * The files of `src` that run at every call of `ask`, sorted. Workers in the background run only sometimes, so they
 * drop out.
 */
export async function filesRunBy(world: World, times: number, ask: () => Promise<void>): Promise<string[]> {
  const coverage = await measure(world)
  const runs: Set<string>[] = []
  for (let time = 0; time < times; time++) {
    await coverage.take()
    await ask()
    runs.push(new Set(await coverage.take()))
  }
  coverage.close()
  const [first = new Set<string>(), ...others] = runs
  return [...first]
    .filter((file) => others.every((other) => other.has(file)))
    .filter((file) => file.startsWith('src/') && !background.test(file))
    .sort()
}

interface Coverage {
  take(): Promise<string[]>
  close(): void
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

async function measure(world: World): Promise<Coverage> {
  const address = /ws:\/\/\S+/.exec(world.output())?.[0]
  if (address === undefined) throw new Error(`the inspector did not say where it listens: ${world.output()}`)
  const socket = new WebSocket(address)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  const waiting = new Map<number, (result: { result: readonly ScriptCoverage[] }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
  })
  const ask = (method: string, params: object = {}) =>
    new Promise<{ result: readonly ScriptCoverage[] }>((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const home = `file://${root}/`
  return {
    async take() {
      const { result } = await ask('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => url.startsWith(home))
        .filter(({ functions }) =>
          functions.some(({ ranges: [own] }) => own && own.count > 0 && own.startOffset > 0),
        )
        .map(({ url }) => url.slice(home.length))
    },
    close: () => socket.close(),
  }
}
