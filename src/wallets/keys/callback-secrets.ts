// The Basic password and the signing secret of callbacks.
import { type Randomness, randomBase62 } from '../../kernel/random.ts'
import { open, openIfWhole, seal } from '../../kernel/sealing.ts'
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

const passwordLength = 40
/** 192 bits, the minimum of Standard Webhooks, and base64 without padding. */
const signingSecretBytes = 24
/** Overlap of old and new secret after a rotation (CONTRACT section 4). */
const overlapMs = day

type Sealing = Pick<WalletsDeps, 'keyring' | 'random'>

export function newPassword(random: Randomness): string {
  return randomBase62(random, passwordLength)
}

export function newSigningSecret(random: Randomness): string {
  return `whsec_${Buffer.from(random.bytes(signingSecretBytes)).toString('base64')}`
}

export function sealPassword({ keyring, random }: Sealing, publicId: string, password: string): Buffer {
  return seal(keyring, password, callbackSecretAssociatedData(publicId), random)
}

export function sealSigningSecret({ keyring, random }: Sealing, publicId: string, secret: string): Buffer {
  return seal(keyring, secret, signingSecretAssociatedData(publicId), random)
}

/** The credentials of callbacks to the merchant; throws for a consumer. */
export function credentialsOf(
  { keyring }: Pick<WalletsDeps, 'keyring'>,
  record: WalletRecord,
  now: Instant,
): CallbackCredentials {
  const { wallet, callbackSecretSealed, signingSecretSealed } = record
  if (wallet.callbackUser === null || callbackSecretSealed === null || signingSecretSealed === null) {
    throw new Error(`wallet ${wallet.id} receives no callbacks`)
  }
  const opened = (current: Uint8Array, previous: PreviousSecret | undefined, associatedData: string) => {
    const isOffered = previous !== undefined && now < previous.until
    const old = isOffered ? openIfWhole(keyring, previous.sealed, associatedData) : undefined
    return [open(keyring, current, associatedData), ...(old === undefined ? [] : [old])].map(String)
  }
  const [secret = '', previousSecret] = opened(
    callbackSecretSealed,
    record.callbackSecretPrevious,
    callbackSecretAssociatedData(wallet.publicId),
  )
  const credentials = { user: wallet.callbackUser, secret, ...(previousSecret && { previousSecret }) }
  const signingSecrets = opened(
    signingSecretSealed,
    record.signingSecretPrevious,
    signingSecretAssociatedData(wallet.publicId),
  )
  return { ...credentials, signingSecrets }
}

export interface SecretsInUse {
  readonly callbackUser: string | null
  /** End of the overlap after a rotation of the password; undefined without one. */
  readonly passwordOverlapUntil: Instant | undefined
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

/** {@link credentialsOf} with a cache per record, because opening the seals costs more than the rest of a callback. */
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

/** Sets a new Basic password; callbacks still try the old one for 24 hours. */
export async function rotatePassword(deps: WalletsDeps, tx: Executor, record: WalletRecord): Promise<string> {
  const { id, publicId } = record.wallet
  const now = deps.clock.now()
  const password = newPassword(deps.random)
  await replaceCallbackSecret(tx, id, sealPassword(deps, publicId, password), now, after(now, overlapMs))
  return password
}

/** Sets a new signing secret; callbacks are also signed with the old one for 24 hours. */
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

/** Replaces both secrets after a change of the master key. */
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
