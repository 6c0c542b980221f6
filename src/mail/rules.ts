// Rules of mail: outcomes of attempts, addresses, and text from strangers.
import type { MailKind } from './model.ts'

/** Limits of RFC 5321. */
const addressLengthMax = 254
const localPartLengthMax = 64
/** Accepts only plain addresses. Customers do not type quoted local parts, comments or literals. */
const addressPattern =
  /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+@[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+\.[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}.]+$/u

/** The address without spaces around it, or undefined if no mail can be sent to it. */
export function readAddress(text: string | null | undefined): string | undefined {
  const address = text?.trim() ?? ''
  const [localPart = ''] = address.split('@')
  const fits = address.length <= addressLengthMax && localPart.length <= localPartLengthMax
  return fits && addressPattern.test(address) && !address.includes('..') ? address : undefined
}

const lineLengthMax = 200

/** One line of somebody's text: without control characters and marks of direction, which could reverse a line. */
export function oneLine(text: string, lengthMax = lineLengthMax): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/\p{Cf}/gu, '')
  const line = plain.replace(/\s+/g, ' ').trim()
  return line.length <= lengthMax ? line : `${[...line].slice(0, lengthMax - 1).join('')}…`
}

/** Receipts are always sent, and links of accounts were asked for. */
export function isUnsubscribable(kind: MailKind): boolean {
  return kind !== 'receipt' && kind !== 'invitation' && kind !== 'password'
}
