// Removes one guard at a time, and runs the tests, which must fail.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { withoutGuard } from './guard.ts'
import { guards, type ListedGuard } from './index.ts'
import { openSuite, type Suite } from './suite.ts'

const root = join(import.meta.dirname, '../../../..')
const left = new Set(['node_modules', 'dist', 'data', '.git', '.cache'])
const minutesMax = 10
const minute = 60_000

export interface Finding {
  readonly file: string
  readonly text: string
  readonly instead: string
  readonly noticedBy: string | undefined
  readonly unnoticed: string | undefined
}

/**
 * @param wanted parts of file names or of guards, with commas between them; if empty, all guards
 * @param seeds number of seeds of the simulation to run if no test notices
 */
export async function tryGuards(wanted: string, seeds: number): Promise<readonly Finding[]> {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const copy = mkdtempSync(join(parent, 'comporta-guards-'))
  const isWanted = ({ file, text }: ListedGuard) =>
    wanted.split(',').some((part) => `${file} ${text}`.includes(part))
  let suite: Suite | undefined
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) })
    for (const linked of ['node_modules', 'dist']) symlinkSync(join(root, linked), join(copy, linked))
    suite = await openSuite(copy)
    const findings: Finding[] = []
    // If a seed failed without any change, it would seem to notice every guard.
    if ((await failingSeed(copy, seeds)) !== undefined)
      throw new Error(`a seed of the ${seeds} fails without any change. Fix it, or use --seeds 0`)
    for (const guard of guards.filter(isWanted)) {
      findings.push(await tryGuard(copy, suite, guard, seeds))
      console.log(lineOf(findings.at(-1)))
    }
    return findings
  } finally {
    await suite?.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

function lineOf(finding: Finding | undefined): string {
  const { file = '', text = '', noticedBy, unnoticed } = finding ?? {}
  const outcome = noticedBy ?? (unnoticed === undefined ? 'NOT NOTICED' : `not noticed: ${unnoticed}`)
  return `${file}: ${text.replace(/\s+/g, ' ')}\n  ${outcome}`
}

async function tryGuard(copy: string, suite: Suite, guard: ListedGuard, seeds: number): Promise<Finding> {
  const { file, text, instead = '', unnoticed } = guard
  const source = readFileSync(join(root, file), 'utf8')
  const changed = withoutGuard(source, guard)
  if (changed === undefined) throw new Error(`${file} has no guard ${text}`)
  const write = (content: string) => {
    writeFileSync(join(copy, file), content)
    suite.changed(join(copy, file))
  }
  const tests = await suite.passing(guard.tests)
  write(changed)
  try {
    const noticedBy = (await suite.firstFailure(tests)) ?? (await failingSeed(copy, seeds))
    return { file, text, instead, noticedBy, unnoticed }
  } finally {
    write(source)
  }
}

async function failingSeed(copy: string, seeds: number): Promise<string | undefined> {
  if (seeds === 0) return undefined
  const simulation = ['test/verification/simulation/main.ts', '--seeds', String(seeds), '--operations', '40']
  return (await run(copy, simulation)) === 0 ? undefined : 'simulation'
}

/** The exit code. Rejects if the process was killed, for example by a time-out, because that shows nothing. */
function run(cwd: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...args], { cwd, stdio: 'ignore', detached: true })
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), minutesMax * minute)
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      if (code === null)
        reject(new Error(`${args[0]} was ended by ${signal}, after at most ${minutesMax} minutes`))
      else resolve(code)
    })
  })
}
