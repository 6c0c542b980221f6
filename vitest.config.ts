// Projects of `npm test`, in two groups one after the other.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { patienceSeconds } from './test/patience.ts'

// Each worker reads some thousand sources; Node keeps their compiled form.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'comporta-tests')

/** Tests of the API that start processes or a browser; `npm run test:fast` skips them. */
const slowSpecs = ['running', 'secrets', 'api-reference'].map((name) => `test/spec/${name}.test.ts`)

const apart = ['spec', 'cli', 'crashes', 'races', 'browser', 'sdk', 'docs', 'verification']

/** Tests of `test/verification` that start processes. */
const simulation = 'test/verification/simulation/simulation.test.ts'
const fuzz = 'test/verification/fuzz/fuzz.test.ts'
const verification = ['model', 'soak'].map((name) => `test/verification/${name}.test.ts`)

/** Tests that need tools/package.json; `npm run checks` runs them. */
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
    // Each process loads the sources once, so files share a few processes.
    isolate: false,
    // V8 compiles the embedded database quickly. An error names its caller behind many layers.
    execArgv: ['--liftoff-only', '--stack-trace-limit=40'],
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 2 * patienceSeconds * 1000,
    hookTimeout: 2 * patienceSeconds * 1000,
    expect: { poll: { timeout: patienceSeconds * 1000 } },
    globalSetup: ['./test/global-setup.ts'],
    setupFiles: ['./test/left-behind.ts'],
    reporters: ['default', ...(process.env.TEST_RESULTS === undefined ? [] : ['json'])],
    outputFile: { json: process.env.TEST_RESULTS ?? '' },
    projects: [
      // Crash tests wait for leases, and other files use the processors meanwhile.
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
      // After the crash tests, because it lists the crash points that they never reached.
      project('races', 1, 4, ['test/{races,crashes/reached}/**/*.test.ts']),
      project('browser', 1, 4, ['test/browser/**/*.test.ts']),
    ],
  },
})
