// Choice of a connection, recorded with the key before the first call.
import type { Clock } from '../../kernel/time.ts'
import type { NotReceived, RailName, Rails } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import type { RequestRow } from '../model.ts'
import { findRequest, routeRequest } from '../requests-store.ts'

export interface RouterDeps {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
}

/** No connection serves the rail, so nothing was sent. The request can be repeated. */
export class RailNotServed extends Error {
  readonly code = 'RAIL_NOT_SERVED'

  constructor(rail: RailName) {
    super(`no connection serves the rail ${rail}`)
    this.name = 'RailNotServed'
  }
}

export type Route =
  | { readonly connection: HeldConnection; readonly walletId: bigint | undefined }
  | 'cancelled'
  | 'unknown'

export type Router = ReturnType<typeof createRouter>

export function createRouter(deps: RouterDeps) {
  const { connections } = deps
  const { routeOf, note, cancelledRoute } = createRoutes(deps)

  function railOf<Name extends RailName>(name: Name, connection: HeldConnection | undefined): Rails[Name] {
    const rail = connection === undefined ? undefined : connections.railsOf(connection)[name]
    if (rail === undefined) throw new RailNotServed(name)
    return rail as Rails[Name]
  }

  return {
    routeOf,
    note,
    cancelled: cancelledRoute,
    railOf,

    over: <Name extends RailName>(name: Name) => ({
      ofGateway: () => railOf(name, connections.lastServing(name)),
      ofAny() {
        const any = connections.all().find(({ serves, row }) => serves && row.rails.includes(name))
        return railOf(name, connections.serving(name, undefined) ?? any)
      },

      async start<Answer>(
        { key, merchant }: { readonly key: string; readonly merchant?: { readonly id: bigint } },
        signal: AbortSignal | undefined,
        ask: (rail: Rails[Name]) => Promise<Answer>,
        cancelled: NoInfer<Answer>,
        preferred?: HeldConnection | undefined,
      ): Promise<Answer> {
        const wanted = preferred ?? connections.serving(name, merchant?.id)
        const route = wanted === undefined ? await routeOf(key) : await note(name, merchant?.id, key, wanted)
        if (route === 'unknown') throw new RailNotServed(name)
        if (route === 'cancelled') return cancelled
        signal?.throwIfAborted()
        return ask(railOf(name, route.connection))
      },

      async follow<Answer>(
        asked: {
          readonly key: string
          readonly original: string
          readonly merchant?: { readonly id: bigint }
        },
        signal: AbortSignal | undefined,
        ask: (rail: Rails[Name]) => Promise<Answer>,
        answers: { readonly unknown: NoInfer<Answer>; readonly cancelled: NoInfer<Answer> },
      ): Promise<Answer> {
        const original = await routeOf(asked.original)
        if (typeof original === 'string') return answers.unknown
        const walletId = asked.merchant?.id ?? original.walletId
        const route = await note(name, walletId, asked.key, original.connection)
        if (route === 'cancelled') return answers.cancelled
        signal?.throwIfAborted()
        return ask(railOf(name, route.connection))
      },

      async inquire<Answer>(
        key: string,
        ask: (rail: Rails[Name]) => Promise<Answer>,
        cancelled?: NoInfer<Answer>,
      ): Promise<Answer | NotReceived> {
        const route = await routeOf(key)
        if (typeof route !== 'string') return ask(railOf(name, route.connection))
        return route === 'cancelled' && cancelled !== undefined ? cancelled : { kind: 'not_found' }
      },

      async cancel<Answer>(
        key: string,
        ask: (rail: Rails[Name]) => Promise<Answer>,
        cancelled: NoInfer<Answer>,
      ): Promise<Answer> {
        const route = await cancelledRoute(name, key)
        return typeof route === 'string' ? cancelled : ask(railOf(name, route.connection))
      },
    }),
  }
}

function createRoutes({ database, clock, connections }: RouterDeps) {
  function routeTo({ connectionId, walletId }: RequestRow): Exclude<Route, 'unknown'> {
    if (connectionId === undefined) return 'cancelled'
    const connection = connections.find(connectionId)
    if (connection === undefined) throw new Error(`connection ${connectionId} is not known here`)
    return { connection, walletId }
  }

  return {
    async routeOf(key: string): Promise<Route> {
      const row = await findRequest(database, key)
      return row === undefined ? 'unknown' : routeTo(row)
    },

    /** Records `wanted` as the connection of the key. If the key has a connection already, that one stays. */
    async note(rail: RailName, walletId: bigint | undefined, key: string, wanted: HeldConnection) {
      const request = { key, rail, walletId, connectionId: wanted.row.id }
      return routeTo(await routeRequest(database, request, clock.now()))
    },

    /** Cancels a key, unless it was sent. */
    async cancelledRoute(rail: RailName, key: string) {
      const request = { key, rail, walletId: undefined, connectionId: undefined }
      return routeTo(await routeRequest(database, request, clock.now()))
    },
  }
}

const unknownPayment = { kind: 'declined', reason: 'unknown_payment' } as const

/** The answers to a refund if its payment, or its own key, was never sent over a connection. */
export const noPayment = { unknown: unknownPayment, cancelled: unknownPayment } as const

export const holdStands = { kind: 'held' } as const
