// Further callback endpoints of a wallet, and their deliveries.
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { DeliveryState, EventKind } from '../model.ts'

/** With the address of the wallet, which is number 1. */
export const endpointsMax = 10

/** A `ping` goes only to the endpoint that it tests. */
export const endpointEventKinds = [
  'operation',
  'card_stored',
  'mandate',
  'subscription',
  'charge',
] as const satisfies readonly EventKind[]
export type EndpointEventKind = (typeof endpointEventKinds)[number]

/** A paused endpoint gets its events after the pause. */
export const endpointStates = ['ACTIVE', 'PAUSED'] as const
export type EndpointState = (typeof endpointStates)[number]

export const endpointDeliveryStates = [
  'DUE',
  'DELIVERED',
  'GIVEN_UP',
] as const satisfies readonly DeliveryState[]
export type EndpointDeliveryState = (typeof endpointDeliveryStates)[number]

export const callbackEndpoints = table(
  'callback_endpoints',
  {
    walletId: column.bigint(),
    id: column.uuid(),
    number: column.integer(),
    url: column.text(),
    description: column.text().optional(),
    /** Empty: every kind. */
    kinds: column.text<EndpointEventKind>().array(),
    state: column.text<EndpointState>(),
    passwordPreviousUntil: column.instant().optional(),
    signingPreviousUntil: column.instant().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    passwordSealed: column.bytes(),
    passwordPreviousSealed: column.bytes().optional(),
    signingSealed: column.bytes(),
    signingPreviousSealed: column.bytes().optional(),
    sinceWrittenIn: column.bigint(),
    sinceEvent: column.uuid(),
    uptoWrittenIn: column.bigint(),
    uptoEvent: column.uuid(),
  },
)

export type CallbackEndpoint = RowOf<typeof callbackEndpoints>

export const endpointSecrets = callbackEndpoints.pick(
  'passwordSealed',
  'passwordPreviousSealed',
  'passwordPreviousUntil',
  'signingSealed',
  'signingPreviousSealed',
  'signingPreviousUntil',
)
export type EndpointSecrets = RowOf<typeof endpointSecrets>

export const endpointDeliveries = table('endpoint_deliveries', {
  walletId: column.bigint(),
  endpointId: column.uuid(),
  eventId: column.uuid(),
  state: column.text<EndpointDeliveryState>(),
  attempts: column.integer(),
  dueAt: column.instant().optional(),
  claimId: column.uuid().optional(),
  claimedUntil: column.instant().optional(),
  lastStatus: column.integer().optional(),
  lastError: column.text().optional(),
  finishedAt: column.instant().optional(),
})

export const endpointAttempts = table('endpoint_attempts', {
  walletId: column.bigint(),
  endpointId: column.uuid(),
  eventId: column.uuid(),
  id: column.bigint(),
  attemptedAt: column.instant(),
  httpStatus: column.integer().optional(),
  error: column.text().optional(),
  durationMs: column.integer(),
})
