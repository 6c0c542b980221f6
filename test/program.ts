// The program file that tests start.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgramFolder } from '../bin/built-program.ts'

const root = join(import.meta.dirname, '..')
let found: string | undefined

/**
 * The build of the present sources, or else bin/comporta.js. It is found once per process, because the check reads
 * two thousand sources.
 */
export function programFile(): string {
  if (found === undefined) {
    const built = join(builtProgramFolder(), 'cli.js')
    found = existsSync(built) ? built : join(root, 'bin', 'comporta.js')
  }
  return found
}

/** Compiles the build once for all starts, as bin/comporta.js does. */
export const programEnvironment: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'comporta'),
}
