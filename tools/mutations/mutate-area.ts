// Runs Stryker over an area, in a copy of the sources that lies in memory.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import type { Area, Part } from '../../proof/mutations/areas.ts'

/** Of each property, for every mutant: a change that matters is seen by one of the first. */
const propertyRuns = '200'

/** A mutant and what became of it. */
export type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

export async function mutateArea({ parts }: Area, wanted: string): Promise<Mutant[]> {
  const mutants: Mutant[] = []
  for (const part of parts.filter(({ sources }) => sources.join(' ').includes(wanted)))
    mutants.push(...(await mutatePart(part)))
  return mutants
}

function mutatePart({ sources, tests, withDatabase = false }: Part): Promise<Mutant[]> {
  process.env.MUTATED_TESTS = JSON.stringify(tests)
  process.env.PROPERTY_RUNS = propertyRuns
  process.env.MUTATED_WITH_DATABASE = String(withDatabase)
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'wording.ts')],
    ignorers: ['wording'],
    mutate: [...sources, '!src/**/*.test.ts'],
    vitest: { configFile: 'proof/mutations/vitest.config.ts', related: false },
    ignorePatterns: ['dist', 'data', '.cache'],
    coverageAnalysis: 'perTest',
    // With a database each mutant of what is computed while loading would cost minutes; SQL is mutated by `--sql`.
    ignoreStatic: withDatabase,
    tempDirName: join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'comporta-mutations'),
    concurrency: 1,
    reporters: [],
    allowConsoleColors: false,
    tsconfigFile: 'none',
    timeoutMS: 10_000,
    warnings: false,
    logLevel: 'error' as never,
  })
  return stryker.runMutationTest()
}
