// The simulator: two hundred seeds agree, a seed is the same wherever it is run, and what fails can be run again by one line.
import { fork } from 'node:child_process'
import { expect, it } from 'vitest'
import type { Report } from './job.ts'
import { type Options, readOptions, replayLine } from './options.ts'
import { simulationPlan } from './plan.ts'

interface Found {
  /** Of each seed, by its number. */
  readonly traces: Map<number, string>
  readonly failures: string[]
}

/** What job `number` reports of its share of the seeds. */
async function run(asked: Partial<Options>, number = 0): Promise<Found> {
  const all = { seeds: 1, seed: 1, operations: 15, jobs: 1, trace: false, ...asked }
  const job = fork(new URL('./job.ts', import.meta.url), [JSON.stringify(all), String(number)], {
    execArgv: [],
  })
  const found: Found = { traces: new Map(), failures: [] }
  job.on('message', (report: Report) => {
    if (report.kind === 'failure') found.failures.push(report.text)
    else found.traces.set(report.seed, report.trace)
  })
  expect(await new Promise((resolve) => job.once('exit', resolve))).toBe(0)
  return found
}

// The same seeds each time: what fails here was broken by a change.
it('agrees on two hundred seeds, and each is the same whatever was run before', async () => {
  const both = await Promise.all([0, 1].map((number) => run({ seeds: 200, jobs: 2 }, number)))
  expect(both.flatMap(({ failures }) => failures)).toEqual([])
  const traces = new Map(both.flatMap((found) => [...found.traces]))
  expect(traces.size).toBe(200)
  expect(new Set(traces.values()).size).toBe(200)
  const alone = await run({ seed: 150, seeds: 2 })
  expect(alone.traces).toEqual(new Map([150, 151].map((seed) => [seed, traces.get(seed)])))
}, 900_000)

it('keeps the lines that are named, each as it was in the whole plan', () => {
  const whole = simulationPlan(7, 100)
  expect(whole.length).toBeGreaterThan(100)
  expect(simulationPlan(7, 100, [3, 50])).toEqual([whole[3], whole[50]])
})

it('reads the line that it prints', () => {
  const line = replayLine(17, 40, [2, 30])
  const options = readOptions(line.replace('npm run simulate -- ', '').split(' '))
  expect(options).toMatchObject({ seed: 17, seeds: 1, operations: 40, keep: [2, 30] })
})

it.each([
  [['--seeds', '0'], '--seeds must be a whole number from 1, not "0"'],
  [['--keep', '1,x'], '--keep must be a whole number from 0, not "x"'],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
