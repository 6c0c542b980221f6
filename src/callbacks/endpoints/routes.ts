// Routes of a merchant's further callback endpoints.
import { Type } from 'typebox'
import {
  type App,
  type AppRequest,
  answers,
  callerOf,
  dateOnWire,
  exampleId,
  exampleMoment,
  idOf,
  idParameter,
  listOf,
  parsePage,
  pathId,
} from '../../http/index.ts'
import { newId } from '../../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import { after, day } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import { digestOf } from '../events-store.ts'
import { pingPayload } from '../reading/ping.ts'
import {
  findEndpointAttempts,
  findEndpointDelivery,
  insertEndpointPing,
  listEndpointDeliveries,
  makeEndpointDeliveryDue,
  makeGivenUpDue,
} from './deliveries-store.ts'
import { type EndpointDeliveryState, endpointDeliveryStates, endpointsMax } from './model.ts'
import {
  attemptOnWire,
  deliveryExample,
  deliveryOnWire,
  deliveryQuery,
  deliverySchema,
  deliveryWithAttemptsSchema,
  endpointBody,
  endpointChanges,
  endpointExample,
  endpointOnWire,
  endpointSchema,
  newEndpointExample,
  newEndpointSchema,
  readChanges,
  resendBody,
  resentSchema,
  secretBody,
  secretExample,
  secretSchema,
  testedSchema,
} from './schemas.ts'
import { newSecret, type SecretKind, secretKinds } from './secrets.ts'
import {
  deleteEndpoint,
  type EndpointChanges,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  rotateSecret,
  type ShownEndpoint,
  updateEndpoint,
} from './store.ts'
import { endpointDeliveriesChannel, endpointsChannel } from './worker.ts'

const path = '/api/v2/callback_endpoints'
const reading = { auth: { permission: 'callbacks' } } as const
/** As for the first address: a new receiver of events, and secrets. */
const changing = {
  auth: { permission: 'callback_endpoints' },
  people: { ability: 'keys', confirmed: 'always' },
} as const
const sending = { auth: { permission: 'callbacks' }, people: { ability: 'callbacks' } } as const
const tags = ['Callbacks'] as const
/** Overlap of old and new secret after a rotation, as for the first address. */
const overlapMs = day
const parameters = idParameter('callback endpoint')
const deliveryParameters = Type.Object({ id: pathId('callback endpoint'), event_id: pathId('event') })
const listSchema = listOf(endpointSchema, 'CallbackEndpointList', 'The further endpoints of the wallet.')
const deliveriesSchema = listOf(deliverySchema, 'EndpointDeliveryList', 'A page of deliveries.')
const deletedSchema = Type.Object({}, { title: 'DeletedCallbackEndpoint', description: 'Empty.' })
const newEndpoint: EndpointChanges = { url: '', description: undefined, kinds: [], state: 'ACTIVE' }

export interface EndpointRoutesDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring'> {
  /** Production: only https. */
  readonly publicOnly: boolean
}

export function endpointRoutes(deps: EndpointRoutesDeps): (app: App) => void {
  return (app) => {
    readingRoutes(deps, app)
    changingRoutes(deps, app)
    secretRoutes(deps, app)
    deliveryRoutes(deps, app)
    sendingRoutes(deps, app)
  }
}

async function endpointOf(
  { database }: Pick<EndpointRoutesDeps, 'database'>,
  request: AppRequest,
): Promise<ShownEndpoint> {
  const id = unwrap(idOf((request.params as { id: string }).id, 'callback endpoint'))
  const found = await findEndpoint(database, callerOf(request).walletId, id)
  return found ?? deny('not_found', `there is no callback endpoint ${id}`)
}

