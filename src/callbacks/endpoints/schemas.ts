// Requests and answers of further callback endpoints.
import { type Static, Type } from 'typebox'
import {
  dateOnWire,
  documented,
  exampleMoment,
  idField,
  momentField,
  pageQuery,
  textSchema,
  wordField,
} from '../../http/index.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { webAddress } from '../../kernel/values/web-address.ts'
import { attemptsBeforePing, type EndpointAttempt, type ListedEndpointDelivery } from './deliveries-store.ts'
import {
  type EndpointEventKind,
  type EndpointState,
  endpointDeliveryStates,
  endpointEventKinds,
  endpointStates,
  endpointsMax,
} from './model.ts'
import { secretKinds } from './secrets.ts'
import type { EndpointChanges, ShownEndpoint } from './store.ts'

const descriptionLengthMax = 100

const fields = {
  description: Type.Optional(
    Type.Union([textSchema(descriptionLengthMax), Type.Null()], {
      description: `Name for your team, such as the program behind it. At most ${descriptionLengthMax} characters.`,
      ...documented({ anyOf: undefined, type: 'string', maxLength: descriptionLengthMax }),
    }),
  ),
  kinds: Type.Optional(
    Type.Array(Type.String({ maxLength: 30 }), {
      maxItems: 10,
      description: `Kinds of event to send: ${endpointEventKinds.join(', ')}. Empty: every kind. Default: every kind.`,
      ...documented({ items: { type: 'string', enum: endpointEventKinds } }),
    }),
  ),
}
const urlDescription = 'Address that receives the callbacks. In production: `https`, and a public host.'

export const endpointBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: urlDescription,
      ...documented({ format: 'uri' }),
    }),
    ...fields,
  },
  {
    title: 'CallbackEndpointRequest',
    description: 'A further address for callbacks.',
    examples: [{ url: 'https://stock.example/callbacks', description: 'Stock', kinds: ['operation'] }],
  },
)

export const endpointChanges = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: urlDescription,
        ...documented({ format: 'uri' }),
      }),
    ),
    ...fields,
    status: Type.Optional(
      Type.String({
        maxLength: 20,
        description: `New status: ${endpointStates.join(' or ')}. A paused endpoint gets its events after the pause.`,
        ...documented({ enum: endpointStates }),
      }),
    ),
  },
  {
    title: 'CallbackEndpointChanges',
    description: 'The fields to change. Absent fields stay as they are.',
    examples: [{ status: 'PAUSED' }],
  },
)

const healthFields = {
  backlog: Type.Integer({ description: 'Number of callbacks that wait for an attempt, at most 10000.' }),
  given_up: Type.Integer({ description: 'Number of callbacks that failed for good, at most 10000.' }),
  last_received: Type.Optional(momentField('Last attempt that your program answered with 2xx.')),
  failing_since: Type.Optional(momentField('First failed attempt since then. Absent: it works.')),
  last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last answer.' })),
  last_error: Type.Optional(
    Type.String({
      description: 'Reason why the last attempt got no answer.',
      examples: ['no answer in time'],
    }),
  ),
}

const endpointFields = {
  id: idField('Id of the endpoint.'),
  number: Type.Integer({
    description: `Number from 2 to ${endpointsMax}. The address of your wallet is number 1.`,
  }),
  url: Type.String({ description: 'Address that receives the callbacks.' }),
  description: Type.Optional(Type.String({ description: 'Name for your team.' })),
  kinds: Type.Array(wordField(endpointEventKinds, 'A kind of event.'), {
    description: 'Kinds of event that it gets. Empty: every kind.',
  }),
  status: wordField(endpointStates, 'A `PAUSED` endpoint gets its events after the pause.'),
  callback_user: Type.String({ description: 'User of `Authorization: Basic`. Equals the id.' }),
  callback_secret_overlap: Type.Optional(momentField('Until then the old password works too.')),
  callback_signing_secret_overlap: Type.Optional(
    momentField('Until then callbacks are signed with the old secret too.'),
  ),
  date: momentField('Time of creation.'),
  modified_date: momentField('Time of the last change.'),
  health: Type.Object(healthFields, { title: 'EndpointHealth', description: 'Health of its deliveries.' }),
}

export const endpointSchema = Type.Object(endpointFields, {
  title: 'CallbackEndpoint',
  description: 'A further address for callbacks.',
})

