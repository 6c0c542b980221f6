// The texts that are hashed and signed. Anyone with the rows can make them again.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { Before, ChainBatch, ChainLink, WrittenRows } from './model.ts'

export function linkText(before: Before, batch: bigint, rows: WrittenRows): string {
  return lines(
    'comporta link 1',
    `wallet ${rows.walletId}`,
    `number ${before.number + 1n}`,
    `previous ${before.hash}`,
    `batch ${batch}`,
    `postings ${rows.postings} ${rows.postingsHash ?? '-'}`,
    `events ${rows.events} ${rows.eventsHash ?? '-'}`,
  )
}

export function batchText(
  before: Before,
  endPosition: bigint,
  links: readonly Pick<ChainLink, 'walletId' | 'number' | 'hash'>[],
): string {
  const inOrder = links.toSorted((one, other) => (one.walletId < other.walletId ? -1 : 1))
  return lines(
    'comporta batch 1',
    `number ${before.number + 1n}`,
    `previous ${before.hash}`,
    `upto ${endPosition}`,
    ...inOrder.map(({ walletId, number, hash }) => `link ${walletId} ${number} ${hash}`),
  )
}

export function gatewayHeadText(batch: Omit<ChainBatch, 'signature' | 'endPosition'>): string {
  return lines(
    'comporta gateway head 1',
    `number ${batch.number}`,
    `hash ${batch.hash}`,
    `postings ${batch.postings}`,
    `events ${batch.events}`,
    `through ${timeText(batch.committedUntil)}`,
    `key ${batch.key}`,
  )
}

/** The signed text of a link. It has the heads of wallet and gateway, so it covers all wallets. */
export function walletHeadText(
  link: Omit<ChainLink, 'signature' | 'batch'>,
  { number, hash, committedUntil, key }: Pick<ChainBatch, 'number' | 'hash' | 'committedUntil' | 'key'>,
): string {
  return lines(
    'comporta head 1',
    `wallet ${link.walletId}`,
    `number ${link.number}`,
    `hash ${link.hash}`,
    `postings ${link.postings}`,
    `events ${link.events}`,
    `through ${timeText(committedUntil)}`,
    `gateway ${number} ${hash}`,
    `key ${key}`,
  )
}

function timeText(committedUntil: Instant | undefined): string {
  return committedUntil === undefined ? '-' : toTimestamp(committedUntil)
}

function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}
