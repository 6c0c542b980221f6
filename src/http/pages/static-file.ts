// A file in memory that many browsers load: compressed once in each encoding, when somebody first takes it.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { AppReply, AppRequest } from '../types.ts'

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** For what has a name that changes with its content. */
export const keptForEver = 'public, max-age=31536000, immutable'
/** For what browsers ask about each time, and load only when it has changed. */
export const askedAgain = 'no-cache'

export interface StaticFile {
  /** The first 16 hexadecimal digits of the SHA-256 of the content. */
  readonly hash: string
  /** The content in an encoding; the same bytes each time, made when they are first wanted. */
  encoded(encoding: Encoding | undefined): Promise<Buffer>
  /** Answers with the file in the best encoding that the request accepts, or 304 to who has it. */
  send(request: AppRequest, reply: AppReply): Promise<AppReply>
}

/** @param type its content type; @param cacheControl {@link keptForEver}, {@link askedAgain} or for how long */
export function createStaticFile(content: Buffer, type: string, cacheControl: string): StaticFile {
  const isCompressed = /^image\/(?!svg)/.test(type)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const made = new Map<Encoding, Promise<Buffer>>()

  function encoded(encoding: Encoding | undefined): Promise<Buffer> {
    if (encoding === undefined) return Promise.resolve(content)
    let bytes = made.get(encoding)
    if (bytes === undefined) {
      bytes = compress(content, encoding)
      made.set(encoding, bytes)
    }
    return bytes
  }

  return {
    hash,
    encoded,
    async send(request, reply) {
      const encoding = isCompressed ? undefined : encodingOf(request.headers['accept-encoding'])
      const etag = `"${hash}${encoding === undefined ? '' : `-${encoding}`}"`
      reply.headers({ 'cache-control': cacheControl, vary: 'Accept-Encoding', etag })
      if (names(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      return reply.type(type).send(await encoded(encoding))
    },
  }
}

/** Files that are made when somebody first asks for them: of those that ask at once, one has it made. */
export interface StaticFiles {
  has(key: string): boolean
  /** @param make answers undefined where there is no such file, which is not kept */
  get(key: string, make: () => Promise<StaticFile | undefined>): Promise<StaticFile | undefined>
}

/** @param filesMax how many are kept: the one least recently used leaves first */
export function createStaticFiles(filesMax: number): StaticFiles {
  /** The latest last. */
  const files = new Map<string, Promise<StaticFile | undefined>>()

  async function made(key: string, make: () => Promise<StaticFile | undefined>) {
    let file: StaticFile | undefined
    try {
      file = await make()
      return file
    } finally {
      if (file === undefined) files.delete(key)
    }
  }

  return {
    has: (key) => files.has(key),
    get(key, make) {
      const file = files.get(key) ?? made(key, make)
      files.delete(key)
      files.set(key, file)
      const [oldest] = files.keys()
      if (files.size > filesMax && oldest !== undefined) files.delete(oldest)
      return file
    },
  }
}

/** More effort than this takes seconds of a core for megabytes, and wins a tenth. */
const largeBytes = 1_000_000
const brotliEffortOfLarge = 6

/** Runs on a thread of its own: the event loop goes on meanwhile. */
function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(content)
  const effort = content.length > largeBytes ? brotliEffortOfLarge : constants.BROTLI_MAX_QUALITY
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  return promisify(brotliCompress)(content, { params })
}

/** The first of ours that the header `Accept-Encoding` names and does not rule out. */
function encodingOf(header: string | string[] = ''): Encoding | undefined {
  const accepted = String(header)
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, weight = '']) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name)
  return encodings.find((encoding) => accepted.includes(encoding))
}

/** Whether `If-None-Match` names the tag. */
function names(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
