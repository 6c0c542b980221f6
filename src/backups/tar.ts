// Archives in the ustar format, by tar-stream.
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, extract, type Pack } from 'tar-stream'
import type { CopiedFile } from './hot-copy.ts'

const ownersFileMode = 0o600
const ownersFolderMode = 0o700
/** The time is fixed, so that equal files make equal archives. */
const mtime = new Date(0)

export function packFolder(archive: Pack, name: string): void {
  archive.entry({ name, type: 'directory', mode: ownersFolderMode, mtime })
}

export async function packFile(archive: Pack, { path: name, bytes: size, read }: CopiedFile): Promise<void> {
  await pipeline(read, archive.entry({ name, size, type: 'file', mode: ownersFileMode, mtime }))
}

export interface TarEntry {
  readonly name: string
  readonly bytes: number | undefined
  /** Read it to its end before the next entry. */
  readonly content: AsyncIterable<Uint8Array>
}

export class NoArchive extends Error {
  constructor() {
    super('no archive')
    this.name = 'NoArchive'
  }
}

/** `chunks`: the file, then the streams that unpack it. Throws {@link NoArchive}. */
export async function* readTar(...chunks: readonly [Readable, ...Transform[]]): AsyncGenerator<TarEntry> {
  const archive = extract()
  // The archive itself throws the same errors, so they are ignored here.
  pipeline([...chunks, archive]).catch(() => undefined)
  for await (const entry of withKind<Entry>(archive)) {
    const { type, name, size } = entry.header
    if (type !== 'file' && type !== 'directory') throw new NoArchive()
    yield { name, bytes: type === 'file' ? size : undefined, content: withKind(entry) }
  }
}

/** An error without a code comes from tar-stream: the file is no archive. Errors of the system and zlib have one. */
async function* withKind<Part>(source: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* source
  } catch (error) {
    throw Object.hasOwn(Object(error), 'code') ? error : new NoArchive()
  }
}
