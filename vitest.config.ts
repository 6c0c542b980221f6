// The projects of `npm test`, in two groups one after the other.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { patienceSeconds } from './test/patience.ts'

// Each worker process reads some thousand sources: their compiled form is kept.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'comporta-tests')

/** Tests of the API that start gateways as processes, or a browser: `npm run test:fast` leaves them out. */
const slowSpecs = ['running', 'secrets', 'api-reference'].map((name) => `test/spec/${name}.test.ts`)

/** Folders of tests that have projects of their own. */
const apart = ['spec', 'cli', 'crashes', 'races', 'browser', 'sdk', 'docs', 'verification']

/** Tests of `test/verification` that start processes. */
const simulation = 'test/verification/simulation/simulation.test.ts'
const fuzz = 'test/verification/fuzz/fuzz.test.ts'
const verification = ['model', 'soak'].map((name) => `test/verification/${name}.test.ts`)

/** Tests that need the packages of tools/package.json, which `npm run checks` installs: `npm test` does without them. */
const gate = 'tools/gate/**/*.test.ts'
const hasTools = existsSync(join(import.meta.dirname, 'tools', 'node_modules', '.installed'))

/** @param order its group; projects of the same one share `workers` processes */
function project(name: string, order: number, workers: number, include: readonly string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [
        '**/node_modules/**',
        ...(name === 'modules' ? apart.map((folder) => `test/${folder}/**`) : []),
        ...(name === 'unit' ? [simulation, fuzz, gate] : []),
        ...(name === 'spec' ? slowSpecs : []),
      ],
      maxWorkers: workers,
      sequence: { groupOrder: order },
    },
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // Node loads the sources, without a transform by Vite.
    experimental: { viteModuleRunner: false },
    // Files share a few processes: each process loads the sources once.
    isolate: false,
    // V8 compiles the embedded database quickly rather than well; an error names its caller behind many layers.
    execArgv: ['--liftoff-only', '--stack-trace-limit=40'],
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 2 * patienceSeconds * 1000,
    hookTimeout: 2 * patienceSeconds * 1000,
    expect: { poll: { timeout: patienceSeconds * 1000 } },
    // One real PostgreSQL for the whole run: every project inherits its address.
    globalSetup: ['./test/global-setup.ts'],
    setupFiles: ['./test/left-behind.ts'],
    reporters: ['default', ...(process.env.TEST_RESULTS === undefined ? [] : ['json'])],
    outputFile: { json: process.env.TEST_RESULTS ?? '' },
    projects: [
      // Crash tests wait for leases: other files use the processors meanwhile.
      project('crashes', 0, 5, ['test/crashes/*.test.ts', simulation]),
      project('modules', 0, 5, ['test/**/*.test.ts']),
      project('programs', 0, 5, [...slowSpecs, fuzz, 'test/{cli,sdk,docs}/**/*.test.ts', ...verification]),
      project('spec', 0, 5, ['test/spec/**/*.test.ts']),
      project('unit', 0, 5, [
        '{src,client,sandbox,drivers,examples,sdk,web,tools}/**/*.test.ts',
        'test/verification/*/**/*.test.ts',
        'test/verification/chance.test.ts',
      ]),
      ...(hasTools ? [project('gate', 0, 5, [gate])] : []),
      // After the crash tests: it lists the crash points that none of them reached.
      project('races', 1, 4, ['test/{races,crashes/reached}/**/*.test.ts']),
      project('browser', 1, 4, ['test/browser/**/*.test.ts']),
    ],
  },
})
