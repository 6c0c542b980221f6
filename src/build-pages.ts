// Builds the backoffice and the guides if the gateway runs from its sources.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './kernel/project-root.ts'

const builder = join(projectRoot, 'tools', 'build-web.ts')
const bundler = join(projectRoot, 'node_modules', 'vite')

/** Builds the pages only if npm started the gateway: otherwise the folder may be read-only. */
export function buildPages(): void {
  const isNpmStart = process.env.npm_lifecycle_event === 'start'
  if (!isNpmStart || !existsSync(builder) || !existsSync(bundler)) return
  const child = spawn(process.execPath, [builder, '--if-stale'], {
    cwd: projectRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  child.once('error', (error) => process.stderr.write(`The pages are not built: ${error.message}\n`))
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
  process.once('exit', () => child.kill())
}
