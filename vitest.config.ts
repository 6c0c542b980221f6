// What `npm test` runs: five projects that follow one another, so that two cores are enough for all of them.
import { defineConfig } from 'vitest/config'

const second = 1_000

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
      hookTimeout: 2 * timeoutSeconds * second,
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
    reporters: process.env.TEST_RESULTS === undefined ? ['default'] : ['default', 'json'],
    outputFile: { json: process.env.TEST_RESULTS ?? '' },
    projects: [
      project('unit', 0, 2, 10, ['src/**/*.test.ts', 'web/**/*.test.ts', 'tools/**/*.test.ts']),
      project('spec', 1, 2, 30, ['test/**/*.test.ts']),
      project('races', 2, 2, 60, ['test/races/**/*.test.ts']),
      project('crashes', 3, 1, 120, ['test/crashes/**/*.test.ts']),
      project('browser', 4, 1, 120, ['test/browser/**/*.test.ts']),
    ],
  },
})
