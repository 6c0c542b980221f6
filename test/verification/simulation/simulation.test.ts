// The simulator repeats a seed exactly, and prints the line that repeats a failure.
import { fork } from 'node:child_process'
import { expect, it } from 'vitest'
import { createEmptyPostgresDatabase } from '../../database.ts'
import { judgesTimes } from '../../patience.ts'
import type { Report } from './job.ts'
import { prepareDatabase } from './machine/server.ts'
import { type Options, readOptions, replayLine } from './options.ts'
import { simulationPlan } from './plan.ts'

interface Found {
  readonly traces: Map<number, string>
  readonly failures: string[]
}

/** Runs the seeds of job `number` and collects its reports. With `url` it uses PostgreSQL. */
async function run(asked: Partial<Options>, number = 0, url?: string): Promise<Found> {
  const all = {
    seeds: 1,
    seed: 1,
    operations: 15,
    jobs: 1,
    trace: false,
    postgres: url !== undefined,
    ...asked,
  }
  const args = [JSON.stringify(all), String(number), ...(url === undefined ? [] : [url])]
  const job = fork(new URL('./job.ts', import.meta.url), args, { execArgv: [] })
  const found: Found = { traces: new Map(), failures: [] }
  job.on('message', (report: Report) => {
    if (report.kind === 'failure') found.failures.push(report.text)
    else found.traces.set(report.seed, report.trace)
  })
  expect(await new Promise((resolve) => job.once('exit', resolve))).toBe(0)
  return found
}

// The seeds are always the same, so a new failure comes from a change. `npm run prove` runs more.
const seeds = Number(process.env.SEEDS ?? 16)

it('passes its seeds, and each is the same after any others', async () => {
  const both = await Promise.all([0, 1].map((number) => run({ seeds, jobs: 2 }, number)))
  expect(both.flatMap(({ failures }) => failures)).toEqual([])
  const traces = new Map(both.flatMap((found) => [...found.traces]))
  expect(traces.size).toBe(seeds)
  expect(new Set(traces.values()).size).toBe(seeds)
  const alone = await run({ seed: 9, seeds: 2 })
  expect(alone.traces).toEqual(new Map([9, 10].map((seed) => [seed, traces.get(seed)])))
})

it('passes on PostgreSQL, and a seed is the same there too', async () => {
  const onPostgres = async (asked: Partial<Options>) => {
    const url = await createEmptyPostgresDatabase()
    await prepareDatabase(url)
    return run(asked, 0, url)
  }
  const some = await onPostgres({ seeds: 2 })
  expect(some.failures).toEqual([])
  // On a busy machine the timing of the server changes, so only a quiet machine repeats a seed exactly.
  if (!judgesTimes) return
  const alone = await onPostgres({ seed: 2 })
  expect(alone.traces).toEqual(new Map([[2, some.traces.get(2)]]))
}, 1_800_000)

it('keeps the lines that are named, each as it was in the whole plan', () => {
  const whole = simulationPlan(7, 100)
  expect(whole.length).toBeGreaterThan(100)
  expect(simulationPlan(7, 100, [3, 50])).toEqual([whole[3], whole[50]])
})

it('reads the line that it prints', () => {
  const line = replayLine({ operations: 40, postgres: false }, 17, [2, 30])
  const options = readOptions(line.replace('npm run simulate -- ', '').split(' '))
  expect(options).toMatchObject({ seed: 17, seeds: 1, operations: 40, keep: [2, 30] })
})

it.each([
  [['--seeds', '0'], '--seeds must be a whole number from 1, not "0"'],
  [['--keep', '1,x'], '--keep must be a whole number from 0, not "x"'],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
