// The simulator: a seed is the same wherever it is run, and what fails can be run again by one line.
import { fork } from 'node:child_process'
import { expect, it } from 'vitest'
import type { Report } from './job.ts'
import { type Options, readOptions, replayLine } from './options.ts'
import { simulationPlan } from './plan.ts'

/** What a job reports of seeds, by their number. */
async function tracesOf(options: Partial<Options>): Promise<Map<number, string>> {
  const all = { seeds: 1, seed: 1, operations: 12, jobs: 1, trace: false, ...options }
  const job = fork(new URL('./job.ts', import.meta.url), [JSON.stringify(all), '0'], { execArgv: [] })
  const traces = new Map<number, string>()
  const failures: string[] = []
  job.on('message', (report: Report) => {
    if (report.kind === 'failure') failures.push(report.text)
    else traces.set(report.seed, report.trace)
  })
  expect(await new Promise((resolve) => job.once('exit', resolve))).toBe(0)
  expect(failures).toEqual([])
  return traces
}

it('finds the same order of the same things at the same times, whatever was run before', async () => {
  const [together, alone] = await Promise.all([
    tracesOf({ seed: 1, seeds: 4 }),
    tracesOf({ seed: 3, seeds: 2 }),
  ])
  expect(together.size).toBe(4)
  expect(new Set(together.values()).size).toBe(4)
  expect(alone.get(3)).toBe(together.get(3))
  expect(alone.get(4)).toBe(together.get(4))
}, 240_000)

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
