// Long tests and tests of speed: `npm run prove`, on a quiet machine.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installParts, MissingParts } from '../../tools/ha/parts.ts'

const root = join(import.meta.dirname, '..', '..')
const steps: readonly (readonly [command: string, settings: Readonly<Record<string, string>>])[] = [
  // These runs check durations, run crash tests on both databases, and try more cases.
  ['npx vitest run', { PROVE: '1', DATABASES: 'both', PAIRS: 'all', SEEDS: '400', HISTORIES: '2000' }],
  // `npm test` runs the API on PostgreSQL. This run uses the embedded database.
  ['npx vitest run --project spec', { DATABASE: 'pglite' }],
  // The API through HAProxy, with an empty second cell for requests that name nobody.
  ['npx vitest run --project spec', { THROUGH_CELLS: '1' }],
  ['npm run simulate -- --seed 401 --seeds 1000 --operations 200 --jobs 2', {}],
  ['npm run fuzz', {}],
  ['npm run soak -- --minutes 10', {}],
  ['npm run soak -- --ha --minutes 10', {}],
  ['npm run mutate', {}],
  ['npm run mutate -- --sql', {}],
]

const withoutHaproxy = missingParts()

const failed = steps.filter(([command, settings]) => {
  if (settings.THROUGH_CELLS === '1' && withoutHaproxy !== undefined) return false
  const [program = '', ...args] = command.split(' ')
  const line = [...Object.entries(settings).map((one) => one.join('=')), command].join(' ')
  console.log(`\n${line}`)
  const { status } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  })
  if (status !== 0) console.error(`failed: ${line}`)
  return status !== 0
})
if (withoutHaproxy !== undefined)
  console.error(`SKIPPED, and so NOT SHOWN: test/spec through HAProxy: ${withoutHaproxy}`)
process.exitCode = failed.length === 0 ? 0 : 1

function missingParts(): string | undefined {
  try {
    installParts(console.log)
    return undefined
  } catch (error) {
    if (!(error instanceof MissingParts)) throw error
    return error.message
  }
}