function readingRoutes(deps: EndpointRoutesDeps, app: App): void {
  const { database, clock } = deps

  app.get(
    path,
    {
      config: reading,
      schema: {
        operationId: 'listCallbackEndpoints',
        summary: 'List the further callback endpoints',
        description: `All endpoints besides the \`callback_url\` of the wallet, with their health. At most ${endpointsMax - 1}, newest first.`,
        tags,
        response: answers(listSchema, { total: 1, elements: [endpointExample] }),
      },
    },
    async (request) => {
      const found = await listEndpoints(database, callerOf(request).walletId)
      const now = clock.now()
      return { total: found.length, elements: found.map((one) => endpointOnWire(one, now)) as never }
    },
  )

  app.get(
    `${path}/:id`,
    {
      config: { ...reading, refusals: ['not_found'] },
      schema: {
        operationId: 'getCallbackEndpoint',
        summary: 'Read a callback endpoint',
        description: 'Includes the health of its deliveries. Never its secrets.',
        tags,
        params: parameters,
        response: answers(endpointSchema, endpointExample),
      },
    },
    async (request) => endpointOnWire(await endpointOf(deps, request), clock.now()) as never,
  )
}

function changingRoutes(deps: EndpointRoutesDeps, app: App): void {
  const { database, clock, random, publicOnly } = deps
  const mode = publicOnly ? 'production' : 'sandbox'

  async function mayUse(walletId: bigint, url: string, ownId?: string): Promise<Result<void>> {
    const others = (await listEndpoints(database, walletId)).filter(({ id }) => id !== ownId)
    const same = others.find((other) => other.url === url)
    if (same !== undefined) return refuse('illegal_state', `the endpoint ${same.id} already has this url`)
    return ownId === undefined && others.length >= endpointsMax - 1
      ? refuse('illegal_state', `the wallet already has ${endpointsMax} endpoints: delete one first`)
      : ok(undefined)
  }

  app.post(
    path,
    {
      config: { ...changing, refusals: ['missing_parameter', 'invalid_parameter', 'illegal_state'] },
      schema: {
        operationId: 'createCallbackEndpoint',
        summary: 'Create a callback endpoint',
        description:
          'It gets the events from now on, each with its own attempts and secrets. The answer contains both secrets, only this once. If the answer is lost, find the endpoint in the list and replace its secrets.',
        tags,
        body: endpointBody,
        response: answers(newEndpointSchema, newEndpointExample),
      },
    },
    async (request) => {
      const { walletId } = callerOf(request)
      const { url, description, kinds } = unwrap(readChanges(request.body, newEndpoint, mode))
      for (;;) {
        unwrap(await mayUse(walletId, url))
        const at = clock.now()
        const id = newId(at, random)
        const password = newSecret(deps, 'callback_secret', id)
        const signing = newSecret(deps, 'callback_signing_secret', id)
        const isMade = await insertEndpoint(database, {
          ...{ walletId, id, url, description, kinds, password, signing, at },
        })
        if (!isMade) continue
        await database.notify(endpointsChannel, '')
        const made = (await findEndpoint(database, walletId, id)) ?? deny('not_found', `${id} is deleted`)
        request.changes = [{ field: `callback endpoint ${made.number}`, old: '', new: inWords(made) }]
        const secrets = { callback_secret: password.secret, callback_signing_secret: signing.secret }
        return { ...endpointOnWire(made, at), ...secrets } as never
      }
    },
  )

  app.patch(
    `${path}/:id`,
    {
      config: { ...changing, refusals: ['invalid_parameter', 'not_found', 'illegal_state'] },
      schema: {
        operationId: 'changeCallbackEndpoint',
        summary: 'Change, pause or resume a callback endpoint',
        description:
          'A new address applies to waiting callbacks too. A new filter applies to all events that the endpoint has not taken yet, also to those of a pause. After a pause the endpoint gets the events of the pause.',
        tags,
        params: parameters,
        body: endpointChanges,
        response: answers(endpointSchema, { ...endpointExample, status: 'PAUSED' }),
      },
    },
    async (request) => {
      const old = await endpointOf(deps, request)
      const { walletId, id } = old
      const changes = unwrap(readChanges(request.body, old as EndpointChanges, mode))
      if (changes.url !== old.url) unwrap(await mayUse(walletId, changes.url, id))
      if (!(await updateEndpoint(database, old, changes, clock.now())))
        return deny('illegal_state', 'the endpoint was changed at the same time: read it and try again')
      await database.notify(endpointsChannel, '')
      const changed = await endpointOf(deps, request)
      const [before, now] = [inWords(old), inWords(changed)]
      if (before !== now)
        request.changes = [{ field: `callback endpoint ${old.number}`, old: before, new: now }]
      return endpointOnWire(changed, clock.now()) as never
    },
  )

  app.delete(
    `${path}/:id`,
    {
      config: { ...changing, refusals: ['not_found'] },
      schema: {
        operationId: 'deleteCallbackEndpoint',
        summary: 'Delete a callback endpoint',
        description:
          'Its waiting callbacks are not sent any more. An attempt that is under way may still arrive. The events stay in `GET events`.',
        tags,
        params: parameters,
        response: answers(deletedSchema, {}),
      },
    },
    async (request) => {
      const old = await endpointOf(deps, request)
      await deleteEndpoint(database, old.walletId, old.id)
      await database.notify(endpointsChannel, '')
      request.changes = [{ field: `callback endpoint ${old.number}`, old: inWords(old), new: '' }]
      return {}
    },
  )
}

