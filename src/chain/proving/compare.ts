// Compares books and chain: reads and hashes everything again.
import { setImmediate as afterOthers } from 'node:timers/promises'
import { type Clock, hour } from '../../kernel/time.ts'
import type { Database, Executor } from '../../storage/index.ts'
import { nextLink } from '../linking.ts'
import {
  type Before,
  type ChainBatch,
  type ChainLink,
  type Difference,
  nothingBefore,
  type WrittenRows,
} from '../model.ts'
import { writtenRows } from '../rows-sql.ts'
import { batchText, gatewayHeadText } from '../rules.ts'
import { hashOf, type Signing } from '../signing.ts'
import { batchesAfter, linksOf } from './reading-store.ts'
import { createTimes } from './times.ts'

/** Batches that one statement compares. Payments of this process wait for it. */
const batchesMax = 100
const rowsMax = { postgres: 10_000n, pglite: 1_000n }
const differencesMax = 100

export interface Comparison {
  readonly postings: bigint
  readonly events: bigint
  readonly differences: readonly Difference[]
  readonly last: Before
}

export interface Comparing {
  readonly signing: Signing
  readonly clock: Clock
  readonly kind: Database['kind']
}

export const lateMs = hour

export async function compareWithChain(
  db: Executor,
  last: bigint,
  { signing, clock, kind }: Comparing,
): Promise<Comparison> {
  const walk = { links: new Map<bigint, Before>(), differences: [] as Difference[], postings: 0n, events: 0n }
  const times = createTimes(lateMs + (clock.movedBy?.() ?? 0))
  let before: Before & { readonly endPosition?: bigint; readonly key?: number } = nothingBefore
  for (;;) {
    const batches = portionOf(await batchesAfter(db, before.number, last, batchesMax), before, rowsMax[kind])
    const end = batches.at(-1)
    if (end === undefined) return { ...walk, last: before }
    const written = await writtenRows(
      db,
      before.endPosition ?? 0n,
      batches.map(({ endPosition }) => endPosition),
    )
    const links = await linksOf(db, batches[0]?.number ?? 0n, end.number)
    for (const [index, batch] of batches.entries()) {
      const rows = written[index] ?? []
      const { postings, events } = sumOf(rows)
      walk.postings += postings
      walk.events += events
      const found = differencesOf(before, batch, links.get(batch.number) ?? [], rows, walk.links)
      if (!(await signing.isSignedBy(batch.key, gatewayHeadText(batch), batch.signature)))
        found.push({ batch: batch.number, detail: 'it does not have the signature of this gateway' })
      if (before.key !== undefined && batch.key < before.key)
        found.push({
          batch: batch.number,
          detail: `it is signed by key ${batch.key}, after key ${before.key}`,
        })
      found.push(...times.differencesOf(batch, rows))
      if (walk.differences.length < differencesMax) walk.differences.push(...found)
      before = batch
      await afterOthers()
    }
  }
}

function portionOf(batches: readonly ChainBatch[], before: Before, max: bigint): ChainBatch[] {
  const portion: ChainBatch[] = []
  for (const batch of batches) {
    const rows = batch.postings - before.postings + batch.events - before.events
    if (portion.length > 0 && rows > max) break
    portion.push(batch)
  }
  return portion
}

/** Continues from the stored hash, so that one change is reported as one difference. */
function differencesOf(
  before: Before,
  batch: ChainBatch,
  stored: readonly ChainLink[],
  written: readonly WrittenRows[],
  lastLinks: Map<bigint, Before>,
): Difference[] {
  const found: Difference[] = []
  const differ = (detail: string, walletId?: bigint) =>
    found.push({ batch: batch.number, detail, ...(walletId !== undefined && { walletId }) })
  if (batch.number !== before.number + 1n)
    differ(`it follows batch ${before.number}: the batches between are missing`)
  const rowsOf = new Map(written.map((rows) => [rows.walletId, rows]))
  const linkOf = new Map(stored.map((link) => [link.walletId, link]))
  for (const walletId of new Set([...linkOf.keys(), ...rowsOf.keys()])) {
    const rows = rowsOf.get(walletId) ?? noRows(walletId)
    const link = linkOf.get(walletId)
    const last = lastLinks.get(walletId) ?? nothingBefore
    if (link === undefined) differ(`${counted(rows)} exist, but none were chained`, walletId)
    else {
      const detail = differenceOf(last, link, rows)
      if (detail !== undefined) differ(detail, walletId)
      lastLinks.set(walletId, link)
    }
  }
  if (hashOf(batchText(before, batch.endPosition, stored)) !== batch.hash)
    differ('its hash does not match its links and the batch before')
  const chained = { postings: batch.postings - before.postings, events: batch.events - before.events }
  const counts = sumOf(written)
  if (chained.postings !== counts.postings || chained.events !== counts.events)
    differ(`${counted(chained)} were chained in it, but ${counted(counts)} exist`)
  return found
}

function differenceOf(last: Before, link: ChainLink, rows: WrittenRows): string | undefined {
  const expected = nextLink(last, link.batch, rows)
  const chained = { postings: link.postings - last.postings, events: link.events - last.events }
  if (link.number !== expected.number)
    return `link ${link.number} of the wallet follows link ${last.number}: the links between are missing`
  if (chained.postings !== rows.postings || chained.events !== rows.events)
    return `${counted(chained)} were chained in link ${link.number} of the wallet, but ${counted(rows)} exist`
  if (link.hash !== expected.hash)
    return `${counted(rows)} have changed since they were chained in link ${link.number} of the wallet`
  return undefined
}

function noRows(walletId: bigint): WrittenRows {
  const none = { postingsHash: undefined, eventsHash: undefined, earliest: undefined, latest: undefined }
  return { walletId, postings: 0n, events: 0n, ...none }
}

function sumOf(rows: readonly WrittenRows[]): { postings: bigint; events: bigint } {
  let [postings, events] = [0n, 0n]
  for (const row of rows) {
    postings += row.postings
    events += row.events
  }
  return { postings, events }
}

function counted({ postings, events }: { readonly postings: bigint; readonly events: bigint }): string {
  const plural = (count: bigint, one: string) => `${count} ${one}${count === 1n ? '' : 's'}`
  return `${plural(postings, 'posting')} and ${plural(events, 'event')}`
}

export function inWords(differences: readonly Difference[]): { subject: string; detail: string }[] {
  return differences.map(({ walletId, batch, detail }) => ({
    subject: `batch ${batch}${walletId === undefined ? '' : `, wallet ${walletId}`}`,
    detail,
  }))
}
