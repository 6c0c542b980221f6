// What `npm test` runs, for two cores: first what is quick, then the crash tests together with the general ones, because
// those wait for leases to run out most of the time, then what leans on many processes or on a browser.
import { defineConfig } from 'vitest/config'

const second = 1_000

/** How long `expect.poll` waits for what becomes true a little later: a starved machine takes its time. */
const pollTimeoutSeconds = 15

/** Tests outside the general `spec` project, because they need more time or the machine to themselves. */
const ownProjects = ['races', 'crashes', 'browser']

function project(name: string, order: number, workers: number, timeoutSeconds: number, include: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      exclude: ['**/node_modules/**', ...(name === 'spec' ? ownProjects.map((own) => `test/${own}/**`) : [])],
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
      project('unit', 0, 2, 10, [
        '{src,sandbox,drivers,examples}/**/*.test.ts',
        'web/**/*.test.ts',
        'tools/**/*.test.ts',
      ]),
      project('spec', 1, 3, 30, ['test/**/*.test.ts']),
      project('crashes', 1, 3, 120, ['test/crashes/**/*.test.ts']),
      project('races', 2, 2, 60, ['test/races/**/*.test.ts']),
      project('browser', 2, 2, 120, ['test/browser/**/*.test.ts']),
    ],
  },
})
