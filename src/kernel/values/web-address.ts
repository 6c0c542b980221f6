// Web addresses of merchants, and the shape of e-mail addresses.
import { isIP } from 'node:net'
import { ok, type Result, refuse } from '../result.ts'

const urlLengthMax = 2048

/** URL parsers accept hosts that no name server knows. They would be unsafe in a header. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

export function isHostName(host: string): boolean {
  return hostPattern.test(host)
}

/** A user name, password or `@` would get into logs, `Referer` headers and callbacks. */
export function holdsCredentials(address: string, parsed = URL.parse(address)): boolean {
  return (
    (parsed !== null && parsed.username + parsed.password !== '') || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(address)
  )
}

/** Checks for an absolute http(s) URL without credentials; in production https only. Returns it unchanged. */
export function webAddress(text: string, field: string, mode: 'sandbox' | 'production'): Result<string> {
  const schemes = mode === 'production' ? ['https:'] : ['https:', 'http:']
  const wanted = `${field} must be an absolute ${schemes.map((scheme) => scheme.slice(0, -1)).join(' or ')} URL`
  if (text.length > urlLengthMax)
    return refuse('invalid_parameter', `${wanted} of at most ${urlLengthMax} characters`)
  const parsed = URL.parse(text)
  const written =
    parsed !== null &&
    isHostName(parsed.hostname) &&
    schemes.includes(parsed.protocol) &&
    /^[\x21-\x7e\u00a1-\uffff]+$/.test(text)
  if (!written || !/^https?:\/\//i.test(text)) return refuse('invalid_parameter', wanted)
  if (holdsCredentials(text, parsed))
    return refuse('invalid_parameter', `${wanted} without user name and password`)
  return ok(text)
}

export function asciiAddress(address: string): string {
  if (/^[\x21-\x7e]*$/.test(address)) return address
  return URL.parse(address)?.href ?? encodeURI(address)
}

export const loopbackNames: readonly string[] = ['localhost', '[::1]']

export function isLoopbackName(name: string): boolean {
  return loopbackNames.includes(name) || (isIP(name) === 4 && name.startsWith('127.'))
}

/** Whether nobody can read it in transit: https, or plain http on this machine. */
export function isPrivateInTransit({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

const emailLengthMax = 100
const emailPattern = /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"']+$/

export function isEmailAddress(text: string): boolean {
  return text.length <= emailLengthMax && emailPattern.test(text)
}
