// A consistent copy of the embedded database while it runs.
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type Executor, type Statement, statement } from '../storage/index.ts'
import type { Counts } from './manifest.ts'

/** A file of the copy. Only its first `bytes` count, even if it grows while it is read. */
export interface CopiedFile {
  readonly path: string
  readonly bytes: number
  read(): AsyncIterable<Uint8Array>
}

export interface CopiedFolder {
  readonly path: string
  readonly bytes: undefined
}

/** Until the slot or session ends, PostgreSQL keeps every log file; a checkpoint would overwrite them. */
const keepLog = statement(
  `select slot_name from pg_create_physical_replication_slot('comporta_backup', true, true)`,
)
const releaseLog = statement(`select pg_drop_replication_slot('comporta_backup')`)
const begin = statement(`select pg_backup_start('comporta', fast => true)`)
const end = statement<{ label: string; from: string; to: string }>(`
  with stopped as (select * from pg_backup_stop(wait_for_archive => false))
  select labelfile as label, substring(labelfile from 'file ([0-9A-F]{24})') as "from", pg_walfile_name(lsn) as "to"
  from stopped`)
const count = statement<Counts>(`
  select
    (select count(*) from wallets)::int as wallets,
    (select coalesce(sum(operations), 0) from operation_counts)::float8 as operations,
    (select coalesce(max(id), 0) from postings)::float8 as "lastPosting"`)

/** PostgreSQL makes the files of these folders at each start. pg_basebackup leaves them empty too. */
const emptied = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|pg_wal)\//
/** Files that belong to this machine: those of the process, and the root folder of a file system. */
const skipped = /^(postmaster\.(pid|opts)|lost\+found(\/.*)?)$/
const bytesAtOnce = 256 * 1024

/**
 * Copies `folder`, the open embedded database: first its files, then the log written meanwhile. The copy
 * contains every request answered before the log is copied. `onCounts` gets the row counts of the copy before
 * the log. A caller that stops early must call `return` of the generator, which ends the backup.
 */
export async function* hotCopy(
  database: Database,
  folder: string,
  onCounts: (counts: Counts) => void,
): AsyncGenerator<CopiedFile | CopiedFolder> {
  const run = <Row>(work: Statement<Row>) => database.connected((db) => db.run(work))
  await run(keepLog)
  let begun = false
  try {
    await run(begin)
    begun = true
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name).slice(folder.length + 1)
      if (entry.isDirectory()) {
        if (!skipped.test(path) && (!emptied.test(path) || path.startsWith('pg_wal/')))
          yield { path, bytes: undefined }
      } else if (entry.isFile() && !emptied.test(path) && !skipped.test(path)) {
        const file = await openIfThere(join(folder, path))
        if (file !== undefined) yield* copied(path, file)
      }
    }
    const { counts, label, from, to } = await database.connected(finish)
    begun = false
    onCounts(counts)
    yield textFile('backup_label', label)
    for (const segment of await readdir(join(folder, 'pg_wal'))) {
      if (!/^[0-9A-F]{24}$/.test(segment) || segment < from || segment > to) continue
      yield* copied(`pg_wal/${segment}`, await open(join(folder, 'pg_wal', segment)))
    }
  } finally {
    if (begun) await run(end)
    await run(releaseLog)
  }
}

export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  }
  return bytes
}

async function finish(db: Executor) {
  const counts = await countsOf(db)
  const [stopped] = await db.run(end)
  if (stopped === undefined) throw new Error('the backup did not end')
  return { counts, ...stopped }
}

export async function countsOf(db: Pick<Executor, 'run'>): Promise<Counts> {
  const [counts] = await db.run(count)
  if (counts === undefined) throw new Error('nothing was counted')
  return counts
}

/** If a file is missing, the log also contains the drop of its table. */
function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

async function* copied(path: string, file: FileHandle): AsyncGenerator<CopiedFile> {
  try {
    const { size } = await file.stat()
    yield { path, bytes: size, read: () => contentOf(file, size) }
  } finally {
    await file.close()
  }
}

/** If a file has become shorter, zeros fill the rest, because the log writes those pages again. */
async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const wanted = Math.min(bytesAtOnce, size - at)
    const buffer = Buffer.alloc(wanted)
    const { bytesRead } = await file.read(buffer, 0, wanted, at)
    at += bytesRead === 0 ? wanted : bytesRead
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
  }
}

export function textFile(path: string, text: string): CopiedFile {
  const content = Buffer.from(text)
  return {
    path,
    bytes: content.length,
    async *read() {
      yield content
    },
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
