// Makes `npx comporta` work in a clone: npm links the commands of dependencies only, never the project's own.
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules', '.bin')
const command = join(root, 'bin', 'comporta.js')

// An install never fails for want of a convenience: the command also runs as `node bin/comporta.js`.
if (existsSync(folder) && existsSync(command)) {
  try {
    chmodSync(command, 0o755)
    rmSync(join(folder, 'comporta'), { force: true })
    symlinkSync(join('..', '..', 'bin', 'comporta.js'), join(folder, 'comporta'))
  } catch (error) {
    console.warn(`npx comporta is not linked (${error instanceof Error ? error.message : error})`)
  }
}