export const newEndpointSchema = Type.Object(
  {
    ...endpointFields,
    callback_secret: Type.String({ description: 'Password of `Authorization: Basic`. Shown only now.' }),
    callback_signing_secret: Type.String({
      description: 'Secret of the signature (Standard Webhooks). Shown only now.',
    }),
  },
  { title: 'NewCallbackEndpoint', description: 'The new endpoint with its secrets.' },
)

export const endpointExample = {
  id: '0198c2f6-0b1d-7a44-8e15-5d2c7f9a3b61',
  number: 2,
  url: 'https://stock.example/callbacks',
  description: 'Stock',
  kinds: ['operation'],
  status: 'ACTIVE',
  callback_user: '0198c2f6-0b1d-7a44-8e15-5d2c7f9a3b61',
  date: exampleMoment,
  modified_date: exampleMoment,
  health: { backlog: 0, given_up: 0, last_received: '2026-03-01T18:31:12+0000', last_status: 200 },
}

export const newEndpointExample = {
  ...endpointExample,
  health: { backlog: 0, given_up: 0 },
  callback_secret: 'kV3…',
  callback_signing_secret: 'whsec_…',
}

export const secretBody = Type.Object(
  {
    kind: Type.String({
      maxLength: 30,
      description: 'The secret to replace: `callback_secret` or `callback_signing_secret`.',
      ...documented({ enum: secretKinds }),
    }),
  },
  {
    title: 'EndpointSecretRequest',
    description: 'The secret to replace.',
    examples: [{ kind: 'callback_signing_secret' }],
  },
)

export const secretSchema = Type.Object(
  {
    kind: wordField(secretKinds, 'The replaced secret.'),
    secret: Type.String({ description: 'The new secret. Shown only now.' }),
    overlap: momentField('Until then the old secret works too.'),
  },
  { title: 'EndpointSecret', description: 'The new secret.' },
)

export const secretExample = {
  kind: 'callback_signing_secret',
  secret: 'whsec_…',
  overlap: '2026-03-02T18:30:00+0000',
}

export const deliveryQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 10 })], {
      description: `Filter: one or more of ${endpointDeliveryStates.join(', ')}.`,
      ...documented({
        anyOf: undefined,
        type: 'array',
        items: { type: 'string', enum: endpointDeliveryStates },
        maxItems: 10,
      }),
    }),
  ),
})

const deliveryFields = {
  event_id: idField('Id of the event. Equals its `webhook-id`.'),
  kind: wordField([...endpointEventKinds, 'ping'], 'Kind of its subject, such as `operation`.'),
  event: Type.String({ description: 'The new status, such as `COMPLETED`, or the name of the event.' }),
  subject_id: idField('The operation, mandate, subscription, charge or request that it is about.'),
  status: wordField(
    endpointDeliveryStates,
    '`DUE`: not received yet. `DELIVERED`: answered with 2xx. `GIVEN_UP`: no 2xx within two days.',
  ),
  attempts: Type.Integer({ description: 'Number of attempts since it was last made due.' }),
  last_status: healthFields.last_status,
  last_error: healthFields.last_error,
  date: momentField('Time of the event.'),
  next_attempt: Type.Optional(momentField('Time of the next attempt.')),
  finished: Type.Optional(momentField('Time of the last status.')),
}

export const deliverySchema = Type.Object(deliveryFields, {
  title: 'EndpointDelivery',
  description: 'An event on its way to an endpoint.',
})

export const deliveryWithAttemptsSchema = Type.Object(
  {
    ...deliveryFields,
    answers: Type.Array(
      Type.Object(
        {
          date: momentField('Time of the attempt.'),
          status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer.' })),
          error: Type.Optional(
            Type.String({ description: 'Reason why there was no answer.', examples: ['no answer in time'] }),
          ),
          duration_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
        },
        { title: 'EndpointAttempt', description: 'An attempt.' },
      ),
      { description: 'The last 100 attempts, newest first.' },
    ),
  },
  { title: 'EndpointDeliveryWithAttempts', description: 'A delivery with its attempts.' },
)

export const deliveryExample = {
  event_id: '0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19',
  kind: 'operation',
  event: 'COMPLETED',
  subject_id: '0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10',
  status: 'DELIVERED',
  attempts: 1,
  last_status: 200,
  date: exampleMoment,
  finished: exampleMoment,
}

