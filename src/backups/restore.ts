// The command `comporta restore`: a backup replaces the embedded database.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { crashPoint } from '../kernel/crash-points.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { bytesPerMebibyte, isOutdated, knownSteps, openPglite } from '../storage/index.ts'
import { BackupRefused, refusalOf } from './errors.ts'
import { countsOf, syncFolder } from './hot-copy.ts'
import {
  type BackupHeader,
  backupFormat,
  type Counts,
  databaseFolder,
  type FileSum,
  headerName,
  type Manifest,
  type MasterKeys,
  manifestName,
  missingKeys,
  openManifest,
} from './manifest.ts'
import { NoArchive, readTar, type TarEntry } from './tar.ts'

const ownersFolderMode = 0o700
const ownersFileMode = 0o600

export interface RestoreTarget {
  /** The folder of the database. Drafts and the old database are stored in the same parent folder. */
  readonly folder: string
  readonly waiting: string
  readonly keys: MasterKeys
  readonly keyFile: string
  /** True if it may replace an existing database, which is then kept under another name. */
  readonly replace: boolean
  readonly now: Instant
}

export interface RestoreReport {
  readonly version: string
  readonly ended: string
  readonly counts: Counts
  readonly replaced: string | undefined
}

/**
 * Verifies the files and the row counts, then replaces the old database. The caller holds the lock of the
 * folder. Throws {@link BackupRefused}; the folder is then unchanged.
 */
export async function restoreBackup(path: string, target: RestoreTarget): Promise<RestoreReport> {
  const { folder, waiting, replace } = target
  finishRestore(folder, waiting)
  if (existsSync(folder) && !replace)
    throw new BackupRefused(
      `there is a database in ${dirname(folder)}: name another DATA_DIR, or add --replace, which keeps the old one`,
    )
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  try {
    const { header, manifest } = await unpack(path, draft, target)
    await checkCounts(path, draft, manifest.counts)
    crashPoint('backup unpacked, not in its place')
    renameSync(draft, waiting)
    const replaced = await takePlace(target)
    return { version: header.version, ended: manifest.ended, counts: manifest.counts, replaced }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (error instanceof NoArchive) throw new BackupRefused(incomplete(path))
    throw refusalOf(error, isWriting(error) ? draft : path)
  }
}

/** Completes a restore that was killed: the restored database becomes the database, unless there is one. */
export function finishRestore(folder: string, waiting: string): void {
  if (!existsSync(waiting)) return
  if (existsSync(folder)) rmSync(waiting, { recursive: true, force: true })
  else renameSync(waiting, folder)
}

async function takePlace({ folder, waiting, now }: RestoreTarget): Promise<string | undefined> {
  const moment = toTimestamp(now).replace(/[-:]|\.\d+/g, '')
  const replaced = existsSync(folder) ? `${folder}.before-${moment}` : undefined
  if (replaced !== undefined) putAside(folder, replaced, waiting)
  crashPoint('old database aside, restored one not in its place')
  finishRestore(folder, waiting)
  await syncFolder(dirname(folder))
  return replaced
}

