// Consumers: people with a balance, who log in with e-mail and PIN (CONTRACT section 13).
import { scrypt, timingSafeEqual } from 'node:crypto'
import { type Randomness, randomBase62 } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, day, type Instant, toTimestamp } from '../kernel/time.ts'
import type { Executor } from '../storage/index.ts'
import {
  findPinDigest,
  findPinLock,
  findUnknownLock,
  forgetPinTries,
  insertConsumer,
  takePinTry,
  takeUnknownTry,
  writePin,
} from './consumer-store.ts'
import type { WalletsDeps } from './deps.ts'
import { digestOf, pepperFor } from './keys/credentials.ts'
import { checkEmail, checkPhone } from './settings.ts'

const publicIdLength = 16
/** The database counts them: `pin_failures` in consumer-store.ts and its check in the schema. */
const pinTriesMax = 3
/** Long enough that three guesses a day at 10 000 PINs lead nowhere. */
const pinLockMs = day
/** Tries under unknown e-mails are kept this long after the last one. */
const unknownTriesKeptMs = 30 * day
const pinPattern = /^\d{4,8}$/
const saltBytes = 16
const pinHashBytes = 32
/** About 50 ms and 16 MiB each: a stolen table of PINs is slow to search, even with the pepper. */
const scryptCost = { N: 16_384, r: 8, p: 1 }

export interface NewConsumer {
  readonly email: string
  readonly pin: string
  readonly phone?: string
}

/**
 * Makes a consumer's wallet; its balance starts at zero.
 *
 * Refusals: invalid_parameter when the e-mail, the phone or the PIN (4 to 8 digits) is none, or the e-mail is taken.
 */
export async function createConsumer(
  deps: WalletsDeps,
  tx: Executor,
  consumer: NewConsumer,
): Promise<Result<bigint>> {
  const email = checkEmail(consumer.email)
  if (!email.ok) return email
  const phone = consumer.phone === undefined ? ok(null) : checkPhone(consumer.phone)
  if (!phone.ok) return phone
  if (!pinPattern.test(consumer.pin)) return refuse('invalid_parameter', 'pin must be 4 to 8 digits')
  const walletId = await insertConsumer(tx, {
    publicId: randomBase62(deps.random, publicIdLength),
    email: email.value,
    phone: phone.value,
    pinDigest: await newPinDigest(deps, consumer.pin),
    now: deps.clock.now(),
  })
  if (walletId === undefined) return refuse('invalid_parameter', `email ${email.value} already has a wallet`)
  await deps.openAccounts(tx, walletId, 'consumer')
  return ok(walletId)
}

/**
 * The wallet of the consumer who knows the PIN. Each try is counted before it is judged, so that guesses
 * made at once count too; a right PIN clears the count.
 *
 * Refusals: authentication_failed, in the same words for an unknown e-mail and a wrong PIN;
 * pin_retries_exhausted for 24 hours after three wrong ones.
 */
export async function logInConsumer(deps: WalletsDeps, email: string, pin: string): Promise<Result<bigint>> {
  const now = deps.clock.now()
  const lockEnd = after(now, pinLockMs)
  const address = checkEmail(email)
  if (!address.ok) return wrongPin()
  const pinTry = await takePinTry(deps.database, address.value, now, lockEnd)
  if (pinTry === undefined) {
    const lockedUntil = await findPinLock(deps.database, address.value, now)
    if (lockedUntil !== undefined) return noTriesLeft(lockedUntil)
    return tryUnknown(deps, address.value, pin, now)
  }
  if (await pinMatches(deps, pin, pinTry.pinDigest)) {
    await forgetPinTries(deps.database, pinTry.walletId)
    return ok(pinTry.walletId)
  }
  return pinTry.isLast ? noTriesLeft(lockEnd) : wrongPin()
}

/** An unknown e-mail is answered like a wrong PIN: with the same words, lock and time of hashing. */
async function tryUnknown(
  deps: WalletsDeps,
  email: string,
  pin: string,
  now: Instant,
): Promise<Result<never>> {
  const { database, keyring } = deps
  const digest = digestOf(pepperFor(keyring, 'pin'), `unknown ${email.toLowerCase()}`)
  const lockEnd = after(now, pinLockMs)
  const forgetBefore = after(now, -unknownTriesKeptMs)
  const unknownTry = await takeUnknownTry(database, digest, { now, lockEnd, forgetBefore })
  if (unknownTry === undefined) return noTriesLeft((await findUnknownLock(database, digest, now)) ?? lockEnd)
  await newPinDigest(deps, pin)
  return unknownTry.isLast ? noTriesLeft(lockEnd) : wrongPin()
}

/** Gives the consumer another PIN and resets the count of tries. */
export async function replacePin(
  deps: WalletsDeps,
  tx: Executor,
  walletId: bigint,
  pin: string,
): Promise<void> {
  await writePin(tx, walletId, await newPinDigest(deps, pin), deps.clock.now())
}

/** Whether `pin` is the consumer's, without counting a try: for the gateway itself, never for a visitor. */
export async function isPinOf(
  deps: WalletsDeps,
  db: Executor,
  walletId: bigint,
  pin: string,
): Promise<boolean> {
  const digest = await findPinDigest(db, walletId)
  return digest !== undefined && pinMatches(deps, pin, digest)
}

/** `length` random digits. */
export function randomPin(random: Randomness, length: number): string {
  let pin = ''
  // 250 is the largest multiple of 10 in a byte: above it some digits would be likelier.
  while (pin.length < length) for (const byte of random.bytes(1)) if (byte < 250) pin += byte % 10
  return pin
}

function wrongPin(): Result<never> {
  return refuse(
    'authentication_failed',
    `the e-mail or the PIN is wrong; ${pinTriesMax} wrong PINs lock the wallet`,
  )
}

function noTriesLeft(until: Instant): Result<never> {
  return refuse(
    'pin_retries_exhausted',
    `the PIN was wrong ${pinTriesMax} times: try again after ${toTimestamp(until)}`,
  )
}

async function pinMatches(deps: WalletsDeps, pin: string, digest: Uint8Array): Promise<boolean> {
  const presented = await pinDigest(deps, pin, digest.subarray(0, saltBytes))
  return timingSafeEqual(presented, digest)
}

function newPinDigest(deps: WalletsDeps, pin: string): Promise<Buffer> {
  return pinDigest(deps, pin, deps.random.bytes(saltBytes))
}

/** Salt and hash in one piece. The pepper makes the digest useless without more than the database. */
function pinDigest(deps: WalletsDeps, pin: string, salt: Uint8Array): Promise<Buffer> {
  const pepperedSalt = Buffer.concat([pepperFor(deps.keyring, 'pin').export(), salt])
  return new Promise((resolve, reject) => {
    scrypt(pin, pepperedSalt, pinHashBytes, scryptCost, (error, hash) => {
      if (error === null) resolve(Buffer.concat([salt, hash]))
      else reject(error)
    })
  })
}
