// All that happened to a payment and what belongs together with it, from every module's record, in the order of time.
import type { EventWithAttempts } from '../../callbacks/index.ts'
import type { ProviderAnswer, ProviderReport } from '../../connections/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { BookedPosting } from '../../ledger/index.ts'
import type { Operation, ShownAttempt } from '../../operations/index.ts'
import type { Asker } from '../access/actions-store.ts'
import type { StoryMoment } from '../contract/payments.ts'

/** What modules have of a family of operations. */
/** Answers and reports of providers. */
interface ProviderRecords {
  /** With the operation for which each was asked. */
  readonly answers: readonly (ProviderAnswer & { readonly operation: string })[]
  readonly reports: readonly (ProviderReport & { readonly operation: string })[]
}

export interface StoryParts extends ProviderRecords {
  readonly family: readonly Operation[]
  readonly attempts: readonly ShownAttempt[]
  readonly requests: readonly {
    readonly requestId: string
    readonly resourceId: string
    readonly createdAt: Instant
  }[]
  /** Who of the wallet's people made which of the requests; programs made the others. */
  readonly askers: ReadonlyMap<string, Asker>
  readonly bookings: readonly BookedPosting[]
  readonly events: readonly EventWithAttempts[]
  /** As the API shows postings. */
  readonly showPostings: (postings: readonly BookedPosting[]) => Promise<object[]>
}

type Moment = Omit<StoryMoment, 'at' | 'facts'> & {
  readonly at: Instant
  readonly facts?: Readonly<Record<string, string | number | undefined>>
}

/** Of what happened at the same moment, the cause before the effect. */
const order: readonly StoryMoment['kind'][] = [
  'asked',
  'made',
  'attempt',
  'authenticated',
  'provider_asked',
  'provider_answered',
  'provider_reported',
  'attempt_ended',
  'settled',
  'divided',
  'booked',
  'lapsed',
  'event',
  'delivery',
]

export async function storyOf(parts: StoryParts): Promise<StoryMoment[]> {
  const { family, attempts, requests, askers, events, answers, reports } = parts
  const settledAt = new Map(family.map((one) => [one.id, one.settledAt]))
  const moments = [
    ...requests.map((request) => asked(request, askers.get(request.requestId))),
    ...family.flatMap(ofOperation),
    ...attempts.flatMap((attempt) => ofAttempt(attempt, settledAt.get(attempt.operationId))),
    ...answers.flatMap(ofProvider),
    ...reports.map(ofReport),
    ...(await bookings(parts)),
    ...events.flatMap(ofEvent),
  ]
  return moments
    .sort((one, other) => one.at - other.at || order.indexOf(one.kind) - order.indexOf(other.kind))
    .map(({ at, facts = {}, ...moment }) => ({ ...moment, at: toTimestamp(at), facts: known(facts) }))
}

