// Files that other programs read are written whole. Files of other programs are moved aside.
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Randomness, randomBase62 } from './random.ts'

const folderMode = { recursive: true, mode: 0o700 }
const ownerOnly = { mode: 0o600 }

/** The file gets its name only when it is complete and on the disk. `drafted` is called before. */
export async function writeWhole(
  path: string,
  text: string,
  random: Randomness,
  drafted?: () => void,
): Promise<void> {
  const folder = dirname(path)
  const draft = `${path}.${randomBase62(random, 8)}.draft`
  await mkdir(folder, folderMode)
  const handle = await open(draft, 'wx', ownerOnly.mode)
  await synced(handle, () => handle.writeFile(text))
  drafted?.()
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

/**
 * Moves a file into `to` under a free name. `why` goes into a `.txt` file with the same name. If another
 * process has moved the file, nothing happens.
 */
export async function moveAside(folder: string, name: string, to: string, why?: string): Promise<void> {
  const target = join(folder, to)
  await mkdir(target, folderMode)
  const taken = new Set(await readdir(target))
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name}.${count}`
  const explained = join(target, `${free}.txt`)
  if (why !== undefined) await writeFile(explained, `${why}\n`, ownerOnly)
  await rename(join(folder, name), join(target, free)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    const isThere = (await readdir(target)).includes(free)
    if (why !== undefined && !isThere) await rm(explained, { force: true })
  })
}
