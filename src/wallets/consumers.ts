// Consumers: people with a balance and a PIN (CONTRACT section 13).
import { scrypt, timingSafeEqual } from 'node:crypto'
import { cellBase62, type Randomness } from '../kernel/random.ts'
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
/** The statements of consumer-store.ts count up to the same number. */
const pinTriesMax = 3
/** One day: three guesses a day at 10 000 PINs lead nowhere. */
const pinLockMs = day
const unknownTriesKeptMs = 30 * day
const pinPattern = /^\d{4,8}$/
const saltBytes = 16
const pinHashBytes = 32
/** About 50 ms and 16 MiB each, so that a stolen table of PINs is slow to search. */
const scryptCost = { N: 16_384, r: 8, p: 1 }

export interface NewConsumer {
  readonly email: string
  readonly pin: string
  readonly phone?: string
}

/** Refusals: invalid_parameter for a wrong e-mail, phone or PIN (4 to 8 digits), or an e-mail already taken. */
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
    publicId: cellBase62(deps.random, publicIdLength),
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
 * The wallet of the consumer with this PIN. Counting each try before the check stops parallel guesses.
 * Refusals: authentication_failed for an unknown e-mail or a wrong PIN; pin_retries_exhausted for 24 hours after three.
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

/** Answers an unknown e-mail like a wrong PIN: same message, lock and hashing time. */
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

export async function replacePin(
  deps: WalletsDeps,
  tx: Executor,
  walletId: bigint,
  pin: string,
): Promise<void> {
  await writePin(tx, walletId, await newPinDigest(deps, pin), deps.clock.now())
}

/** Compares the PIN without counting a try; only for the gateway's own use. */
export async function isPinOf(
  deps: WalletsDeps,
  db: Executor,
  walletId: bigint,
  pin: string,
): Promise<boolean> {
  const digest = await findPinDigest(db, walletId)
  return digest !== undefined && pinMatches(deps, pin, digest)
}

export function randomPin(random: Randomness, length: number): string {
  let pin = ''
  // 250 is the largest multiple of 10 in a byte; larger bytes would favour some digits.
  while (pin.length < length) for (const byte of random.bytes(1)) if (byte < 250) pin += byte % 10
  return pin
}

function wrongPin(): Result<never> {
  return refuse(
    'authentication_failed',
    `the e-mail or the PIN is wrong; after ${pinTriesMax} wrong PINs the wallet is locked`,
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

/** Salt and hash, with the pepper in the salt: the database alone does not suffice to guess the PIN. */
function pinDigest(deps: WalletsDeps, pin: string, salt: Uint8Array): Promise<Buffer> {
  const pepperedSalt = Buffer.concat([pepperFor(deps.keyring, 'pin').export(), salt])
  return new Promise((resolve, reject) => {
    scrypt(pin, pepperedSalt, pinHashBytes, scryptCost, (error, hash) => {
      if (error === null) resolve(Buffer.concat([salt, hash]))
      else reject(error)
    })
  })
}
