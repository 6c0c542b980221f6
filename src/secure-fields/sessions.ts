// Sessions of frames: sealed tokens, so they need no table.
import { isUuid, newId, type Randomness } from '../kernel/random.ts'
import { type Keyring, open, SealBroken, seal } from '../kernel/sealing.ts'
import { type Instant, instant } from '../kernel/time.ts'
import type { Session } from './model.ts'

const associatedData = 'secure fields session'

export function issueSession(
  { keyring, random }: { readonly keyring: Keyring; readonly random: Randomness },
  merchant: string,
  now: Instant,
): string {
  const text = [newId(now, random), merchant, now].join(' ')
  return seal(keyring, text, associatedData, random).toString('base64url')
}

export function readSession(keyring: Keyring, token: string): Session | undefined {
  const [id = '', merchant = '', issuedAt] = opened(keyring, token).split(' ')
  return isUuid(id) ? { id, merchant, issuedAt: instant(Number(issuedAt)) } : undefined
}

function opened(keyring: Keyring, token: string): string {
  try {
    return open(keyring, Buffer.from(token, 'base64url'), associatedData).toString()
  } catch (error) {
    if (error instanceof SealBroken) return ''
    throw error
  }
}
