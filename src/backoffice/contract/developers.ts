// Schemas of the developers' pages.
import { type Static, Type } from 'typebox'

const nullable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

export const keysAnswer = Type.Object({
  keys: Type.Array(
    Type.Object({
      id: Type.String(),
      name: nullable(Type.String()),
      permissions: Type.Array(Type.String()),
      created: Type.String(),
      last_used_on: nullable(Type.String()),
      revoked: nullable(Type.String()),
    }),
  ),
  permissions: Type.Array(Type.String()),
  permissions_default: Type.Array(Type.String()),
})
export type KeysAnswer = Static<typeof keysAnswer>

export const newKeyBody = Type.Object({
  name: Type.String({ maxLength: 100, description: 'name of the key, for example the program that uses it' }),
  permissions: Type.Array(Type.String(), { maxItems: 30 }),
})

export const newKeyAnswer = Type.Object({ id: Type.String(), key: Type.String() })
export type NewKeyAnswer = Static<typeof newKeyAnswer>

export const secretKinds = ['callback_password', 'signing_secret', 'esb_token'] as const
export type SecretKind = (typeof secretKinds)[number]
export const newSecretAnswer = Type.Object({ secret: Type.String() })
export type NewSecretAnswer = Static<typeof newSecretAnswer>

export const endpointsAnswer = Type.Object({
  callback_url: nullable(Type.String()),
  card_callback_url: nullable(Type.String()),
  self_events: Type.Boolean(),
  secure_field_origins: Type.Array(Type.String()),
  embed_origins: Type.Array(Type.String()),
  secrets: Type.Object({
    callback_user: nullable(Type.String()),
    password_overlap_until: nullable(Type.String()),
    signing_overlap_until: nullable(Type.String()),
    has_esb_token: Type.Boolean(),
  }),
  health: Type.Array(
    Type.Object({
      lane: Type.String(),
      last_received: nullable(Type.String()),
      failing_since: nullable(Type.String()),
      last_status: nullable(Type.Integer()),
      last_error: nullable(Type.String()),
      backlog: Type.Integer(),
      oldest_due: nullable(Type.String()),
      given_up: Type.Integer(),
    }),
  ),
})
export type EndpointsAnswer = Static<typeof endpointsAnswer>

export const endpointsBody = Type.Object({
  callback_url: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  card_callback_url: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  self_events: Type.Optional(Type.Boolean()),
  secure_field_origins: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 })),
  embed_origins: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 })),
})

export const pingBody = Type.Object({ endpoint: Type.Enum(['wallet', 'card']) })
export const pingAnswer = Type.Object({ event: Type.String() })

const eventKind = Type.Enum(['operation', 'card_stored', 'mandate', 'subscription', 'charge', 'ping'])
const deliveryState = Type.Enum(['DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT'])

export const eventsQuery = Type.Object({
  kind: Type.Optional(eventKind),
  /** `failed`: GIVEN_UP or NO_ENDPOINT. `unverified`: delivered at least an hour ago, but never verified. */
  state: Type.Optional(
    Type.Enum(['DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT', 'failed', 'unverified']),
  ),
  event: Type.Optional(Type.String({ maxLength: 40 })),
  subject: Type.Optional(Type.String({ maxLength: 36 })),
  startdate: Type.Optional(Type.String()),
  enddate: Type.Optional(Type.String()),
  before: Type.Optional(Type.String()),
})

const eventFields = {
  id: Type.String(),
  kind: eventKind,
  event: Type.String(),
  subject: Type.String(),
  created: Type.String(),
  state: deliveryState,
  attempts: Type.Integer(),
  next_attempt: nullable(Type.String()),
  last_status: nullable(Type.Integer()),
  last_error: nullable(Type.String()),
  url: nullable(Type.String()),
}
export const eventsAnswer = Type.Object({
  events: Type.Array(Type.Object(eventFields)),
  next: Type.Optional(Type.String()),
})
export type EventsAnswer = Static<typeof eventsAnswer>

export const eventAnswer = Type.Object({
  ...eventFields,
  /** The payload byte for byte as it was sent. */
  payload: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  tries: Type.Array(
    Type.Object({
      at: Type.String(),
      status: nullable(Type.Integer()),
      error: nullable(Type.String()),
      duration_ms: Type.Integer(),
    }),
  ),
})
export type EventAnswer = Static<typeof eventAnswer>

export const resentAnswer = Type.Object({
  resent: Type.Integer(),
  more: Type.Boolean(),
})
export type ResentAnswer = Static<typeof resentAnswer>

export const requestsQuery = Type.Object({
  status: Type.Optional(Type.Enum(['2', '3', '4', '5'])),
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  path: Type.Optional(Type.String({ maxLength: 200 })),
  key: Type.Optional(Type.String({ maxLength: 8 })),
  tid: Type.Optional(Type.String({ maxLength: 36 })),
  before: Type.Optional(Type.String()),
})

const requestFields = {
  tid: Type.String(),
  at: Type.String(),
  key: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  code: nullable(Type.Integer()),
  duration_ms: Type.Integer(),
}
export const requestsAnswer = Type.Object({
  requests: Type.Array(Type.Object(requestFields)),
  next: Type.Optional(Type.String()),
  /** Days for which the log is kept; 0: there is no log. */
  days: Type.Integer(),
})
export type RequestsAnswer = Static<typeof requestsAnswer>

export const requestAnswer = Type.Object({
  ...requestFields,
  address: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  body: nullable(Type.String()),
  answer: nullable(Type.String()),
})
export type RequestAnswer = Static<typeof requestAnswer>
