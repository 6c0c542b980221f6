// What is put right in a request before its schemas judge it; what the caller should know of it is named in the header Warning.
import type { RouteOptions } from 'fastify'
import type { AppReply, AppRequest } from '../types.ts'
import { leavingOutUnfit } from './fields.ts'
import { warn } from './warnings.ts'

type Hook = (request: AppRequest, reply: AppReply, done: () => void) => void

interface Schema {
  readonly 'x-or-empty-list'?: boolean
  readonly 'x-lowered-to'?: number
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Put on the schema of a body that may be left out: PHP writes an empty one as `[]`. */
export const orEmptyList = { 'x-or-empty-list': true } as const

/** Put on the schema of a parameter: a larger number counts as this one. */
export function loweredTo(most: number): { readonly 'x-lowered-to': number } {
  return { 'x-lowered-to': most }
}

/** The hooks of a route, as far as its schemas need them; to run before validation. */
export function tidyingHooks({ schema = {} }: RouteOptions): Hook[] {
  const { body, querystring } = schema as { readonly body?: Schema; readonly querystring?: Schema }
  return [
    ...(body === undefined ? [] : [fillEmptyBody(body), ...leaveOutUnfit(body)]),
    ...(querystring === undefined ? [] : lowerNumbers(querystring)),
  ]
}

/** An absent body is an empty one, so that a refusal names the field that is missing (CONTRACT section 2). */
function fillEmptyBody(body: Schema): Hook {
  const isEmptyList = (sent: unknown) => Array.isArray(sent) && sent.length === 0
  return (request, _reply, done) => {
    const { body: sent } = request
    if (sent === undefined || sent === null || (body['x-or-empty-list'] === true && isEmptyList(sent)))
      request.body = {}
    done()
  }
}

function leaveOutUnfit(body: Schema): Hook[] {
  const leaveOut = leavingOutUnfit(body)
  if (leaveOut === undefined) return []
  return [
    (request, reply, done) => {
      const leftOut: string[] = []
      leaveOut(request.body, '', leftOut)
      warn(reply, leftOut)
      done()
    },
  ]
}

function lowerNumbers({ properties = {} }: Schema): Hook[] {
  const bounds = Object.entries(properties).flatMap(([name, { 'x-lowered-to': most }]) =>
    most === undefined ? [] : [{ name, most }],
  )
  if (bounds.length === 0) return []
  return [
    (request, reply, done) => {
      const query = request.query as Record<string, unknown>
      for (const { name, most } of bounds) {
        const sent = query[name]
        if (typeof sent !== 'string' || !/^\d{1,30}$/.test(sent) || Number(sent) <= most) continue
        query[name] = String(most)
        warn(reply, [`${name} is ${most}, the most that is answered at once`])
      }
      done()
    },
  ]
}
