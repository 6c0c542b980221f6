// Hash over files, to see whether a build is up to date.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export async function sourcesHash(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(file))
      .update('\0')
  }
  return hash.digest('hex')
}
