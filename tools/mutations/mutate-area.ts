// Runs Stryker on one area, with a copy of the sources in memory.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import type { Area } from '../../test/verification/mutations/areas.ts'

const propertyRuns = '200'

/**
 * Prints the changes that no test noticed, and the score. The exit code is 1 if the score is below the minimum of the
 * area.
 * @param only part of the paths to change; the score is then not compared
 */
export async function mutateArea(area: Area, only: string): Promise<void> {
  const { sources, tests, withDatabase = false, scoreMin } = area
  const mutate = sources.filter((source) => source.includes(only))
  if (mutate.length === 0) return
  process.env.MUTATED_TESTS = JSON.stringify(tests)
  process.env.PROPERTY_RUNS = propertyRuns
  process.env.MUTATED_WITH_DATABASE = String(withDatabase)
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/*', join(import.meta.dirname, 'wording.ts')],
    ignorers: ['wording'],
    mutate: [...mutate, '!src/**/*.test.ts'],
    vitest: { configFile: 'test/verification/mutations/vitest.config.ts', related: false },
    ignorePatterns: ['dist', 'data', '.cache'],
    coverageAnalysis: 'perTest',
    // With a database, a change of code that runs only once would take minutes. `--sql` changes SQL instead.
    ignoreStatic: withDatabase,
    tempDirName: join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'comporta-mutations'),
    concurrency: 1,
    thresholds: { high: 100, low: scoreMin, break: only === '' ? scoreMin : null },
    reporters: ['clear-text'],
    clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false, skipFull: true },
    allowConsoleColors: false,
    tsconfigFile: 'none',
    timeoutMS: 10_000,
    warnings: false,
    logLevel: 'error' as never,
  })
  await stryker.runMutationTest()
}
