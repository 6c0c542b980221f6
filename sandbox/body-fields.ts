// Fields of request bodies in the sandbox.
import { ok, type Result, refuse } from '../src/kernel/result.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The fields of a JSON object or a form. Any other body has none. */
export function fieldsOf(body: unknown): Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {}
}

/** The text of a field. Refusals: missing_parameter, invalid_parameter. */
export function textOf(fields: Fields, field: string, example: string): Result<string> {
  const value = fields[field]
  if (value === undefined || value === null || value === '')
    return refuse('missing_parameter', `${field} is required`)
  return typeof value === 'string' && value.length <= 255
    ? ok(value)
    : refuse('invalid_parameter', `${field} must be text, such as "${example}"`)
}
