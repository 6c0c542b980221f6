// Pages of a list: `offset` is a page number from 0, `limit` the records per page (CONTRACT section 2).
import { Type } from 'typebox'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { loweredTo } from './body/unexpected-fields.ts'
import { documented } from './reference/fields.ts'

const limitDefault = 10
const limitMax = 30
/** Beyond it the database would only count; nobody turns that many pages. */
const offsetMax = 1_000_000

export interface Page {
  /** Page number from 0. */
  readonly offset: number
  /** Records per page, 1 to 30. */
  readonly limit: number
}

/** The two fields of a list's query; {@link parsePage} reads them. */
export const pageQuery = {
  offset: Type.Optional(
    Type.String({
      description: 'A page number from 0 (the default).',
      ...documented({ type: 'integer', minimum: 0, maximum: offsetMax, default: 0 }),
    }),
  ),
  limit: Type.Optional(
    Type.String({
      description: `A whole number from 1 to ${limitMax} (records per page; ${limitDefault} by default). More counts as ${limitMax}.`,
      ...documented({ type: 'integer', minimum: 1, default: limitDefault }),
      ...loweredTo(limitMax),
    }),
  ),
}

/** The page that a list's query asks for. Refusals: invalid_parameter outside the ranges. */
export function parsePage(query: { readonly offset?: unknown; readonly limit?: unknown }): Result<Page> {
  const offset = wholeNumber(query.offset, 0)
  if (offset === undefined || offset > offsetMax) {
    return refuse('invalid_parameter', `offset must be a page number from 0 to ${offsetMax}`)
  }
  const limit = wholeNumber(query.limit, limitDefault)
  if (limit === undefined || limit < 1 || limit > limitMax) {
    return refuse('invalid_parameter', `limit must be a whole number from 1 to ${limitMax}`)
  }
  return ok({ offset, limit })
}

function wholeNumber(value: unknown, absent: number): number | undefined {
  if (value === undefined) return absent
  const text = String(value)
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
