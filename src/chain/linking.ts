// Makes the next batch: finds its predecessor, and makes its links, hashes and signature.
import type { Instant } from '../kernel/time.ts'
import type { Executor } from '../storage/index.ts'
import { forgedAmong, walletHeads } from './heads.ts'
import { type Before, type ChainBatch, type ChainLink, nothingBefore, type WrittenRows } from './model.ts'
import { batchText, gatewayHeadText, linkText, walletHeadText } from './rules.ts'
import { hashOf, type Signing } from './signing.ts'
import { findBatches, newestKey } from './store.ts'

interface ChainEnd {
  readonly last: ChainBatch | undefined
  readonly seen: Before
  readonly noted: bigint
  readonly key: number
}

/** Refuses to continue foreign signatures or a truncated chain: an attacker would get a valid signature. */
export async function refuseOther(
  signing: Signing,
  tx: Executor,
  { last, seen, noted, key }: ChainEnd,
): Promise<void> {
  const number = last?.number ?? 0n
  if (number < noted)
    throw new Error(`nothing is chained: the chain ends at batch ${number}, but its last batch was ${noted}`)
  if (last !== undefined && !(await signing.isSignedBy(last.key, gatewayHeadText(last), last.signature)))
    throw new Error(`nothing is chained: batch ${last.number} of the chain does not have our signature`)
  // If an attacker writes an old key number, the replaced key must not come back.
  const newest = await newestKey(tx)
  if (key < newest)
    throw new Error(
      `nothing is chained: the next key is ${key}, but a batch is already signed by key ${newest}`,
    )
  if (last !== undefined && last.key < newest)
    throw new Error(
      `nothing is chained: batch ${last.number} of the chain is signed by key ${last.key}, an earlier one by key ${newest}`,
    )
  if (seen.number === 0n) return
  const known = (await findBatches(tx, [seen.number])).get(seen.number)
  if (known?.hash !== seen.hash)
    throw new Error(`nothing is chained: batch ${seen.number} of the chain has changed`)
}

interface Ends {
  readonly endPosition: bigint
  readonly key: number
  readonly committedUntil: Instant | undefined
}

const walletsAtOnce = 200

export async function nextBatch(
  signing: Signing,
  tx: Executor,
  before: Before,
  rows: readonly WrittenRows[],
  { endPosition, key, committedUntil }: Ends,
): Promise<{ batch: ChainBatch; links: ChainLink[] }> {
  const walletIds = rows.map(({ walletId }) => walletId)
  const lastLinks = await ownLastLinks(signing, tx, walletIds)
  const number = before.number + 1n
  const unsigned = rows.map((row) => nextLink(lastLinks.get(row.walletId) ?? nothingBefore, number, row))
  const sum = (of: (row: WrittenRows) => bigint) => rows.reduce((total, row) => total + of(row), 0n)
  const batch = {
    ...{ number, endPosition, key, committedUntil },
    postings: before.postings + sum(({ postings }) => postings),
    events: before.events + sum(({ events }) => events),
    hash: hashOf(batchText(before, endPosition, unsigned)),
  }
  const links = unsigned.map(async (link) => ({
    ...link,
    signature: await signing.sign(key, walletHeadText(link, batch)),
  }))
  const signature = await signing.sign(key, gatewayHeadText(batch))
  return { batch: { ...batch, signature }, links: await Promise.all(links) }
}

/** Throws for forged links, because the gateway would sign their successors. */
async function ownLastLinks(
  signing: Signing,
  tx: Executor,
  walletIds: readonly bigint[],
): Promise<Map<bigint, Before>> {
  const links = new Map<bigint, Before>()
  // This works in portions, so that payments of this process run in between.
  for (let at = 0; at < walletIds.length; at += walletsAtOnce) {
    const heads = await walletHeads(tx, walletIds.slice(at, at + walletsAtOnce))
    for (const head of heads) links.set(head.walletId, head)
    const forged = await forgedAmong(signing, heads)
    if (forged[0] !== undefined)
      throw new Error(
        `nothing is chained: link ${forged[0].number} of wallet ${forged[0].walletId} does not have our signature`,
      )
  }
  return links
}

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
