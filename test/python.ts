// Python packages for tests, in cached virtual environments.
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A Python with packages such as `sepaxml==2.7.0`. Without Python 3 or a package index it warns and returns
 * undefined.
 */
export function pythonWith(packages: readonly string[]): string | undefined {
  const hash = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `comporta-python-${hash}`)
  const python = join(folder, 'bin', 'python')
  // This file is written last, so an environment without it is incomplete.
  const whole = join(folder, 'complete')
  if (existsSync(whole)) return python
  try {
    rename(folder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    run('python3', ['-m', 'venv', folder])
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])
    writeFileSync(whole, '')
    return python
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    process.stderr.write(
      `\nSKIPPED, and so NOT SHOWN: tests that need Python 3 with ${packages.join(', ')}: ${reason}\n\n`,
    )
    return undefined
  }
}

function rename(folder: string): void {
  if (!existsSync(folder)) return
  const away = `${folder}-${randomUUID()}`
  renameSync(folder, away)
  rmSync(away, { recursive: true, force: true })
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 180_000 })
}
