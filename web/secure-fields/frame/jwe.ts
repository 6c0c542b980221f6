// Compact JWE: ECDH-ES on P-256, A256GCM (RFC 7516, RFC 7518).

export interface RecipientKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly y: string
  readonly kid: string
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const enc = 'A256GCM'
const keyBits = 256
const nonceBytes = 12
const text = new TextEncoder()

export async function encryptFor(recipient: RecipientKey, plaintext: string): Promise<string> {
  const { kid, kty, crv, x, y } = recipient
  const { subtle } = crypto
  const [theirs, ours] = await Promise.all([
    subtle.importKey('jwk', { kty, crv, x, y }, curve, false, []),
    subtle.generateKey(curve, true, ['deriveBits']),
  ])
  const [epk, secret] = await Promise.all([
    subtle.exportKey('jwk', ours.publicKey),
    subtle.deriveBits({ name: 'ECDH', public: theirs }, ours.privateKey, keyBits),
  ])
  const derived = await subtle.digest('SHA-256', keyDerivationInput(secret))
  const contentKey = await subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt'])
  const header = base64url(
    text.encode(
      JSON.stringify({ alg: 'ECDH-ES', enc, kid, epk: { kty: epk.kty, crv: epk.crv, x: epk.x, y: epk.y } }),
    ),
  )
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const algorithm = { name: 'AES-GCM', iv, additionalData: text.encode(header) }
  const sealed = new Uint8Array(await subtle.encrypt(algorithm, contentKey, text.encode(plaintext)))
  const tagStart = sealed.length - 16
  // ECDH-ES has no encrypted key, so the second part is empty.
  return [
    header,
    '',
    base64url(iv),
    base64url(sealed.subarray(0, tagStart)),
    base64url(sealed.subarray(tagStart)),
  ].join('.')
}

/** The input of the Concat KDF, which needs one round: counter, secret, algorithm, two empty parties, length. */
function keyDerivationInput(secret: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const numbers = (...values: number[]) => values.flatMap((value) => [0, 0, value >> 8, value & 255])
  return Uint8Array.from([
    ...numbers(1),
    ...new Uint8Array(secret),
    ...numbers(enc.length),
    ...text.encode(enc),
    ...numbers(0, 0, keyBits),
  ])
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
