// A hash over files by their names and contents: whether what was built of them is still that.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The SHA-256 of all `files`, in the order of their names. */
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
