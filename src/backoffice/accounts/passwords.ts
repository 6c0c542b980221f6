// Password hashes (scrypt).
import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitConcurrency } from '../../kernel/concurrency.ts'
import type { Randomness } from '../../kernel/random.ts'
import { deny } from '../../kernel/result.ts'

export const passwordLengthMin = 12
export const passwordLengthMax = 128

/** Each hash keeps one core busy: two leave threads for others, and the last of 100 waits three seconds. */
const few = limitConcurrency({ running: 2, waiting: 100 })

const hashOf = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)
/** The costs that OWASP recommends (2023): 16 MiB and about 60 ms each. */
const cost = { N: 16_384, r: 8, p: 5, maxmem: 64 * 1024 * 1024 }
const saltBytes = 16
const hashBytes = 32

/** Throws service_unavailable if too many wait. */
async function scryptOf(password: string, salt: Buffer): Promise<Buffer> {
  const hash = await few(() => hashOf(password.normalize('NFKC'), salt, hashBytes, cost))
  return hash ?? deny('service_unavailable', 'too many people sign in at this moment')
}

export async function hashPassword(random: Randomness, password: string): Promise<string> {
  const salt = Buffer.from(random.bytes(saltBytes))
  const hash = await scryptOf(password, salt)
  return `${salt.toString('base64url')}:${hash.toString('base64url')}`
}

export async function verifyPassword({
  hash,
  password,
}: {
  hash: string
  password: string
}): Promise<boolean> {
  const [salt = '', kept = ''] = hash.split(':')
  const wanted = Buffer.from(kept, 'base64url')
  if (wanted.length !== hashBytes) return false
  const got = await scryptOf(password, Buffer.from(salt, 'base64url'))
  return timingSafeEqual(got, wanted)
}
