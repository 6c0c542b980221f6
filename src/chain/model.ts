// The chain: batches of what was written in all wallets, the links that they are of each wallet, and how far it is.
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
  /** 1, 2, … */
  number: column.bigint(),
  /** The number of the transaction before which everything is in it, or in a batch before. */
  upto: column.bigint(),
  /**
   * What the clock said when `upto` was noted, and so everything that was committed before is in it or in a batch before.
   * A batch that is not the last of its round has that of the round before. Absent in the first round.
   */
  through: column.instant().optional(),
  /** How many there are in it and in all before. */
  postings: column.bigint(),
  events: column.bigint(),
  /** SHA-256 in hexadecimal digits, as of links. */
  hash: hashColumn(),
  /** By which it and its links are signed. */
  key: column.integer(),
  /** In base64, as of links. */
  signature: signatureColumn(),
})

export type ChainBatch = RowOf<typeof chainBatches>

export const chainLinks = table('chain_links', {
  walletId: column.bigint(),
  /** Of this wallet: 1, 2, … */
  number: column.bigint(),
  batch: column.bigint(),
  /** How many of the wallet there are in it and in all before. */
  postings: column.bigint(),
  events: column.bigint(),
  hash: hashColumn(),
  signature: signatureColumn(),
})

export type ChainLink = RowOf<typeof chainLinks>

export const chainProgress = table('chain_progress', {
  isOnly: column.boolean(),
  /** Everything that was committed before is chained. */
  through: column.instant().optional(),
  /** By which the next batch is signed. */
  key: column.integer(),
  /** Number of the last batch. */
  last: column.bigint(),
})

/** What was written of a wallet within a batch: how many, and a SHA-256 over the SHA-256 of each, in their order. */
export interface WrittenRows {
  readonly walletId: bigint
  readonly postings: bigint
  readonly postingsHash: string | undefined
  readonly events: bigint
  readonly eventsHash: string | undefined
  /** Of the times that stand in the rows; absent where there are none. */
  readonly earliest: Instant | undefined
  readonly latest: Instant | undefined
}

/** The last batch or link before another one: what it is chained to. */
export type Before = Pick<ChainBatch, 'number' | 'hash' | 'postings' | 'events'>

/** What a chain begins with. */
export const nothingBefore: Before = { number: 0n, hash: '0'.repeat(64), postings: 0n, events: 0n }

/** Where what is written is not what was chained. */
export interface Difference {
  readonly walletId?: bigint
  readonly batch: bigint
  readonly detail: string
}
