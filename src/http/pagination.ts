// Pages of a list: `offset` counts pages from 0 (CONTRACT section 2).
import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { warn } from './answers.ts'
import { clampedTo } from './body/unexpected-fields.ts'
import { documented } from './reference/fields.ts'
import type { AppReply, AppRequest } from './types.ts'

const limitDefault = 10
const limitMax = 30
/** A larger offset would only cost the database time. */
const offsetMax = 1_000_000

export interface Page {
  readonly offset: number
  readonly limit: number
}

export const pageQuery = {
  offset: Type.Optional(
    Type.String({
      description: 'Page number. Default: 0, the first page.',
      ...documented({ type: 'integer', minimum: 0, maximum: offsetMax, default: 0 }),
    }),
  ),
  limit: Type.Optional(
    Type.String({
      description: `Records per page, 1 to ${limitMax}. Default: ${limitDefault}. Larger numbers count as ${limitMax}.`,
      ...documented({ type: 'integer', minimum: 1, default: limitDefault }),
      ...clampedTo(limitMax),
    }),
  ),
}

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

type SendHook = (
  request: AppRequest,
  reply: AppReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void

/** Warns clients that read past the last page. Most of them count records instead of pages. */
export function warnPastLastPage({ schema = {} }: RouteOptions): SendHook[] {
  const { querystring } = schema as { readonly querystring?: { readonly properties?: object } }
  const { properties = {} } = querystring ?? {}
  if (!('offset' in properties)) return []
  return [
    (request, reply, payload, done) => {
      const { offset, limit } = request.query as { readonly offset?: unknown; readonly limit?: unknown }
      const isEmpty = typeof payload === 'string' && payload.includes('"elements":[]')
      const total: number = isEmpty && offset !== undefined ? JSON.parse(payload).total : 0
      if (total > 0) {
        const pages = Math.ceil(total / (wholeNumber(limit, limitDefault) ?? limitDefault))
        warn(reply, [
          `offset counts pages, not records: page ${offset} is empty, the last of ${total} records is on page ${pages - 1}`,
        ])
      }
      done(null, payload)
    },
  ]
}

function wholeNumber(value: unknown, absent: number): number | undefined {
  if (value === undefined) return absent
  const text = String(value)
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