function known(facts: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

function asked(
  { requestId, resourceId, createdAt }: StoryParts['requests'][number],
  asker: Asker | undefined,
): Moment {
  const facts = { who: asker?.name, role: asker?.role ?? undefined, request_id: requestId }
  return { at: createdAt, kind: 'asked', operation: resourceId, facts }
}

function ofOperation(operation: Operation): Moment[] {
  const { id, type, channel, createdAt, settledAt, status, error, splitAt, lapsedAt } = operation
  const moments: Moment[] = [
    { at: createdAt, kind: 'made', operation: id, word: type, facts: { channel, ip: operation.ipaddress } },
  ]
  if (settledAt !== undefined)
    moments.push({ at: settledAt, kind: 'settled', operation: id, word: status, facts: { error } })
  if (splitAt !== undefined) moments.push({ at: splitAt, kind: 'divided', operation: id })
  if (lapsedAt !== undefined) moments.push({ at: lapsedAt, kind: 'lapsed', operation: id })
  return moments
}

/** What attempts by card note of 3-D Secure; of other methods there is none. */
interface AuthenticationFacts {
  readonly version?: string
  readonly step?: string
  readonly authentication?: {
    readonly transStatus?: string
    readonly eci?: string
    readonly version?: string
  }
  readonly card?: { readonly type?: string; readonly last4?: string }
}

/** An attempt that settled its operation is written down as ended just after that. */
const writtenAfterMs = 5000

/** When it ended: no later than what it caused. */
function endOf({ endedAt }: ShownAttempt, settledAt: Instant | undefined): Instant | undefined {
  if (endedAt === undefined || settledAt === undefined) return endedAt
  const late = endedAt - settledAt
  return late > 0 && late < writtenAfterMs ? settledAt : endedAt
}

function ofAttempt(attempt: ShownAttempt, settledAt: Instant | undefined): Moment[] {
  const { operationId: operation, method, state, failure, reference, tries } = attempt
  const { version, step, authentication, card } = (attempt.details ?? {}) as AuthenticationFacts
  const endedAt = endOf(attempt, settledAt)
  const at = attempt.createdAt ?? attempt.givenUpAt ?? endedAt
  if (at === undefined) return []
  const moments: Moment[] = [
    {
      at,
      kind: 'attempt',
      operation,
      word: state,
      facts: {
        method,
        card: card?.last4 && `${card.type ?? ''} ···· ${card.last4}`.trim(),
        step,
        tries: tries === 0 ? undefined : tries,
      },
    },
  ]
  const after = endedAt ?? attempt.modifiedAt ?? at
  if (authentication !== undefined) {
    const { transStatus, eci } = authentication
    const facts = { version: authentication.version ?? version, status: transStatus, eci }
    moments.push({ at: after, kind: 'authenticated', operation, facts })
  }
  if (endedAt !== undefined) {
    moments.push({
      at: endedAt,
      kind: 'attempt_ended',
      operation,
      word: state,
      facts: { failure, reference },
    })
  }
  return moments
}

/** When a provider was asked, and its last word: drivers note each step, and keep of the answers the last. */
function ofProvider(answer: StoryParts['answers'][number]): Moment[] {
  const { operation, driver, rail, steps, providerId, status, reason, createdAt, changedAt } = answer
  const asked: Moment = {
    at: createdAt,
    kind: 'provider_asked',
    operation,
    facts: { provider: driver, rail },
  }
  const done = Object.entries(steps)
  if (done.length === 0) return [asked]
  const words = done.map(([step, how]) => (how === 'recorded' ? step : `${step} (?)`)).sort()
  const facts = { provider: driver, provider_id: providerId, failure: reason, step: words.join(', ') }
  const word = status === undefined ? {} : { word: status }
  return [asked, { at: changedAt, kind: 'provider_answered', operation, ...word, facts }]
}

/** What a provider sent by itself: what it said is asked of it, and stands where that was answered. */
function ofReport({
  operation,
  driver,
  receivedAt,
  handledAt,
  tries,
  lastError,
}: StoryParts['reports'][number]): Moment {
  return {
    at: receivedAt,
    kind: 'provider_reported',
    operation,
    word: handledAt === undefined ? 'waiting' : 'handled',
    facts: { provider: driver, error: lastError, handling_tries: tries > 1 ? tries : undefined },
  }
}

/** What one settlement or division booked is one moment. */
async function bookings({ bookings, showPostings }: StoryParts): Promise<Moment[]> {
  const groups = Map.groupBy(bookings, ({ operationId, purpose }) => `${operationId} ${purpose}`)
  return Promise.all(
    [...groups.values()].map(async (postings) => {
      const [first] = postings as [BookedPosting]
      return {
        at: first.createdAt,
        kind: 'booked' as const,
        operation: first.operationId,
        word: first.purpose,
        postings: (await showPostings(postings)) as never,
      }
    }),
  )
}

function ofEvent({ id, kind, event, subject, createdAt, state, url, tried }: EventWithAttempts): Moment[] {
  return [
    { at: createdAt, kind: 'event', operation: subject, word: event, facts: { id, kind, state } },
    ...tried.map(
      ({ attemptedAt, httpStatus, error, durationMs }): Moment => ({
        at: attemptedAt,
        kind: 'delivery',
        operation: subject,
        word: httpStatus === null ? 'unanswered' : String(httpStatus),
        facts: { event, url: url ?? undefined, error: error ?? undefined, ms: durationMs },
      }),
    ),
  ]
}
