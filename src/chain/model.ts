// Tables of the chain: batches, links of wallets, and the chain's state.
import type { Instant } from '../kernel/time.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

const hashColumn = () =>
  column.bytes().transformed<string>(
    (bytes) => Buffer.from(bytes).toString('hex'),
    (hex) => Buffer.from(hex, 'hex'),
  )

const signatureColumn = () =>
  column.bytes().transformed<string>(
    (bytes) => Buffer.from(bytes).toString('base64'),
    (text) => Buffer.from(text, 'base64'),
  )

export const chainBatches = table('chain_batches', {
  number: column.bigint(),
  /** Rows of transactions with lower numbers are in this batch or an earlier one. */
  endPosition: column.bigint().named('upto'),
  /** When `endPosition` was read; only a round's last batch has a new time. Absent in the first round. */
  committedUntil: column.instant().optional().named('through'),
  postings: column.bigint(),
  events: column.bigint(),
  hash: hashColumn(),
  key: column.integer(),
  signature: signatureColumn(),
})

export type ChainBatch = RowOf<typeof chainBatches>

export const chainLinks = table('chain_links', {
  walletId: column.bigint(),
  number: column.bigint(),
  batch: column.bigint(),
  postings: column.bigint(),
  events: column.bigint(),
  hash: hashColumn(),
  signature: signatureColumn(),
})

export type ChainLink = RowOf<typeof chainLinks>

export const chainProgress = table('chain_progress', {
  isOnly: column.boolean(),
  committedUntil: column.instant().optional().named('through'),
  key: column.integer(),
  last: column.bigint(),
})

/** Rows of a wallet in a batch: how many, and a SHA-256 over the SHA-256 of each, in order. */
export interface WrittenRows {
  readonly walletId: bigint
  readonly postings: bigint
  readonly postingsHash: string | undefined
  readonly events: bigint
  readonly eventsHash: string | undefined
  readonly earliest: Instant | undefined
  readonly latest: Instant | undefined
}

export type Before = Pick<ChainBatch, 'number' | 'hash' | 'postings' | 'events'>

export const nothingBefore: Before = { number: 0n, hash: '0'.repeat(64), postings: 0n, events: 0n }

export interface Difference {
  readonly walletId?: bigint
  readonly batch: bigint
  readonly detail: string
}