function secretRoutes(deps: EndpointRoutesDeps, app: App): void {
  const { database, clock } = deps

  app.post(
    `${path}/:id/secrets`,
    {
      config: { ...changing, refusals: ['missing_parameter', 'invalid_parameter', 'not_found'] },
      schema: {
        operationId: 'replaceCallbackEndpointSecret',
        summary: 'Replace a secret of a callback endpoint',
        description:
          'The answer contains the new secret, only this once. For 24 hours callbacks are signed with both secrets, and the old password is sent if your server refuses the new one.',
        tags,
        params: parameters,
        body: secretBody,
        response: answers(secretSchema, secretExample),
      },
    },
    async (request) => {
      const { walletId, id, number } = await endpointOf(deps, request)
      const kind: SecretKind =
        secretKinds.find((known) => known === request.body.kind.toLowerCase()) ??
        deny('invalid_parameter', `kind must be ${secretKinds.join(' or ')}`)
      const fresh = newSecret(deps, kind, id)
      const now = clock.now()
      const until = after(now, overlapMs)
      if (!(await rotateSecret[kind](database, walletId, id, fresh, now, until)))
        return deny('not_found', `there is no callback endpoint ${id}`)
      request.changes = [{ field: `callback endpoint ${number} ${kind}`, old: 'set', new: 'replaced' }]
      return { kind, secret: fresh.secret, overlap: dateOnWire(until) }
    },
  )
}

function deliveryRoutes(deps: EndpointRoutesDeps, app: App): void {
  const { database } = deps

  app.get(
    `${path}/:id/deliveries`,
    {
      config: { ...reading, refusals: ['invalid_parameter', 'not_found'] },
      schema: {
        operationId: 'listEndpointDeliveries',
        summary: 'List the deliveries of a callback endpoint, newest event first',
        description: 'Deliveries are kept for 90 days after they end.',
        tags,
        params: parameters,
        querystring: deliveryQuery,
        response: answers(deliveriesSchema, { total: 1, elements: [deliveryExample] }),
      },
    },
    async (request) => {
      const page = unwrap(parsePage(request.query))
      const states = unwrap(statesOf(request.query.status))
      const endpoint = await endpointOf(deps, request)
      const { total, deliveries } = await listEndpointDeliveries(database, endpoint, states, page)
      return { total, elements: deliveries.map(deliveryOnWire) as never }
    },
  )

  app.get(
    `${path}/:id/deliveries/:event_id`,
    {
      config: { ...reading, refusals: ['not_found'] },
      schema: {
        operationId: 'getEndpointDelivery',
        summary: 'Read a delivery of a callback endpoint',
        description: 'With the answer of each attempt. The body of the event is in `GET events`.',
        tags,
        params: deliveryParameters,
        response: answers(deliveryWithAttemptsSchema, {
          ...deliveryExample,
          answers: [{ date: exampleMoment, status: 200, duration_ms: 21 }],
        }),
      },
    },
    async (request) => {
      const endpoint = await endpointOf(deps, request)
      const eventId = unwrap(idOf(request.params.event_id, 'event'))
      // Read first: the delivery is then never older than its attempts.
      const attempts = await findEndpointAttempts(database, endpoint, eventId)
      const found =
        (await findEndpointDelivery(database, endpoint, eventId)) ??
        deny('not_found', `the endpoint has no delivery of an event ${eventId}`)
      return { ...deliveryOnWire(found), answers: attempts.map(attemptOnWire) } as never
    },
  )
}

