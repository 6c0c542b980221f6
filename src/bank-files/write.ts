// Writing files for the bank; a crash only repeats the same file.
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../kernel/crash-points.ts'
import { newId, randomBase62 } from '../kernel/random.ts'
import { toTimestamp } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { CreditorAccount } from '../rails/index.ts'
import type { Executor } from '../storage/index.ts'
import type { BankFile, OrderKind } from './model.ts'
import { formatOf, renderFile } from './pain.ts'
import { gatherFile, isWrittenFile, listOrders, lockUnwrittenFile, markWritten } from './store.ts'

export interface BankFilesDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly creditor: CreditorAccount
  readonly folder: string
}

export interface WrittenFile extends BankFile {
  readonly path: string
}

/** Banks reject larger files, and people cannot check them. */
const ordersPerFileMax = 5000
const kinds: readonly OrderKind[] = ['collection', 'transfer']

/** Writes files for all waiting orders, and files left unwritten by a crash; oldest first. */
export async function writeBankFiles(deps: BankFilesDeps): Promise<WrittenFile[]> {
  for (const kind of kinds)
    while ((await gather(deps, kind)) !== undefined) crashPoint('bank file gathered, not written')
  const written: WrittenFile[] = []
  for (;;) {
    const next = await deps.database.transaction(async (tx) => {
      const file = await lockUnwrittenFile(tx)
      return file && writeFile(deps, tx, file)
    })
    if (next === undefined) return written
    written.push(next)
  }
}

function gather(
  { database, clock, random, creditor }: BankFilesDeps,
  kind: OrderKind,
): Promise<BankFile | undefined> {
  const createdAt = clock.now()
  const id = newId(createdAt, random)
  const moment = toTimestamp(createdAt).slice(0, 19).replaceAll(/[-:]/g, '')
  // The id ends with random characters, so names in the same second differ.
  const format = formatOf(kind, creditor.formats)
  const name = `${format}-${moment}-${id.slice(-8)}.xml`
  return gatherFile(database, { id, kind, name, createdAt, format }, ordersPerFileMax)
}

/** The file gets its name only when it is complete and on the disk. */
async function writeFile(deps: BankFilesDeps, tx: Executor, file: BankFile): Promise<WrittenFile> {
  const { clock, random, creditor, folder } = deps
  const text = renderFile(file, await listOrders(tx, file.id), creditor)
  const path = join(folder, file.name)
  const draft = `${path}.${randomBase62(random, 8)}.draft`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const handle = await open(draft, 'wx', 0o600)
  await synced(handle, () => handle.writeFile(text))
  crashPoint('bank file drafted, not named')
  await rename(draft, path)
  await synced(await open(folder))
  crashPoint('bank file named, not marked')
  await markWritten(tx, file.id, clock.now())
  return { ...file, path }
}

/** The content of a written file; undefined if it is unknown or the bank has removed it. */
export async function readWrittenFile(
  { database, folder }: Pick<BankFilesDeps, 'database' | 'folder'>,
  name: string,
): Promise<string | undefined> {
  // Only names of our files are read from the disk.
  if (!(await isWrittenFile(database, name))) return undefined
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function synced(handle: FileHandle, write?: () => Promise<void>): Promise<void> {
  try {
    await write?.()
    await handle.sync()
  } finally {
    await handle.close()
  }
}
