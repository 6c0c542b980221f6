// Unsubscribing: sealed tokens and the addresses that want no more mail.
import { hash } from 'node:crypto'
import { cellPrefix, type Randomness, withoutCellPrefix } from '../kernel/random.ts'
import { type Keyring, open, SealBroken, seal } from '../kernel/sealing.ts'
import type { Instant } from '../kernel/time.ts'
import { type Executor, statement } from '../storage/index.ts'
import { type MailKind, mailKinds, mailStops } from './model.ts'

export const stopPath = '/mail/stop'
const associatedData = 'mail stop'

export interface Stop {
  readonly walletId: bigint
  readonly kind: MailKind
  /** SHA-256 of the address in small letters. */
  readonly digest: Buffer
}

export function stopOf(walletId: bigint, kind: MailKind, address: string): Stop {
  return { walletId, kind, digest: hash('sha256', address.toLowerCase(), 'buffer') }
}

/**
 * A token that can only stop mail of one kind from one merchant to one address. Nobody can make one up. It begins with
 * the cell. The digest keeps it short, because the address may be longer than a part of a path.
 */
export function stopToken(
  { keyring, random }: { readonly keyring: Keyring; readonly random: Randomness },
  { walletId, kind, digest }: Stop,
): string {
  const facts = JSON.stringify([String(walletId), kind, digest.toString('base64')])
  return cellPrefix(random) + seal(keyring, facts, associatedData, random).toString('base64url')
}

/** Tokens of earlier versions have no cell, and the address in place of its digest. */
export function readStopToken(keyring: Keyring, token: string): Stop | undefined {
  try {
    const facts = open(keyring, Buffer.from(withoutCellPrefix(token), 'base64url'), associatedData).toString()
    const [walletId, named, addressed] = JSON.parse(facts) as [string, string, string]
    const kind = mailKinds.find((known) => known === named)
    if (kind === undefined) return undefined
    if (addressed.includes('@')) return stopOf(BigInt(walletId), kind, addressed)
    return { walletId: BigInt(walletId), kind, digest: Buffer.from(addressed, 'base64') }
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

const insertStop = statement(`
  insert into mail_stops (${mailStops.list()}) values (${mailStops.placeholders()}) on conflict do nothing`)

export async function addStop(db: Executor, stop: Stop, now: Instant): Promise<void> {
  await db.run(insertStop, mailStops.values({ ...stop, stoppedAt: now }))
}

const selectStop = statement<{ kind: string }>(
  'select kind from mail_stops where wallet_id = $1 and kind = $2 and digest = $3',
)

export async function isStopped(db: Executor, { walletId, kind, digest }: Stop): Promise<boolean> {
  return (await db.run(selectStop, [walletId, kind, digest])).length > 0
}
