// One text for all ways of writing the same JSON: what callback/verify compares.
import { createHash } from 'node:crypto'
import { isLosslessNumber, splitNumber } from 'lossless-json'

/** SHA-256 over the canonical text of `value`. */
export function digestOf(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest()
}

/**
 * Keys sorted, no whitespace, numbers by their exact decimal value (10, 10.0 and 1e1 are one number).
 *
 * @param value plain JSON; numbers a double cannot carry as LosslessNumber
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' || isLosslessNumber(value)) return canonicalNumber(String(value))
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = value as Record<string, unknown>
  const keys = Object.keys(members).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(members[key])}`).join(',')}}`
}

function canonicalNumber(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal)
  return digits === '0' ? '0' : `${sign}${digits}e${exponent}`
}
