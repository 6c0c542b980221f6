// Folder of the bundled program, which starts three times as fast as its sources.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))

/**
 * The folder of the build of these very sources. It exists only for the present sources: an edited or checked-out file never runs in an old form. Each state of the sources has its own folder, so a starting process still finds its files after the next build.
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
