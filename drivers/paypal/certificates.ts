// The check of a PayPal webhook's signature: the signed text, the certificate and its chain.
import { verify, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { crc32 } from 'node:zlib'
import type { Connection, DriverTools, ReceivedWebhook } from '../../src/connections/index.ts'
import { after, day, type Instant, instant, minute } from '../../src/kernel/time.ts'

/** A certificate authority gives a certificate for this domain only to PayPal. */
const signerName = '.paypal.com'
const chainLengthMax = 5

export interface Transmission {
  readonly id: string
  readonly certificateUrl: string
  readonly signature: string
  readonly text: string
}

/** The text that PayPal signed, made from the headers and the raw body. Undefined if a header is missing. */
export function transmissionOf(
  { headers, rawBody }: ReceivedWebhook,
  webhookId: string,
): Transmission | undefined {
  const id = headers['paypal-transmission-id']
  const time = headers['paypal-transmission-time']
  const signature = headers['paypal-transmission-sig']
  const certificateUrl = headers['paypal-cert-url']
  if (id === undefined || time === undefined || signature === undefined || certificateUrl === undefined)
    return undefined
  return { id, certificateUrl, signature, text: `${id}|${time}|${webhookId}|${crc32(rawBody)}` }
}

/**
 * Whether the address of the certificate is on PayPal's host, over https. With another address, an attacker could
 * sign with a certificate of their own.
 */
export function isCertificateAddress(text: string, apiBase: string): boolean {
  const url = URL.parse(text)
  const base = new URL(apiBase)
  const hosts = [base.host, base.host.replace(/^api-m\./, 'api.')]
  return (
    url !== null &&
    url.protocol === base.protocol &&
    hosts.includes(url.host) &&
    url.username + url.password === '' &&
    url.pathname.startsWith('/v1/notifications/certs/')
  )
}

/** The certificates in a PEM file. The signer's certificate comes first. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** @param roots trusted certificates besides those of Node */
export function isSigned(
  { text, signature }: Pick<Transmission, 'text' | 'signature'>,
  chain: readonly X509Certificate[],
  now: Instant,
  roots: readonly X509Certificate[],
): boolean {
  const [signer, ...others] = chain
  if (
    signer === undefined ||
    !isPaypals(signer) ||
    !isTrusted(signer, others, now, [...nodesRoots(), ...roots])
  )
    return false
  return verify('RSA-SHA256', Buffer.from(text), signer.publicKey, Buffer.from(signature, 'base64'))
}

let known: readonly X509Certificate[] | undefined

function nodesRoots(): readonly X509Certificate[] {
  known ??= rootCertificates.map((pem) => new X509Certificate(pem))
  return known
}

function isPaypals({ subject }: X509Certificate): boolean {
  const names = subject.split('\n').filter((line) => line.startsWith('CN='))
  return names.length === 1 && names[0]?.toLowerCase().endsWith(signerName) === true
}

/** Whether each certificate is valid now and signed by the next one, up to a trusted root. */
function isTrusted(
  signer: X509Certificate,
  others: readonly X509Certificate[],
  now: Instant,
  roots: readonly X509Certificate[],
): boolean {
  let current = signer
  for (let length = 0; length < chainLengthMax; length++) {
    if (!isValid(current, now)) return false
    const issued = (by: X509Certificate) => current.checkIssued(by) && current.verify(by.publicKey)
    const root = roots.find(issued)
    if (root !== undefined) return isValid(root, now)
    const next = others.find((one) => one.ca && issued(one))
    if (next === undefined) return false
    current = next
  }
  return false
}

function isValid({ validFromDate, validToDate }: X509Certificate, now: Instant): boolean {
  return instant(validFromDate.valueOf()) <= now && now <= instant(validToDate.valueOf())
}

interface Chains {
  /** Chains by address. Each is kept for a day. */
  readonly known: Map<string, { readonly chain: readonly X509Certificate[]; readonly until: Instant }>
  fetches: number
  minuteEnds: Instant
}

const newChains = (): Chains => ({ known: new Map(), fetches: 0, minuteEnds: instant(0) })

const chainsMax = 20
/** The limit of downloads a minute, because anyone can send webhooks that name certificates. */
const fetchesMax = 20

/** Downloads the certificates at an address at most once a day. */
export async function chainAt(
  { kept }: Pick<Connection, 'kept'>,
  url: string,
  { clock, fetch }: Pick<DriverTools, 'clock' | 'fetch'>,
): Promise<readonly X509Certificate[]> {
  const chains = kept(newChains)
  const now = clock.now()
  const known = chains.known.get(url)
  if (known !== undefined && now < known.until) return known.chain
  if (now >= chains.minuteEnds) Object.assign(chains, { minuteEnds: after(now, minute), fetches: 0 })
  chains.fetches += 1
  if (chains.fetches > fetchesMax && known !== undefined) return known.chain
  if (chains.fetches > fetchesMax) throw new Error('too many certificates were named within a minute')
  const response = await fetch(url)
  if (!response.ok) throw new Error(`PayPal’s certificate: HTTP ${response.status}`)
  const chain = certificatesIn(await response.text())
  if (chains.known.size >= chainsMax) chains.known.clear()
  chains.known.set(url, { chain, until: after(now, day) })
  return chain
}
