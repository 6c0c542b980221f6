// Writes files for the bank. After a crash the same file is written again.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../kernel/crash-points.ts'
import { writeWhole } from '../kernel/files.ts'
import { newId } from '../kernel/random.ts'
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

/** Writes files for all waiting orders, and files that a crash left unwritten, oldest first. */
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

async function writeFile(deps: BankFilesDeps, tx: Executor, file: BankFile): Promise<WrittenFile> {
  const { clock, random, creditor, folder } = deps
  const path = join(folder, file.name)
  const text = renderFile(file, await listOrders(tx, file.id), creditor)
  await writeWhole(path, text, random, () => crashPoint('bank file drafted, not named'))
  crashPoint('bank file named, not marked')
  await markWritten(tx, file.id, clock.now())
  return { ...file, path }
}

/** The content of a written file. Undefined if it is unknown, or the bank has removed it. */
export async function readWrittenFile(
  { database, folder }: Pick<BankFilesDeps, 'database' | 'folder'>,
  name: string,
): Promise<string | undefined> {
  // Other names are refused, so that no other file of the disk can be read.
  if (!(await isWrittenFile(database, name))) return undefined
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
