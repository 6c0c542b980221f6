// Web addresses that merchants name, for browsers and for callbacks; and the shape of e-mail addresses.
import { isIP } from 'node:net'
import { ok, type Result, refuse } from '../result.ts'

/** Longer ones do not pass through every browser and proxy. */
const urlLengthMax = 2048

/** URL parsers let through hosts that no name server knows, and that would read as more than a host in a header. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/**
 * Whether an address carries a user name or a password, or the `@` that would end them: such a secret would end
 * up in logs, `Referer` headers and callbacks.
 */
export function holdsCredentials(address: string, parsed = URL.parse(address)): boolean {
  return (
    (parsed !== null && parsed.username + parsed.password !== '') || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(address)
  )
}

/** An absolute http(s) URL without user name and password; in production https only. Kept as it was written. */
export function webAddress(text: string, field: string, mode: 'sandbox' | 'production'): Result<string> {
  const schemes = mode === 'production' ? ['https:'] : ['https:', 'http:']
  const wanted = `${field} must be an absolute ${schemes.map((scheme) => scheme.slice(0, -1)).join(' or ')} URL`
  if (text.length > urlLengthMax)
    return refuse('invalid_parameter', `${wanted} of at most ${urlLengthMax} characters`)
  const parsed = URL.parse(text)
  const written =
    parsed !== null &&
    hostPattern.test(parsed.hostname) &&
    schemes.includes(parsed.protocol) &&
    /^[\x21-\x7e\u00a1-\uffff]+$/.test(text)
  if (!written || !/^https?:\/\//i.test(text)) return refuse('invalid_parameter', wanted)
  if (holdsCredentials(text, parsed))
    return refuse('invalid_parameter', `${wanted} without user name and password`)
  return ok(text)
}

/** `address` for a header such as Location, which holds ASCII only; it leads to the same place. */
export function asciiAddress(address: string): string {
  if (/^[\x21-\x7e]*$/.test(address)) return address
  return URL.parse(address)?.href ?? encodeURI(address)
}

export const loopbackNames: readonly string[] = ['localhost', '[::1]']

/** Whether the host name of a URL is this machine for whoever is on it. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.includes(name) || (isIP(name) === 4 && name.startsWith('127.'))
}

/** Whether what is sent to an address is read by nobody between: plain http stays on this machine. */
export function isPrivateInTransit({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

/** Long enough for any address; longer is no person's. */
const emailLengthMax = 100
const emailPattern = /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"']+$/

/** Whether `text` has the shape of an e-mail address, without spaces around it. */
export function isEmailAddress(text: string): boolean {
  return text.length <= emailLengthMax && emailPattern.test(text)
}
