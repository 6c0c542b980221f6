// The two secrets of callbacks: the Basic password, which is sent, and the signing secret, which never is.
import { type Randomness, randomBase62 } from '../../kernel/random.ts'
import { open, seal } from '../../kernel/sealing.ts'
import { after, day, type Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import { callbackSecretAssociatedData, signingSecretAssociatedData, type WalletsDeps } from '../deps.ts'
import type { CallbackCredentials } from '../model.ts'
import {
  type PreviousSecret,
  replaceCallbackSecret,
  type WalletRecord,
  writeSigningSecret,
} from '../store.ts'

/** 238 bits. */
const passwordLength = 40
/** 192 bits, the least that Standard Webhooks allows, and base64 without padding. */
const signingSecretBytes = 24
/** How long callbacks still carry what was before a rotation (CONTRACT section 4). */
const overlapMs = day

type Sealing = Pick<WalletsDeps, 'keyring' | 'random'>

export function newPassword(random: Randomness): string {
  return randomBase62(random, passwordLength)
}

/** In the form of Standard Webhooks, whose libraries take it as it is. */
export function newSigningSecret(random: Randomness): string {
  return `whsec_${Buffer.from(random.bytes(signingSecretBytes)).toString('base64')}`
}

export function sealPassword({ keyring, random }: Sealing, publicId: string, password: string): Buffer {
  return seal(keyring, password, callbackSecretAssociatedData(publicId), random)
}

export function sealSigningSecret({ keyring, random }: Sealing, publicId: string, secret: string): Buffer {
  return seal(keyring, secret, signingSecretAssociatedData(publicId), random)
}

/** What callbacks to the merchant are authorized and signed with; throws for who is no merchant. */
export function credentialsOf(
  { keyring }: Pick<WalletsDeps, 'keyring'>,
  record: WalletRecord,
  now: Instant,
): CallbackCredentials {
  const { wallet, callbackSecretSealed, signingSecretSealed } = record
  if (wallet.callbackUser === null || callbackSecretSealed === null || signingSecretSealed === null) {
    throw new Error(`wallet ${wallet.id} receives no callbacks`)
  }
  const openAt = (associatedData: string) => (sealed: Uint8Array) =>
    open(keyring, sealed, associatedData).toString()
  const current = (previous: PreviousSecret | undefined) =>
    previous !== undefined && now < previous.until ? [previous.sealed] : []
  const passwords = [callbackSecretSealed, ...current(record.callbackSecretPrevious)].map(
    openAt(callbackSecretAssociatedData(wallet.publicId)),
  )
  const [secret = '', previousSecret] = passwords
  const credentials = { user: wallet.callbackUser, secret, ...(previousSecret && { previousSecret }) }
  const signingSecrets = [signingSecretSealed, ...current(record.signingSecretPrevious)].map(
    openAt(signingSecretAssociatedData(wallet.publicId)),
  )
  return { ...credentials, signingSecrets }
}

/** Which secrets a merchant has, without them. */
export interface SecretsInUse {
  /** The user name of callbacks. */
  readonly callbackUser: string | null
  /** Until when the Basic password before the last rotation is still tried; undefined: it is not. */
  readonly passwordOverlapUntil: Instant | undefined
  /** Until when callbacks are signed with the signing secret before, too. */
  readonly signingOverlapUntil: Instant | undefined
  readonly hasEsbToken: boolean
}

export function secretsInUse(record: WalletRecord, now: Instant): SecretsInUse {
  const until = (previous: PreviousSecret | undefined) =>
    previous !== undefined && now < previous.until ? previous.until : undefined
  return {
    callbackUser: record.wallet.callbackUser,
    passwordOverlapUntil: until(record.callbackSecretPrevious),
    signingOverlapUntil: until(record.signingSecretPrevious),
    hasEsbToken: record.esbTokenDigest !== null,
  }
}

/**
 * {@link credentialsOf}, opened once for each record that was read: opening them costs more than a callback's other
 * work. Records are read again after seconds and whenever their secrets change.
 */
export function rememberedCredentials(
  deps: Pick<WalletsDeps, 'keyring'>,
): (record: WalletRecord, now: Instant) => CallbackCredentials {
  const opened = new WeakMap<
    WalletRecord,
    { readonly offered: string; readonly credentials: CallbackCredentials }
  >()
  return (record, now) => {
    const previous = [record.callbackSecretPrevious, record.signingSecretPrevious]
    const offered = previous.map((secret) => secret !== undefined && now < secret.until).join()
    const known = opened.get(record)
    if (known?.offered === offered) return known.credentials
    const credentials = credentialsOf(deps, record, now)
    opened.set(record, { offered, credentials })
    return credentials
  }
}

/** Gives the merchant a new Basic password; the old one is offered for 24 hours more. */
export async function rotatePassword(deps: WalletsDeps, tx: Executor, record: WalletRecord): Promise<string> {
  const { id, publicId } = record.wallet
  const now = deps.clock.now()
  const password = newPassword(deps.random)
  await replaceCallbackSecret(tx, id, sealPassword(deps, publicId, password), now, after(now, overlapMs))
  return password
}

/** Gives the merchant a new signing secret; callbacks are signed with the old one too for 24 hours more. */
export async function rotateSigningSecret(
  deps: WalletsDeps,
  tx: Executor,
  record: WalletRecord,
): Promise<string> {
  const { id, publicId } = record.wallet
  const now = deps.clock.now()
  const [old = ''] = credentialsOf(deps, record, now).signingSecrets
  const previous = { sealed: sealSigningSecret(deps, publicId, old), until: after(now, overlapMs) }
  const secret = newSigningSecret(deps.random)
  await writeSigningSecret(tx, id, sealSigningSecret(deps, publicId, secret), previous, now)
  return secret
}

/** Replaces both where they cannot be opened any more, because the master key is another one. */
export async function replaceLostSecrets(
  deps: WalletsDeps,
  tx: Executor,
  { id, publicId }: WalletRecord['wallet'],
): Promise<{ readonly secret: string; readonly signingSecret: string }> {
  const now = deps.clock.now()
  const secret = newPassword(deps.random)
  const signingSecret = newSigningSecret(deps.random)
  await replaceCallbackSecret(tx, id, sealPassword(deps, publicId, secret), now, null)
  await writeSigningSecret(tx, id, sealSigningSecret(deps, publicId, signingSecret), null, now)
  return { secret, signingSecret }
}
