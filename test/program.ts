// The program as tests start it, many hundred times in a run: where it was built, the build is named rather than looked for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgramFolder } from '../bin/built-program.ts'

const root = join(import.meta.dirname, '..')
let found: string | undefined

/**
 * What Node runs as `comporta`: the build of these sources, else bin/comporta.js, which runs the sources. The latter
 * reads all two thousand of them to find out which it is; here that is done once in each process.
 */
export function programFile(): string {
  if (found === undefined) {
    const built = join(builtProgramFolder(), 'cli.js')
    found = existsSync(built) ? built : join(root, 'bin', 'comporta.js')
  }
  return found
}

/** Has the build compiled once for all starts, as bin/comporta.js does. */
export const programEnvironment: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'comporta'),
}