function sendingRoutes(deps: EndpointRoutesDeps, app: App): void {
  const { database, clock, random } = deps

  app.post(
    `${path}/:id/resend`,
    {
      config: { ...sending, refusals: ['invalid_parameter', 'not_found'] },
      schema: {
        operationId: 'resendToCallbackEndpoint',
        summary: 'Send events to a callback endpoint again',
        description:
          'One event of your wallet, also one that the filter left out or that is older than the endpoint. Or all that failed.',
        tags,
        params: parameters,
        body: resendBody,
        response: answers(resentSchema, { resent: 1, more: false }),
      },
    },
    async (request) => {
      const endpoint = await endpointOf(deps, request)
      const { event_id: asked } = request.body ?? {}
      const now = clock.now()
      if (asked === undefined) {
        const sent = await makeGivenUpDue(database, endpoint, now)
        if (sent.resent > 0) await database.notify(endpointDeliveriesChannel, '')
        return sent
      }
      const eventId = unwrap(idOf(asked, 'event'))
      if (!(await makeEndpointDeliveryDue(database, endpoint, eventId, now)))
        return deny('not_found', `event ${eventId} does not exist`)
      await database.notify(endpointDeliveriesChannel, '')
      return { resent: 1, more: false }
    },
  )

  app.post(
    `${path}/:id/test`,
    {
      config: { ...sending, refusals: ['not_found', 'illegal_state'] },
      schema: {
        operationId: 'testCallbackEndpoint',
        summary: 'Send a test to a callback endpoint',
        description: 'A callback `ping` to this endpoint only, tried once. Read its delivery for the answer.',
        tags,
        params: parameters,
        response: answers(testedSchema, { event_id: exampleId }),
      },
    },
    async (request) => {
      const endpoint = await endpointOf(deps, request)
      if (endpoint.state === 'PAUSED')
        return deny('illegal_state', 'the endpoint is paused: resume it with the status ACTIVE')
      const at = clock.now()
      const id = newId(at, random)
      const payload = pingPayload(id, endpoint.walletId, at)
      const ping = { id, payload: JSON.stringify(payload), digest: digestOf(payload), at }
      if (!(await insertEndpointPing(database, endpoint, ping)))
        return deny('not_found', `there is no callback endpoint ${endpoint.id}`)
      await database.notify(endpointDeliveriesChannel, '')
      return { event_id: id }
    },
  )
}

function inWords({ url, description, kinds, state }: EndpointChanges | ShownEndpoint): string {
  return [
    url,
    kinds.length === 0 ? 'every kind' : kinds.join(' '),
    state,
    ...(description ? [description] : []),
  ].join(', ')
}

function statesOf(asked: string | readonly string[] | undefined): Result<readonly EndpointDeliveryState[]> {
  if (asked === undefined) return ok(endpointDeliveryStates)
  const read: EndpointDeliveryState[] = []
  for (const text of [asked].flat()) {
    const state = endpointDeliveryStates.find((known) => known === text.toUpperCase())
    if (state === undefined)
      return refuse('invalid_parameter', `status must be one of ${endpointDeliveryStates.join(', ')}`)
    read.push(state)
  }
  return ok(read)
}
