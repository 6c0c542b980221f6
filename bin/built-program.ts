// Where the program lies when it was built into few files, which start in a third of the time that its sources take.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))

/**
 * The folder of the build of these very sources. It is there only if they were built since they last changed: what is
 * edited, or checked out, is never run as it was before. Each state of the sources has a folder of its own, so that a
 * process that is starting still finds its files when the next were built.
 */
export function builtProgramFolder(root = project): string {
  const hash = createHash('sha256')
  const sources = ['src', 'client', 'sandbox', 'drivers', 'examples', join('sdk', 'src')]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const path of [...sources, join(root, 'package-lock.json'), join(root, 'tools', 'build-program.ts')]) {
    const content = readFileSync(path)
    hash.update(`${relative(root, path)}\0${content.length}\0`).update(content)
  }
  return join(root, 'dist', 'program', hash.digest('hex').slice(0, 16))
}
