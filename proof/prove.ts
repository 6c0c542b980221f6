// `npm run prove`: what takes too long for a gate, or judges how long things take. It needs a quiet machine for hours.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const npx = (...args: readonly string[]) => ['npx', ...args] as const

/** Commands with their settings. */
const steps: readonly (readonly [command: readonly string[], settings: Readonly<Record<string, string>>])[] =
  [
    // Times are judged, crash tests run on both databases, properties and histories run with more cases.
    [npx('vitest', 'run'), { PROVE: '1', DATABASES: 'both', PAIRS: 'all', SEEDS: '400', HISTORIES: '2000' }],
    // The tests of the API on the embedded database; `npm test` has them on PostgreSQL.
    [npx('vitest', 'run', '--project', 'spec'), { DATABASE: 'pglite' }],
    [
      [
        'npm',
        'run',
        'simulate',
        '--',
        '--seed',
        '401',
        '--seeds',
        '1000',
        '--operations',
        '200',
        '--jobs',
        '2',
      ],
      {},
    ],
    [['npm', 'run', 'fuzz'], {}],
    [['npm', 'run', 'soak', '--', '--minutes', '10'], {}],
    [['npm', 'run', 'mutate'], {}],
    [['npm', 'run', 'mutate', '--', '--sql'], {}],
  ]

const failed = steps.filter(([[program = '', ...args], settings]) => {
  const line = [...Object.entries(settings).map((one) => one.join('=')), program, ...args].join(' ')
  console.log(`\n${line}`)
  const { status } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  })
  if (status !== 0) console.error(`failed: ${line}`)
  return status !== 0
})
process.exitCode = failed.length === 0 ? 0 : 1
