// The history of a payment and its family, in order of time.
import type { EventWithAttempts } from '../../callbacks/index.ts'
import type { ProviderAnswer, ProviderReport } from '../../connections/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { BookedPosting } from '../../ledger/index.ts'
import type { Operation, ShownAttempt } from '../../operations/index.ts'
import type { Asker } from '../access/actions-store.ts'
import type { StoryMoment } from '../contract/payments.ts'

interface ProviderRecords {
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
  readonly askers: ReadonlyMap<string, Asker>
  readonly bookings: readonly BookedPosting[]
  readonly events: readonly EventWithAttempts[]
  readonly showPostings: (postings: readonly BookedPosting[]) => Promise<object[]>
}

type Moment = Omit<StoryMoment, 'at' | 'facts'> & {
  readonly at: Instant
  readonly facts?: Readonly<Record<string, string | number | undefined>>
}

/** If two moments have the same time, the cause comes before its effect. */
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

const writtenAfterMs = 5000

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

/** Shows the request to a provider and its last answer. Drivers store only the last one. */
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

/** Shows a webhook of a provider. The gateway asks the provider before it believes a webhook. */
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

/** Shows all postings of one settlement or split as one moment. */
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
