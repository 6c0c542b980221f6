// Proves that the history has not changed since a head.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import type { ChainBatch, ChainLink, Difference } from '../model.ts'
import type { Signing } from '../signing.ts'
import { findBatches, findLink, lastBatch, lastLinks } from '../store.ts'
import { type Comparing, compareWithChain, inWords } from './compare.ts'
import { type GivenHead, readHead } from './given-head.ts'

export interface Proof {
  readonly ok: boolean
  readonly postings: bigint
  readonly events: bigint
  readonly committedUntil: Instant | undefined
  readonly differences: readonly { readonly subject: string; readonly detail: string }[]
}

/** `given`: a head as JSON, or `<number>:<hash>`. Refusals: invalid_parameter. */
export async function proveSince(
  db: Executor,
  comparing: Comparing,
  given: string,
  walletId: bigint | undefined,
): Promise<Result<Proof>> {
  const read = readHead(given, walletId)
  if (!read.ok) return read
  const head = read.value
  if (head.signed !== undefined && !(await isOurs(head, comparing.signing)))
    return refuse('invalid_parameter', 'the head does not have the signature of this gateway')
  return ok(await compareWithHead(db, head, comparing))
}

async function isOurs(
  { key = 0, signed = '', signature = '' }: GivenHead,
  signing: Signing,
): Promise<boolean> {
  return key > 0 && (await signing.isSignedBy(key, signed, signature))
}

async function compareWithHead(db: Executor, head: GivenHead, comparing: Comparing): Promise<Proof> {
  const { walletId } = head
  const link = walletId === undefined ? undefined : await findLink(db, walletId, head.number)
  const batchNumber = walletId === undefined ? head.number : (head.gateway?.number ?? link?.batch)
  const batch = batchNumber === undefined ? undefined : await batchAt(db, batchNumber)
  const end = batch ?? (await lastBatch(db))
  const compared = await compareWithChain(db, end?.number ?? 0n, comparing)
  const atHead = await differencesAtHead(db, head, { link, batch })
  const differences = inWords([...compared.differences, ...atHead])
  const { postings, events } = link ?? compared
  return { ok: differences.length === 0, postings, events, committedUntil: end?.committedUntil, differences }
}

async function batchAt(db: Executor, number: bigint): Promise<ChainBatch | undefined> {
  return (await findBatches(db, [number])).get(number)
}

interface Stored {
  readonly link: ChainLink | undefined
  readonly batch: ChainBatch | undefined
}

async function differencesAtHead(
  db: Executor,
  head: GivenHead,
  { link, batch }: Stored,
): Promise<Difference[]> {
  const { walletId } = head
  const found: Difference[] = []
  const gateway = walletId === undefined ? head : head.gateway
  if (gateway !== undefined && batch?.hash !== gateway.hash) {
    const last = await lastBatch(db)
    const number = gateway.number
    found.push({ batch: number, detail: missingOrOther(batch, last?.number, 'the chain', number) })
  }
  if (walletId !== undefined && link?.hash !== head.hash) {
    const last = (await lastLinks(db, [walletId])).get(walletId)
    const detail = missingOrOther(link, last?.number, 'the wallet’s chain', head.number)
    found.push({ walletId, batch: link?.batch ?? 0n, detail })
  }
  return found
}

function missingOrOther(
  stored: { readonly hash: string } | undefined,
  last: bigint | undefined,
  chain: string,
  number: bigint,
): string {
  return stored === undefined
    ? `${chain} ends at ${last ?? 0n}, before the head ${number} that was signed`
    : `at ${number} ${chain} has the hash ${stored.hash}, not the signed one: earlier records were rewritten`
}
