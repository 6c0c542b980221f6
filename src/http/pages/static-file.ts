// Files in memory, compressed on first use.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { AppReply, AppRequest } from '../types.ts'

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

export const immutableCache = 'public, max-age=31536000, immutable'
export const revalidatedCache = 'no-cache'

export interface StaticFile {
  readonly hash: string
  encoded(encoding: Encoding | undefined): Promise<Buffer>
  send(request: AppRequest, reply: AppReply): Promise<AppReply>
}

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

/** Files that the first request creates. Parallel requests share one creation. */
export interface StaticFiles {
  has(key: string): boolean
  get(key: string, make: () => Promise<StaticFile | undefined>): Promise<StaticFile | undefined>
}

export function createStaticFiles(filesMax: number): StaticFiles {
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

/** Larger files are compressed with less effort: more takes seconds of a core and saves only a tenth. */
const largeBytes = 1_000_000
const brotliEffortOfLarge = 6

function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(content)
  const effort = content.length > largeBytes ? brotliEffortOfLarge : constants.BROTLI_MAX_QUALITY
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  return promisify(brotliCompress)(content, { params })
}

function encodingOf(header: string | string[] = ''): Encoding | undefined {
  const accepted = String(header)
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, weight = '']) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name)
  return encodings.find((encoding) => accepted.includes(encoding))
}

function names(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
