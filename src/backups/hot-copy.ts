// A copy of the embedded database's files while it works: its log, from the beginning of the copy to its end, makes them one moment.
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type Executor, type Statement, statement } from '../storage/index.ts'
import type { Counts } from './manifest.ts'

/** A file of the copy: its content is `bytes` long, whatever is written to it meanwhile. */
export interface CopiedFile {
  /** Relative to the folder of the database. */
  readonly path: string
  readonly bytes: number
  read(): AsyncIterable<Uint8Array>
}

export interface CopiedFolder {
  readonly path: string
  readonly bytes: undefined
}

/** Until the slot goes, with the session at the latest, no file of the log is used again: a checkpoint would have it. */
const keepLog = statement(
  `select slot_name from pg_create_physical_replication_slot('comporta_backup', true, true)`,
)
const letLogGo = statement(`select pg_drop_replication_slot('comporta_backup')`)
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

/** Folders whose files PostgreSQL makes anew at each start, as pg_basebackup has them. */
const emptied = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|pg_wal)\//
/** What is of this machine alone: the process, and what a file system keeps at its root. */
const left = /^(postmaster\.(pid|opts)|lost\+found(\/.*)?)$/
const bytesAtOnce = 256 * 1024

/**
 * Everything in `folder`, the open embedded database: first its folders and files, while payments go on, then the log
 * that was written meanwhile. What was answered before the last part begins is in the copy. `onCounts` is called with
 * what is in it, before the log. Whoever stops reading early has to return the generator, which ends the copy.
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
        if (!left.test(path) && (!emptied.test(path) || path.startsWith('pg_wal/')))
          yield { path, bytes: undefined }
      } else if (entry.isFile() && !emptied.test(path) && !left.test(path)) {
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
    await run(letLogGo)
  }
}

/** About how many bytes a copy of `folder` will have. */
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
  if (stopped === undefined) throw new Error('the back-up did not end')
  return { counts, ...stopped }
}

/** How much is in the database. */
export async function countsOf(db: Pick<Executor, 'run'>): Promise<Counts> {
  const [counts] = await db.run(count)
  if (counts === undefined) throw new Error('nothing was counted')
  return counts
}

/** A table that was dropped meanwhile is dropped by the log as well. */
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

/** What a file that shrank lacks is nothing that the log would not write again. */
async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const wanted = Math.min(bytesAtOnce, size - at)
    const buffer = Buffer.alloc(wanted)
    const { bytesRead } = await file.read(buffer, 0, wanted, at)
    at += bytesRead === 0 ? wanted : bytesRead
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
  }
}

/** A file that is made of `text`. */
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
