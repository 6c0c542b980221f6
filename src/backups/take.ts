// The command `comporta backup`: the running embedded database in one file.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { crashPoint } from '../kernel/crash-points.ts'
import { type Clock, toTimestamp } from '../kernel/time.ts'
import { appliedSteps, bytesPerMebibyte, type Database, measureFreeSpace } from '../storage/index.ts'
import { BackupRefused, refusalOf } from './errors.ts'
import { bytesIn, type CopiedFile, hotCopy, syncFolder, textFile } from './hot-copy.ts'
import {
  type BackupHeader,
  backupFormat,
  type Counts,
  databaseFolder,
  type FileSum,
  fingerprints,
  headerName,
  type MasterKeys,
  manifestName,
  sealManifest,
} from './manifest.ts'
import { packFile, packFolder } from './tar.ts'

const ownersFileMode = 0o600
/** The lowest level, because payments need the processor. */
const compressionLevel = 1
const noCounts: Counts = { wallets: 0, operations: 0, lastPosting: 0 }

export interface BackupSource {
  readonly database: Database
  readonly folder: string
  readonly keys: MasterKeys
  readonly version: string
  readonly clock: Clock
  readonly freeBytesMin: number
}

export interface BackupReport {
  readonly file: string
  readonly sha256: string
  readonly bytes: number
  readonly begun: string
  readonly ended: string
  readonly counts: Counts
  readonly keys: readonly string[]
}

/** `path` must not exist; the file gets this name when it is complete. Throws {@link BackupRefused}. */
export async function takeBackup(
  source: BackupSource,
  path: string,
  stop: AbortSignal = new AbortController().signal,
): Promise<BackupReport> {
  if (underWay.has(source.database)) throw new BackupRefused('another backup is running: wait until it ends')
  underWay.add(source.database)
  const draft = `${path}.part`
  try {
    if ((await stat(path).catch(() => undefined)) !== undefined)
      throw Object.assign(new Error('it exists'), { code: 'EEXIST' })
    if (await isWithin(source.folder, path))
      throw new BackupRefused(`${path} is inside the database folder: name a file in another folder`)
    // The draft of a backup that was killed: no other backup runs, because this process has the database.
    await rm(draft, { force: true })
    const header = await headerOf(source)
    const written = await writeDraft(source, header, draft, stop)
    crashPoint('backup drafted, not named')
    await rename(draft, path)
    await syncFolder(dirname(path))
    return { file: path, ...written, begun: header.begun, keys: Object.keys(header.keys) }
  } catch (error) {
    // If the draft cannot be written, it may be impossible to remove it too. The first error is reported.
    await rm(draft, { force: true }).catch(() => undefined)
    if (stop.aborted) throw new BackupRefused('the gateway is stopping: no backup was made')
    throw refusalOf(error, path)
  } finally {
    underWay.delete(source.database)
  }
}

const underWay = new WeakSet<Database>()

async function headerOf({ database, folder, keys, version, clock }: BackupSource): Promise<BackupHeader> {
  return {
    format: backupFormat,
    version,
    begun: toTimestamp(clock.now()),
    steps: [...(await appliedSteps(database))].sort(),
    keys: fingerprints(keys),
    bytes: await bytesIn(folder),
  }
}

async function writeDraft(source: BackupSource, header: BackupHeader, draft: string, signal: AbortSignal) {
  const filling: Filling = { files: {} }
  const whole = createHash('sha256')
  let bytes = 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      whole.update(chunk)
      bytes += chunk.length
      done(undefined, chunk)
    },
  })
  const archive = pack()
  // The copy holds a database session until its end, so this waits for it too.
  const filled = fill(archive, source, header, draft, filling).catch((error) => archive.destroy(error))
  const drafted = pipeline(
    archive,
    createGzip({ level: compressionLevel }),
    counting,
    createWriteStream(draft, { flags: 'wx', mode: ownersFileMode, flush: true }),
    { signal },
  )
  await Promise.allSettled([filled, drafted])
  await drafted
  const { ended = '', counts = noCounts } = filling
  return { ended, counts, sha256: whole.digest('hex'), bytes }
}

interface Filling {
  readonly files: Record<string, FileSum>
  counts?: Counts
  ended?: string
}

async function fill(
  archive: Pack,
  source: BackupSource,
  header: BackupHeader,
  draft: string,
  filling: Filling,
): Promise<void> {
  await addFile(archive, textFile(headerName, JSON.stringify(header)), filling)
  const copy = hotCopy(source.database, source.folder, (counts) => {
    filling.counts = counts
    filling.ended = toTimestamp(source.clock.now())
  })
  for await (const entry of copy) {
    const path = `${databaseFolder}/${entry.path}`
    if (entry.bytes === undefined) packFolder(archive, path)
    else {
      await refuseShortDisk(draft, source.freeBytesMin)
      await addFile(archive, { ...entry, path }, filling)
    }
  }
  const { counts = noCounts, ended = '', files } = filling
  const manifest = sealManifest({ ended, counts, files: { ...files } }, source.keys)
  await addFile(archive, textFile(manifestName, manifest), filling)
  archive.finalize()
}

async function addFile(archive: Pack, file: CopiedFile, { files }: Filling): Promise<void> {
  const { path, bytes } = file
  const sum = createHash('sha256')
  async function* read() {
    for await (const chunk of file.read()) {
      sum.update(chunk)
      yield chunk
    }
  }
  await packFile(archive, { path, bytes, read })
  files[path] = { bytes, sha256: sum.digest('hex') }
}

/** Refuses if the disk is nearly full, before the database must refuse writes. */
async function refuseShortDisk(draft: string, freeBytesMin: number): Promise<void> {
  const { short, freeBytes } = await measureFreeSpace(dirname(draft), freeBytesMin)
  if (!short) return
  const [free, wanted] = [freeBytes, freeBytesMin].map((bytes) => Math.floor(bytes / bytesPerMebibyte))
  throw new BackupRefused(
    `the disk of ${dirname(draft)} has ${free} MiB free, but DISK_FREE_MIN_MB is ${wanted}: make room`,
  )
}

async function isWithin(folder: string, path: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([realpath(folder), realpath(dirname(path))])
  return inner === outer || inner.startsWith(`${outer}${sep}`)
}
