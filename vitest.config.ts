// What `npm test` runs, for two cores: first the crash tests, those of modules and of the API, and the quick ones behind
// them, four files at a time because most of them wait for timers and other processes; then what leans on many processes
// or on a browser.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const second = 1_000

/** How long `expect.poll` waits for what becomes true a little later: a starved machine takes its time. */
const pollTimeoutSeconds = 15

/** Folders of tests that speak to gateways in processes of their own; the other folders run our modules themselves. */
const outside = ['spec', 'cli', 'crashes', 'races', 'browser', 'sdk', 'docs', 'proof']

/** It needs both cores for a minute, which the crash tests mostly leave: they wait for leases. */
const simulation = 'proof/simulation/simulation.test.ts'

/** Tests that need the packages of tools/package.json, which `npm run checks` installs: `npm test` does without them. */
const gate = 'tools/gate/**/*.test.ts'
const hasTools = existsSync(join(import.meta.dirname, 'tools', 'node_modules', '.installed'))

function project(name: string, order: number, workers: number, timeoutSeconds: number, include: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      // Files share a few processes, but for those that leave something of our modules behind (docs/decisions/0094).
      isolate: name === 'modules',
      restoreMocks: true,
      unstubEnvs: true,
      // The embedded database is compiled quickly rather than well, as in the gateways that tests start.
      execArgv: ['--liftoff-only'],
      exclude: [
        '**/node_modules/**',
        ...(name === 'unit' ? [simulation, gate] : []),
        ...(name === 'modules' ? outside.map((folder) => `test/${folder}/**`) : []),
      ],
      testTimeout: timeoutSeconds * second,
      hookTimeout: 4 * timeoutSeconds * second,
      expect: { poll: { timeout: Math.min(pollTimeoutSeconds, timeoutSeconds / 2) * second } },
      maxWorkers: workers,
      sequence: { groupOrder: order },
    },
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // One real PostgreSQL for the whole run: every project inherits its address.
    globalSetup: ['./test/global-setup.ts'],
    reporters: ['default', ...(process.env.TEST_RESULTS === undefined ? [] : ['json'])],
    outputFile: { json: process.env.TEST_RESULTS ?? '' },
    projects: [
      project('crashes', 0, 5, 120, ['test/crashes/*.test.ts', simulation]),
      project('modules', 0, 5, 30, ['test/**/*.test.ts']),
      project('spec', 0, 5, 30, ['test/{spec,cli,sdk,docs,proof}/**/*.test.ts']),
      project('unit', 0, 5, 10, [
        '{src,sandbox,drivers,examples,sdk,proof}/**/*.test.ts',
        'web/**/*.test.ts',
        'tools/**/*.test.ts',
      ]),
      ...(hasTools ? [project('gate', 0, 5, 30, [gate])] : []),
      // After the crash tests: what of them was not reached.
      project('races', 1, 4, 60, ['test/{races,crashes/reached}/**/*.test.ts']),
      project('browser', 1, 4, 120, ['test/browser/**/*.test.ts']),
    ],
  },
})