function putAside(folder: string, replaced: string, waiting: string): void {
  try {
    renameSync(folder, replaced)
  } catch (error) {
    rmSync(waiting, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    throw new BackupRefused(
      `${folder} cannot be moved aside (${code}): if a disk is mounted there, mount it one folder higher, or name another DATA_DIR`,
    )
  }
}

async function unpack(path: string, draft: string, target: RestoreTarget) {
  const files: Record<string, FileSum> = {}
  let header: BackupHeader | undefined
  for await (const entry of readTar(createReadStream(path), createGunzip())) {
    if (header === undefined) {
      const text = await textOf(entry, headerName)
      files[headerName] = { bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
      header = readHeader(text.toString(), path)
      await checkHeader(header, target)
      mkdirSync(draft, { mode: ownersFolderMode })
    } else if (entry.name === manifestName) {
      const manifest = openManifest((await textOf(entry, manifestName)).toString(), target.keys)
      if (manifest === undefined || !sameFiles(manifest, files)) throw new NoArchive()
      return { header, manifest }
    } else {
      const place = placeIn(draft, entry.name)
      if (entry.bytes === undefined) mkdirSync(place, { recursive: true, mode: ownersFolderMode })
      else files[entry.name] = await writeFile(place, entry)
    }
  }
  throw new NoArchive()
}

/** Returns the path of an entry. Refuses one that would be outside the draft. */
function placeIn(draft: string, name: string): string {
  const [first, ...parts] = name.split('/')
  const isOurs =
    first === databaseFolder && parts.length > 0 && parts.every((part) => !/^\.{0,2}$|[\0\\]/.test(part))
  if (!isOurs) throw new NoArchive()
  return join(draft, ...parts)
}

async function writeFile(place: string, { content }: TarEntry): Promise<FileSum> {
  const sum = createHash('sha256')
  let bytes = 0
  const file = await open(place, 'wx', ownersFileMode)
  try {
    for await (const chunk of content) {
      sum.update(chunk)
      bytes += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes, sha256: sum.digest('hex') }
}

/** The most that is read of header and manifest, because the size in the archive may be false. */
const textBytesMax = 16 * bytesPerMebibyte

async function textOf({ name, bytes = 0, content }: TarEntry, wanted: string): Promise<Buffer> {
  if (name !== wanted || bytes > textBytesMax) throw new NoArchive()
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

function readHeader(text: string, path: string): BackupHeader {
  try {
    const header = JSON.parse(text)
    if (isHeader(header)) return header
  } catch {}
  throw new BackupRefused(incomplete(path))
}

function isHeader(found: Partial<Record<keyof BackupHeader, unknown>> | null): found is BackupHeader {
  if (typeof found !== 'object' || found === null) return false
  const { format, version, steps, keys, bytes } = found
  return (
    typeof format === 'number' &&
    /^[\w.+-]{1,40}$/.test(String(version)) &&
    Array.isArray(steps) &&
    typeof keys === 'object' &&
    keys !== null &&
    typeof bytes === 'number'
  )
}

async function checkHeader(header: BackupHeader, { folder, keys, keyFile }: RestoreTarget): Promise<void> {
  if (header.format === backupFormat && isOutdated(header.steps))
    throw new BackupRefused(
      'it was made by a version before 0.1.0, whose tables this version cannot read: restore it with that version',
    )
  const unknown = header.format === backupFormat ? header.steps.filter((step) => !knownSteps.has(step)) : ['']
  if (unknown.length > 0)
    throw new BackupRefused(
      `it was made by Comporta ${header.version}, which is newer than this version: restore it with that version`,
    )
  const missing = missingKeys(header, keys)
  if (missing.length > 0)
    throw new BackupRefused(
      `${keyFile} lacks the master key of this backup (version ${missing.join(', ')}): copy the key file of the backup there`,
    )
  const { bavail, bsize } = await statfs(dirname(folder))
  if (bavail * bsize >= header.bytes) return
  const [free, wanted] = [bavail * bsize, header.bytes].map((bytes) => Math.ceil(bytes / bytesPerMebibyte))
  throw new BackupRefused(
    `the disk of ${dirname(folder)} has ${free} MiB free, and the database needs ${wanted}: make room`,
  )
}

function sameFiles({ files: written }: Manifest, found: Readonly<Record<string, FileSum>>): boolean {
  const names = Object.keys(written)
  return (
    names.length === Object.keys(found).length &&
    names.every((name) => {
      const [one, other] = [written[name], found[name]]
      return one?.bytes === other?.bytes && one?.sha256 === other?.sha256
    })
  )
}

/** Opens the draft, so that the database applies its log, and compares its row counts. */
async function checkCounts(path: string, draft: string, wanted: Counts): Promise<void> {
  const database = await openPglite(draft)
  try {
    const found = await countsOf(database)
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      throw new BackupRefused(
        `${path} has other rows than when it was made: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`,
      )
  } finally {
    await database.close()
  }
}

function incomplete(path: string): string {
  return `${path} is not a complete backup made with this master key: it is another file, was changed, or was cut off`
}

function isWriting(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['ENOSPC', 'EDQUOT', 'EROFS'].includes(code)
}
