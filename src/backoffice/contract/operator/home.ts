// Schemas of the operator's first page, rails, master keys and queues.
import { type Static, Type } from 'typebox'

const orNull = Type.Union([Type.String(), Type.Null()])

export const operatorHomeSchema = Type.Object({
  merchants: Type.Integer(),
  suspended: Type.Integer(),
  /** The four numbers are counted up to 500. */
  suspense: Type.Integer(),
  transfers: Type.Integer(),
  unmatched: Type.Integer(),
  differences: Type.Integer(),
  failed_callbacks: Type.Integer(),
  /** When another database server took over. Null if not in the last seven days. */
  failover: orNull,
  audit: Type.Union([
    Type.Object({ at: Type.String(), problems: Type.Integer(), error: orNull, running: Type.Boolean() }),
    Type.Null(),
  ]),
})
export type OperatorHomeAnswer = Static<typeof operatorHomeSchema>

const contact = Type.Union([Type.Object({ at: Type.String(), said: Type.String() }), Type.Null()])

export const railsSchema = Type.Object({
  simulated: Type.Boolean(),
  connections: Type.Array(
    Type.Object({
      id: Type.Integer(),
      driver: Type.String(),
      /** Null: the connection is the gateway's, for all merchants. */
      wallet_id: Type.Union([Type.Integer(), Type.Null()]),
      rails: Type.Array(Type.String()),
      /** `proven` or `unproven`; `missing`: this version does not have the driver. */
      state: Type.String(),
      enabled: Type.Boolean(),
      changed: Type.String(),
      last_answer: contact,
      last_error: contact,
    }),
  ),
  drivers: Type.Array(
    Type.Object({
      name: Type.String(),
      rails: Type.Array(Type.String()),
      proven: Type.Boolean(),
      settings: Type.Array(
        Type.Object({
          name: Type.String(),
          secret: Type.Boolean(),
          required: Type.Boolean(),
          help: Type.String(),
        }),
      ),
      /** Whether `test` can choose the provider's own sandbox. */
      has_test: Type.Boolean(),
    }),
  ),
  failed_webhooks: Type.Array(
    Type.Object({
      id: Type.Integer(),
      connection: Type.Integer(),
      received: Type.String(),
      tries: Type.Integer(),
      error: orNull,
    }),
  ),
})
export type RailsAnswer = Static<typeof railsSchema>

const checks = Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() }))
const values = Type.Record(Type.String(), Type.String())

export const connectBody = Type.Object({
  driver: Type.String({ maxLength: 40 }),
  /** Absent: the gateway, for all merchants. */
  wallet_id: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Absent: all rails of the driver. */
  rails: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
  settings: values,
  secrets: values,
  test: Type.Optional(Type.Boolean()),
  allow_unproven: Type.Optional(Type.Boolean()),
})

export const connectedSchema = Type.Object({
  connection: Type.Integer(),
  /** Whether the webhook did not fail and every check succeeded. */
  ok: Type.Boolean(),
  checks,
  /** The address to which the provider sends webhooks. Null if it sends none. */
  webhook: orNull,
  registered: Type.Boolean(),
  by_hand: Type.Array(Type.String()),
})
export type ConnectedAnswer = Static<typeof connectedSchema>

export const railCheckSchema = Type.Object({
  ok: Type.Boolean(),
  checks,
})
export type RailCheckAnswer = Static<typeof railCheckSchema>

export const masterKeysSchema = Type.Object({
  current: Type.Integer(),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      in_file: Type.Boolean(),
      secrets: Type.Record(Type.String(), Type.Integer()),
    }),
  ),
})
export type MasterKeysAnswer = Static<typeof masterKeysSchema>

export const rotatedSchema = Type.Object({
  version: Type.Integer(),
  added: Type.Boolean(),
  resealed: Type.Integer(),
  left: Type.Integer(),
})
export type RotatedAnswer = Static<typeof rotatedSchema>

export const queuesSchema = Type.Object({
  queues: Type.Array(
    Type.Object({
      kind: Type.String(),
      waiting: Type.Integer(),
      due: Type.Integer(),
      oldest: orNull,
    }),
  ),
  callbacks: Type.Array(
    Type.Object({
      wallet_id: Type.Integer(),
      lane: Type.String(),
      backlog: Type.Integer(),
      given_up: Type.Integer(),
      oldest: orNull,
      last_status: Type.Union([Type.Integer(), Type.Null()]),
      last_error: orNull,
    }),
  ),
})
export type QueuesAnswer = Static<typeof queuesSchema>
