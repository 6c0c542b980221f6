// One text for all ways of writing the same JSON: what is compared is the meaning.
import { isLosslessNumber, splitNumber } from 'lossless-json'

/**
 * `value` with its keys sorted, no whitespace, numbers by their exact
 * decimal value (10, 10.0 and 1e1 are one number).
 *
 * @param leaveOut whether a member does not count, by its key, the key under which its object lies, and its value
 */
export function canonicalJson(
  value: unknown,
  leaveOut?: (key: string, parent: string | undefined, value: unknown) => boolean,
  parent?: string,
): string {
  if (typeof value === 'number' || isLosslessNumber(value)) return canonicalNumber(String(value))
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value))
    return `[${value.map((element) => canonicalJson(element, leaveOut, parent)).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  for (const key of Object.keys(members).sort()) {
    if (leaveOut?.(key, parent, members[key]) === true) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(members[key], leaveOut, key)}`
  }
  return `{${text}}`
}

/** The exact value of a number as it is written in JSON. */
export function canonicalNumber(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal)
  return digits === '0' ? '0' : `${sign}${digits}e${exponent}`
}
