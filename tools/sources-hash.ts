// A hash over files, which shows whether a build is up to date.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export async function sourcesHash(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const content = await readFile(file)
    hash.update(`${file}\0`).update(content).update('\0')
  }
  return hash.digest('hex')
}
