// Takes the guards away one at a time, in a copy of the sources that lies in memory, and sees which tests fail without each.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { withoutGuard } from './guard.ts'
import { guards, type ListedGuard } from './index.ts'
import { openSuite, type Suite } from './suite.ts'

const root = join(import.meta.dirname, '../../..')
const left = new Set(['node_modules', 'dist', 'data', '.git', '.cache'])
const minutesMax = 10
const minute = 60_000

export interface Finding {
  readonly file: string
  readonly text: string
  readonly instead: string
  /** The test that failed, `simulation`, or undefined. */
  readonly noticedBy: string | undefined
  /** Why nothing can notice. */
  readonly unnoticed: string | undefined
}

/** @param wanted a part of the file or the text of the guards that are tried; all where it is absent */
export async function tryGuards(wanted = ''): Promise<readonly Finding[]> {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const copy = mkdtempSync(join(parent, 'comporta-guards-'))
  const findings: Finding[] = []
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) })
    for (const linked of ['node_modules', 'dist']) symlinkSync(join(root, linked), join(copy, linked))
    const suite = await openSuite(copy)
    for (const guard of guards.filter(({ file, text }) => `${file} ${text}`.includes(wanted))) {
      const started = Date.now()
      const finding = await tryGuard(copy, suite, guard)
      findings.push(finding)
      console.log(
        `${finding.noticedBy === undefined ? 'NOT NOTICED' : 'noticed'} ${Math.round((Date.now() - started) / 1000)} s  ${guard.file}: ${guard.text.replace(/\s+/g, ' ')}  ${finding.noticedBy ?? ''}`,
      )
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return findings
}

async function tryGuard(copy: string, suite: Suite, guard: ListedGuard): Promise<Finding> {
  const { file, text, instead = '', unnoticed } = guard
  const source = readFileSync(join(root, file), 'utf8')
  const changed = withoutGuard(source, guard)
  if (changed === undefined) throw new Error(`${file} has no guard ${text}`)
  writeFileSync(join(copy, file), changed)
  try {
    const noticedBy =
      (await suite.firstFailure(
        guard.tests.filter((t) => existsSync(join(copy, t))),
        [join(copy, file)],
      )) ?? (await failingSeed(copy))
    return { file, text, instead, noticedBy, unnoticed }
  } finally {
    writeFileSync(join(copy, file), source)
  }
}

async function failingSeed(copy: string): Promise<string | undefined> {
  const seeds = ['proof/simulation/main.ts', '--seeds', '4', '--operations', '40']
  return (await run(copy, seeds)) === 0 ? undefined : 'simulation'
}

function run(cwd: string, args: readonly string[], more: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, [...args], {
    cwd,
    env: { ...process.env, ...more },
    stdio: 'ignore',
    detached: true,
  })
  return new Promise((resolve) => {
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), minutesMax * minute)
    child.once('exit', (code) => {
      clearTimeout(late)
      resolve(code ?? 1)
    })
  })
}
