// Tokens of stored cards in answers: whoever may neither use them nor be called back with them does not see them.
import type { Permission } from '../../kernel/values/permissions.ts'

/** A token pays; callbacks carry it to the merchant's own address. */
const seeing: readonly Permission[] = ['card', 'callbacks']

/** Also in JSON that lies in a text, such as the body of a callback. */
const field = String.raw`\\*"token\\*":\s*\\*"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\\*"`
const fields = new RegExp(`,\\s*${field}|${field}\\s*,|${field}`, 'g')

/** `payload` as a caller with these permissions may read it. */
export function withoutCardTokens(payload: unknown, permissions: ReadonlySet<Permission>): unknown {
  if (typeof payload !== 'string' || seeing.some((one) => permissions.has(one))) return payload
  return payload.replace(fields, '')
}
