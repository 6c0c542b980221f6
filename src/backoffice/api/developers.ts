// Events, deliveries and the request log of a merchant.
import { Type } from 'typebox'
import type { DeliveryState, EventFilter, ListedEvent } from '../../callbacks/index.ts'
import { type App, callerOf, idOf, parseLisbonDayRange } from '../../http/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { after, hour, type Instant, toTimestamp } from '../../kernel/time.ts'
import type { ListedRequest } from '../../request-log/index.ts'
import { walletPrefix } from '../access/person.ts'
import {
  eventAnswer,
  eventsAnswer,
  eventsQuery,
  requestAnswer,
  requestsAnswer,
  requestsQuery,
  resentAnswer,
} from '../contract/developers.ts'
import type { BackofficeParts } from '../parts.ts'
import { momentOrNull } from './developers-keys.ts'
import { cursorOf } from './recurring.ts'

const prefix = `${walletPrefix}developers/`
const perPage = 50
/** Merchants verify a callback when it arrives or soon after. */
const verifiedWithinMs = hour
const byId = Type.Object({ wallet: Type.String(), id: Type.String() })

export function developerRoutes({
  callbacks,
  requestLog,
  gatewayClock,
}: BackofficeParts): (app: App) => void {
  return (app) => {
    app.get(
      `${prefix}events`,
      { schema: { summary: 'Events', querystring: eventsQuery, response: { 200: eventsAnswer } } },
      async (request) => {
        const { before, ...query } = request.query
        const page = { before: unwrap(cursorOf(before)), limit: perPage }
        const { walletId } = callerOf(request)
        const { events, next } = await callbacks.events(walletId, filterOf(gatewayClock.now(), query), page)
        return { events: events.map(eventInJson), ...(next !== undefined && { next }) }
      },
    )

    app.get(
      `${prefix}events/:id`,
      { schema: { summary: 'An event', params: byId, response: { 200: eventAnswer } } },
      async (request) => {
        const id = unwrap(idOf(request.params.id, 'event'))
        const event = await callbacks.examine(callerOf(request).walletId, id)
        if (event === undefined) return deny('not_found', `there is no event ${id}`)
        return {
          ...eventInJson(event),
          payload: event.payload,
          headers: event.headers,
          tries: event.tries.map(({ attemptedAt, httpStatus, error, durationMs }) => {
            return { at: toTimestamp(attemptedAt), status: httpStatus, error, duration_ms: durationMs }
          }),
        }
      },
    )

    app.post(
      `${prefix}events/:id/resend`,
      {
        config: { people: { ability: 'callbacks' } },
        schema: { summary: 'Send a callback again', params: byId, response: { 200: resentAnswer } },
      },
      async (request) => {
        const id = unwrap(idOf(request.params.id, 'event'))
        unwrap(await callbacks.resend(callerOf(request).walletId, id))
        return { resent: 1, more: false }
      },
    )

    app.post(
      `${prefix}resend-failed`,
      {
        config: { people: { ability: 'callbacks' } },
        schema: { summary: 'Send all failed callbacks again', response: { 200: resentAnswer } },
      },
      async (request) => callbacks.resendFailed(callerOf(request).walletId),
    )

    app.get(
      `${prefix}requests`,
      {
        schema: {
          summary: 'Requests of API keys',
          querystring: requestsQuery,
          response: { 200: requestsAnswer },
        },
      },
      async (request) => {
        const { status, method, path, key, tid, before } = request.query
        const filter = {
          statusClass: status === undefined ? undefined : Number(status),
          method,
          path,
          keyId: key,
          tid: tid === undefined ? undefined : unwrap(idOf(tid.trim(), 'request')),
        }
        const page = { before: unwrap(cursorOf(before)), limit: perPage }
        const { requests, next } = await requestLog.list(callerOf(request).walletId, filter, page)
        const { days } = requestLog
        return { requests: requests.map(requestInJson), ...(next !== undefined && { next }), days }
      },
    )

    app.get(
      `${prefix}requests/:id`,
      { schema: { summary: 'A request', params: byId, response: { 200: requestAnswer } } },
      async (request) => {
        const tid = unwrap(idOf(request.params.id, 'request'))
        const found = await requestLog.find(callerOf(request).walletId, tid)
        if (found === undefined) return deny('not_found', `there is no request ${tid} in the log`)
        const { address = null, userAgent = null, body = null, answer = null } = found
        return { ...requestInJson(found), address, user_agent: userAgent, body, answer }
      },
    )
  }
}

function filterOf(
  now: Instant,
  query: {
    readonly kind?: EventFilter['kinds'] extends readonly (infer Kind)[] | undefined ? Kind : never
    readonly state?: DeliveryState | 'failed' | 'unverified'
    readonly event?: string
    readonly subject?: string
    readonly startdate?: string
    readonly enddate?: string
  },
): EventFilter {
  const { kind, state, event, subject } = query
  return {
    kinds: kind && [kind],
    event,
    subject: subject === undefined ? undefined : unwrap(idOf(subject.trim(), 'subject')),
    ...(state === 'unverified' && { unverifiedSince: after(now, -verifiedWithinMs) }),
    ...(state === 'failed' && { states: ['GIVEN_UP', 'NO_ENDPOINT'] }),
    ...(state !== undefined && state !== 'failed' && state !== 'unverified' && { states: [state] }),
    ...unwrap(parseLisbonDayRange(query.startdate, query.enddate)),
  }
}

function eventInJson(event: ListedEvent) {
  return {
    id: event.id,
    kind: event.kind,
    event: event.event,
    subject: event.subject,
    created: toTimestamp(event.createdAt),
    state: event.state,
    attempts: event.attempts,
    next_attempt: momentOrNull(event.dueAt),
    last_status: event.lastStatus,
    last_error: event.lastError,
    url: event.url,
  }
}

function requestInJson(request: ListedRequest) {
  return {
    tid: request.id,
    at: toTimestamp(request.answeredAt),
    key: request.keyId,
    method: request.method,
    path: request.path,
    status: request.status,
    code: request.code ?? null,
    duration_ms: request.durationMs,
  }
}
