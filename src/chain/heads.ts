// Signed heads: the end of a wallet's or the gateway's chain.
import { ok, type Result, refuse } from '../kernel/result.ts'
import { type Clock, type Instant, instant } from '../kernel/time.ts'
import type { Executor } from '../storage/index.ts'
import type { ChainBatch, ChainLink } from './model.ts'
import { gatewayHeadText, walletHeadText } from './rules.ts'
import type { Signing } from './signing.ts'
import { findBatches, lastBatch, lastLinks, readProgress } from './store.ts'

export interface SignedHead {
  readonly number: bigint
  readonly hash: string
  readonly postings: bigint
  readonly events: bigint
  /** Everything committed before this moment is included. Absent in the first round. */
  readonly committedUntil: Instant | undefined
  readonly key: number
  readonly signature: string
  readonly signed: string
}

export interface WalletHead extends SignedHead {
  readonly walletId: bigint
  readonly gateway: Pick<ChainBatch, 'number' | 'hash'>
  readonly completeUntil: Instant | undefined
}

export interface HeadDeps {
  readonly database: Executor
  readonly clock: Clock
}

export async function gatewayHead(db: Executor): Promise<SignedHead | undefined> {
  const batch = await lastBatch(db)
  return batch && { ...batch, committedUntil: batch.committedUntil, signed: gatewayHeadText(batch) }
}

/** The last link of a wallet. Refusals: not_found before the first one, a minute after the first payment. */
export async function walletHead(
  { database, clock }: HeadDeps,
  walletId: bigint,
): Promise<Result<WalletHead>> {
  const { committedUntil } = await readProgress(database)
  const [head] = await walletHeads(database, [walletId])
  if (head === undefined)
    return refuse(
      'not_found',
      'nothing of this wallet is chained yet: there is a head one minute after its first payment',
    )
  // The stored time is not signed, so it counts only up to the present.
  const completeUntil = committedUntil && instant(Math.min(committedUntil, clock.now()))
  return ok({ ...head, completeUntil })
}

export async function walletHeads(
  db: Executor,
  walletIds: readonly bigint[],
): Promise<Omit<WalletHead, 'completeUntil'>[]> {
  const links = await lastLinks(db, walletIds)
  const batches = await findBatches(
    db,
    [...links.values()].map(({ batch }) => batch),
  )
  return [...links.values()].flatMap((link) => {
    const batch = batches.get(link.batch)
    return batch === undefined ? [] : [headOf(link, batch)]
  })
}

/** Returns the heads with invalid signatures. It verifies them outside the main thread. */
export async function forgedAmong<Head extends SignedHead>(
  signing: Signing,
  heads: readonly Head[],
): Promise<Head[]> {
  const areSigned = await Promise.all(
    heads.map(({ key, signed, signature }) => signing.isSignedBy(key, signed, signature)),
  )
  return heads.filter((_, index) => areSigned[index] === false)
}

function headOf(link: ChainLink, batch: ChainBatch) {
  const { number, hash, committedUntil, key } = batch
  const { walletId, signature, postings, events } = link
  return {
    ...{ walletId, number: link.number, hash: link.hash, postings, events, committedUntil, key, signature },
    gateway: { number, hash },
    signed: walletHeadText(link, batch),
  }
}

export async function publicKeys(
  db: Executor,
  signing: Signing,
): Promise<{ key: number; publicKey: string }[]> {
  const { key } = await readProgress(db)
  return Array.from({ length: key }, (_, index) => ({
    key: index + 1,
    publicKey: signing.publicKey(index + 1),
  }))
}
