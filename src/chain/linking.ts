// The next batch of the chain: on what it may follow, and what it has of each wallet, hashed and signed.
import type { Instant } from '../kernel/time.ts'
import type { Executor } from '../storage/index.ts'
import { type Before, type ChainBatch, type ChainLink, nothingBefore, type WrittenRows } from './model.ts'
import { batchText, gatewayHeadText, linkText, walletHeadText } from './rules.ts'
import { hashOf, type Signing } from './signing.ts'
import { findBatches, lastLinks as findLastLinks } from './store.ts'

interface ChainEnd {
  readonly last: ChainBatch | undefined
  /** The newest batch that this process has seen. */
  readonly seen: Before
  /** The number of the last one, as it was noted beside the chain. */
  readonly noted: bigint
}

/**
 * Signs nothing on top of what the gateway did not sign, nor of a chain that lost its end or what this process has seen
 * of it: who changes the books and the chain alike must not be helped to a signature.
 */
export async function refuseOther(
  signing: Signing,
  tx: Executor,
  { last, seen, noted }: ChainEnd,
): Promise<void> {
  const number = last?.number ?? 0n
  if (number < noted)
    throw new Error(`nothing is chained: the chain ends at batch ${number}, and batch ${noted} was its last`)
  if (last !== undefined && !signing.isSignedBy(last.key, gatewayHeadText(last), last.signature))
    throw new Error(`nothing is chained: batch ${last.number} of the chain does not have our signature`)
  if (seen.number === 0n) return
  const known = (await findBatches(tx, [seen.number])).get(seen.number)
  if (known?.hash !== seen.hash)
    throw new Error(`nothing is chained: batch ${seen.number} of the chain is not what it was`)
}

interface Ends {
  readonly upto: bigint
  readonly key: number
  readonly through: Instant | undefined
}

/** The batch with its links, hashed and signed. */
export async function nextBatch(
  signing: Signing,
  tx: Executor,
  before: Before,
  rows: readonly WrittenRows[],
  { upto, key, through }: Ends,
): Promise<{ batch: ChainBatch; links: ChainLink[] }> {
  const walletIds = rows.map(({ walletId }) => walletId)
  const lastLinks = await findLastLinks(tx, walletIds)
  const number = before.number + 1n
  const unsigned = rows.map((row) => nextLink(lastLinks.get(row.walletId) ?? nothingBefore, number, row))
  const sum = (of: (row: WrittenRows) => bigint) => rows.reduce((total, row) => total + of(row), 0n)
  const batch = {
    ...{ number, upto, key, through },
    postings: before.postings + sum(({ postings }) => postings),
    events: before.events + sum(({ events }) => events),
    hash: hashOf(batchText(before, upto, unsigned)),
  }
  const links = unsigned.map(async (link) => ({
    ...link,
    signature: await signing.sign(key, walletHeadText(link, batch)),
  }))
  const signature = await signing.sign(key, gatewayHeadText(batch))
  return { batch: { ...batch, signature }, links: await Promise.all(links) }
}

/** What follows `before` when `rows` were written; unsigned. */
export function nextLink(before: Before, batch: bigint, rows: WrittenRows): Omit<ChainLink, 'signature'> {
  return {
    walletId: rows.walletId,
    number: before.number + 1n,
    batch,
    postings: before.postings + rows.postings,
    events: before.events + rows.events,
    hash: hashOf(linkText(before, batch, rows)),
  }
}