export const resendBody = Type.Object(
  {
    event_id: Type.Optional(
      Type.String({
        maxLength: 36,
        description: 'Event to send. Default: all with the status `GIVEN_UP`, oldest first, 100 a second.',
        ...documented({ format: 'uuid' }),
      }),
    ),
  },
  {
    title: 'EndpointResendRequest',
    description: 'One event, or all that failed.',
    examples: [{ event_id: '0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19' }],
  },
)

export const resentSchema = Type.Object(
  {
    resent: Type.Integer({ description: 'Number of callbacks that will be sent.' }),
    more: Type.Boolean({ description: 'Whether more have failed: repeat the request.' }),
  },
  { title: 'EndpointResent', description: 'The number of callbacks to send.' },
)

export const testedSchema = Type.Object(
  { event_id: idField('The test: read its delivery.') },
  { title: 'EndpointTest', description: 'The test is waiting to be sent.' },
)

export function endpointOnWire(endpoint: ShownEndpoint, now: Instant) {
  const { passwordPreviousUntil, signingPreviousUntil, lastReceivedAt, failingSince } = endpoint
  const overlap = (name: string, until: Instant | undefined) =>
    until !== undefined && now < until ? { [name]: dateOnWire(until) } : {}
  return {
    id: endpoint.id,
    number: endpoint.number,
    url: endpoint.url,
    description: endpoint.description,
    kinds: [...endpoint.kinds],
    status: endpoint.state,
    callback_user: endpoint.id,
    ...overlap('callback_secret_overlap', passwordPreviousUntil),
    ...overlap('callback_signing_secret_overlap', signingPreviousUntil),
    date: dateOnWire(endpoint.createdAt),
    modified_date: dateOnWire(endpoint.modifiedAt),
    health: {
      backlog: endpoint.backlog,
      given_up: endpoint.givenUp,
      ...(lastReceivedAt !== undefined && { last_received: dateOnWire(lastReceivedAt) }),
      ...(failingSince !== undefined && { failing_since: dateOnWire(failingSince) }),
      last_status: endpoint.lastStatus,
      last_error: endpoint.lastError,
    },
  }
}

export function deliveryOnWire(delivery: ListedEndpointDelivery) {
  const { dueAt, finishedAt } = delivery
  return {
    event_id: delivery.eventId,
    kind: delivery.kind,
    event: delivery.event,
    subject_id: delivery.subject,
    status: delivery.state,
    attempts: delivery.kind === 'ping' ? delivery.attempts - attemptsBeforePing : delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    date: dateOnWire(delivery.createdAt),
    ...(dueAt !== undefined && { next_attempt: dateOnWire(dueAt) }),
    ...(finishedAt !== undefined && { finished: dateOnWire(finishedAt) }),
  }
}

export function attemptOnWire({ attemptedAt, httpStatus, error, durationMs }: EndpointAttempt) {
  return { date: dateOnWire(attemptedAt), status: httpStatus, error, duration_ms: durationMs }
}

/** The endpoint after a change. Refusals: invalid_parameter naming the field. */
export function readChanges(
  body: Static<typeof endpointChanges>,
  old: EndpointChanges,
  mode: 'sandbox' | 'production',
): Result<EndpointChanges> {
  const url = body.url === undefined ? ok(old.url) : webAddress(body.url.trim(), 'url', mode)
  if (!url.ok) return url
  const kinds = body.kinds === undefined ? ok(old.kinds) : readKinds(body.kinds)
  if (!kinds.ok) return kinds
  const state = body.status === undefined ? old.state : stateOf(body.status)
  if (state === undefined) return refuse('invalid_parameter', `status must be ${endpointStates.join(' or ')}`)
  const description = body.description === undefined ? old.description : body.description?.trim() || undefined
  return ok({ url: url.value, kinds: kinds.value, state, description })
}

function stateOf(text: string): EndpointState | undefined {
  return endpointStates.find((state) => state === text.toUpperCase())
}

function readKinds(asked: readonly string[]): Result<readonly EndpointEventKind[]> {
  const wanted = asked.map((word) => word.toLowerCase())
  const unknown = wanted.findIndex((word) => !(endpointEventKinds as readonly string[]).includes(word))
  return unknown < 0
    ? ok(endpointEventKinds.filter((kind) => wanted.includes(kind)))
    : refuse('invalid_parameter', `kinds[${unknown}] must be one of ${endpointEventKinds.join(', ')}`)
}
