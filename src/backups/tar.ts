// Archives in the form of ustar (POSIX 1003.1-1988), as every tar reads and writes them: files and folders with short names.

const blockBytes = 512
const nameBytesMax = 100
const ownersFileMode = '0000600'
const ownersFolderMode = '0000700'
const fileType = '0'
const folderType = '5'

/** The block before an entry; `bytes` undefined: a folder. */
export function tarHeader(name: string, bytes: number | undefined): Buffer {
  const block = Buffer.alloc(blockBytes)
  if (Buffer.byteLength(name) > nameBytesMax) throw new Error(`${name} is too long a name for an archive`)
  block.write(name, 0)
  block.write(bytes === undefined ? ownersFolderMode : ownersFileMode, 100)
  block.write('0000000', 108)
  block.write('0000000', 116)
  block.write((bytes ?? 0).toString(8).padStart(11, '0'), 124)
  block.write('00000000000', 136)
  block.write(bytes === undefined ? folderType : fileType, 156)
  block.write('ustar\u000000', 257)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** What follows a content of `bytes`, so that the next entry begins a block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes)
}

/** After the last entry. */
export const tarEnd = Buffer.alloc(2 * blockBytes)

/** The sum of a header's bytes, with blanks where the sum itself stands. */
function sumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
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
 * @throws {@link NoArchive}
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = new Source(chunks)
  for (;;) {
    const block = await source.take(blockBytes)
    if (block.every((byte) => byte === 0)) return
    const entry = readHeader(block)
    const bytes = entry.bytes ?? 0
    yield { ...entry, content: source.stream(bytes) }
    await source.take(tarPadding(bytes).length)
  }
}

function readHeader(block: Buffer): Pick<TarEntry, 'name' | 'bytes'> {
  const text = (from: number, to: number) => block.toString('utf8', from, to).replace(/\0.*$/s, '')
  const number = (from: number, to: number) => Number.parseInt(text(from, to).trim(), 8)
  const type = text(156, 157)
  if (number(148, 156) !== sumOf(block)) throw new NoArchive()
  if (type === folderType) return { name: text(0, nameBytesMax), bytes: undefined }
  const bytes = number(124, 136)
  if (type !== fileType || !(bytes >= 0)) throw new NoArchive()
  return { name: text(0, nameBytesMax), bytes }
}

/** Chunks of any size, taken in the sizes that are wanted. */
class Source {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.stream(bytes)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let wanted = bytes; wanted > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done === true) throw new NoArchive()
        this.#rest = value
        continue
      }
      const part = this.#rest.subarray(0, wanted)
      this.#rest = this.#rest.subarray(part.length)
      wanted -= part.length
      yield part
    }
  }
}
