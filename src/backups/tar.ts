// Archives in the form of ustar, by tar-stream.
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, extract, type Pack } from 'tar-stream'
import type { CopiedFile } from './hot-copy.ts'

const ownersFileMode = 0o600
const ownersFolderMode = 0o700
/** The manifest has no times: two archives of the same files are the same. */
const mtime = new Date(0)

export function packFolder(archive: Pack, name: string): void {
  archive.entry({ name, type: 'directory', mode: ownersFolderMode, mtime })
}

/** Resolves when the archive has taken the whole content. */
export async function packFile(archive: Pack, { path: name, bytes: size, read }: CopiedFile): Promise<void> {
  await pipeline(read, archive.entry({ name, size, type: 'file', mode: ownersFileMode, mtime }))
}

export interface TarEntry {
  readonly name: string
  /** Undefined: a folder. */
  readonly bytes: number | undefined
  /** To be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>
}

/** It is no archive of files and folders, or ends in the middle of one. */
export class NoArchive extends Error {
  constructor() {
    super('no archive')
    this.name = 'NoArchive'
  }
}

/**
 * The entries of an archive, in their order.
 *
 * @param chunks the file, and the streams that unpack it
 * @throws {@link NoArchive}, or the error of one of the streams
 */
export async function* readTar(...chunks: readonly [Readable, ...Transform[]]): AsyncGenerator<TarEntry> {
  const archive = extract()
  // The archive throws its errors as well.
  pipeline([...chunks, archive]).catch(() => undefined)
  for await (const entry of withKind<Entry>(archive)) {
    const { type, name, size } = entry.header
    if (type !== 'file' && type !== 'directory') throw new NoArchive()
    yield { name, bytes: type === 'file' ? size : undefined, content: withKind(entry) }
  }
}

/** Errors of the system and of zlib have a code; those of tar-stream have none. */
async function* withKind<Part>(source: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* source
  } catch (error) {
    throw Object.hasOwn(Object(error), 'code') ? error : new NoArchive()
  }
}
