// Requests of merchants' programs, packed into blocks.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Instant, instant } from '../kernel/time.ts'
import type { RequestBlock } from './table.ts'

/** A request that came with a wallet's API key, and its answer. */
export interface LoggedRequest {
  readonly walletId: bigint
  /** The tid of the answer: a UUIDv7. */
  readonly id: string
  readonly answeredAt: Instant
  readonly keyId: string
  readonly method: string
  /** The pattern of the path, such as `/api/v2/operations/:id`. */
  readonly route: string
  /** Path and query, without secrets. */
  readonly path: string
  readonly status: number
  /** The error code of a refusal. */
  readonly code?: number | undefined
  readonly durationMs: number
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
  /** JSON without secrets, cut if it is long. */
  readonly body?: string | undefined
  /** JSON without secrets. Only refusals, and answers to requests that change something. */
  readonly answer?: string | undefined
}

const failedStatusMin = 400
/** The first byte of a zstd frame; JSON begins with another one. */
const zstdMagic = 0x28

export function isFailed({ status }: { readonly status: number }): boolean {
  return status >= failedStatusMin
}

/** Packs requests of one wallet, at least one. */
export function packRequests(requests: readonly LoggedRequest[]): RequestBlock {
  const sorted = requests.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const [newest, oldest] = [sorted[0], sorted.at(-1)]
  if (newest === undefined || oldest === undefined) throw new Error('a block of the request log is empty')
  const json = JSON.stringify(sorted.map(({ walletId: _, ...others }) => others))
  return {
    walletId: newest.walletId,
    lastId: newest.id,
    firstId: oldest.id,
    requests: sorted.length,
    failed: sorted.filter(isFailed).length,
    answeredUntil: instant(Math.max(...sorted.map(({ answeredAt }) => answeredAt))),
    packed: zstdCompressSync(json),
  }
}

/** The requests of a block, newest first. */
export function unpackRequests({
  walletId,
  packed,
}: Pick<RequestBlock, 'walletId' | 'packed'>): LoggedRequest[] {
  const json = packed[0] === zstdMagic ? zstdDecompressSync(packed) : Buffer.from(packed)
  const requests = JSON.parse(json.toString()) as Omit<LoggedRequest, 'walletId'>[]
  return requests.map((request) => ({ walletId, ...request }))
}
