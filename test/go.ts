// Programs in Go for tests, built once per version.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * The path of a program such as `github.com/stripe/stripe-mock@v0.203.0`. Without Go or a module proxy it warns and
 * returns undefined.
 */
export function goProgram(module: string): string | undefined {
  const [path = '', version = ''] = module.split('@')
  const program = join(tmpdir(), 'comporta-go', `${basename(path)}-${version}`)
  if (existsSync(program)) return program
  const draft = join(tmpdir(), 'comporta-go', `draft-${randomUUID()}`)
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    // Uses the installed Go, and does not download a newer one.
    const env = { ...process.env, GOBIN: draft, GOTOOLCHAIN: 'local', GOFLAGS: '' }
    execFileSync('go', ['install', module], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 180_000 })
    renameSync(join(draft, basename(path)), program)
    return program
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: tests that need Go with ${module}: ${reason}\n\n`)
    return undefined
  }
}
