// Files that appear complete or not at all, also after a crash of the machine.
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Randomness, randomBase62 } from './random.ts'

/** Creates the folder if needed. The file gets its name only when it is complete and on the disk. */
export async function writeWholeFile(path: string, text: string, random: Randomness): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBase62(random, 8)}.draft`
  const handle = await open(draft, 'wx', 0o600)
  await synced(handle, () => handle.writeFile(text))
  await rename(draft, path)
  await synced(await open(folder))
}

async function synced(handle: FileHandle, write?: () => Promise<void>): Promise<void> {
  try {
    await write?.()
    await handle.sync()
  } finally {
    await handle.close()
  }
}
