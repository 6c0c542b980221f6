// Which connection a request goes over: noted with its key before anything is sent, and kept for all that follows.
import type { Clock } from '../../kernel/time.ts'
import type { NotReceived, RailName, Rails } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import { findRequest, routeRequest } from '../requests/requests-store.ts'

export interface RouterDeps {
  readonly database: Database
  readonly clock: Clock
  readonly connections: Connections
}

/** Nothing was sent: no connection serves the rail, so that the request can be made again later. */
export class RailNotServed extends Error {
  readonly code = 'RAIL_NOT_SERVED'

  constructor(rail: RailName) {
    super(`no connection serves the rail ${rail}`)
    this.name = 'RailNotServed'
  }
}

/** The connection of a key, or why there is none. */
export type Route =
  | { readonly connection: HeldConnection; readonly walletId: bigint | undefined }
  | 'cancelled'
  | 'unknown'

const notReceived: NotReceived = { kind: 'not_found' }

export type Router = ReturnType<typeof createRouter>

export function createRouter({ database, clock, connections }: RouterDeps) {
  function railOf<Name extends RailName>(name: Name, connection: HeldConnection | undefined): Rails[Name] {
    const rail = connection === undefined ? undefined : connections.railsOf(connection)[name]
    if (rail === undefined) throw new RailNotServed(name)
    return rail as Rails[Name]
  }

  function heldBy(id: bigint): HeldConnection {
    const connection = connections.find(id)
    if (connection === undefined) throw new Error(`connection ${id} is not known here`)
    return connection
  }

  async function routeOf(key: string): Promise<Route> {
    const row = await findRequest(database, key)
    if (row === undefined) return 'unknown'
    const { connectionId, walletId } = row
    return connectionId === undefined ? 'cancelled' : { connection: heldBy(connectionId), walletId }
  }

  /** Notes the key for `wanted`, unless it was noted before: then that counts. */
  async function note(
    rail: RailName,
    walletId: bigint | undefined,
    key: string,
    wanted: HeldConnection,
  ): Promise<Exclude<Route, 'unknown'>> {
    const request = { key, rail, walletId, connectionId: wanted.row.id }
    const noted = await routeRequest(database, request, clock.now())
    if (noted.connectionId === undefined) return 'cancelled'
    return { connection: heldBy(noted.connectionId), walletId: noted.walletId }
  }

  /** Where a key was sent; a key that was sent nowhere is from now on sent nowhere. */
  async function cancelledRoute(rail: RailName, key: string): Promise<Route> {
    const request = { key, rail, walletId: undefined, connectionId: undefined }
    const { connectionId, walletId } = await routeRequest(database, request, clock.now())
    return connectionId === undefined ? 'cancelled' : { connection: heldBy(connectionId), walletId }
  }

  return {
    routeOf,
    note,
    ofGateway: <Name extends RailName>(name: Name): Rails[Name] =>
      railOf(name, connections.lastServing(name)),
    railOf,
    /** What every connection of a rail answers alike. */
    ofAny<Name extends RailName>(name: Name): Rails[Name] {
      const any = connections.all().find(({ serves, row }) => serves && row.rails.includes(name))
      return railOf(name, connections.serving(name, undefined) ?? any)
    },

    /**
     * Something new: over the connection that serves the wallet now, or the one to which the key was sent before.
     *
     * @param cancelled the answer where the key was cancelled before
     */
    async start<Name extends RailName, Answer>(
      name: Name,
      {
        key,
        walletId,
        signal,
      }: { key: string; walletId: bigint | undefined; signal: AbortSignal | undefined },
      ask: (rail: Rails[Name]) => Promise<Answer>,
      cancelled: NoInfer<Answer>,
      preferred?: HeldConnection | undefined,
    ): Promise<Answer> {
      const wanted = preferred ?? connections.serving(name, walletId)
      // Without a connection for what is new, what was sent before may still be repeated.
      const route = wanted === undefined ? await routeOf(key) : await note(name, walletId, key, wanted)
      if (route === 'unknown') throw new RailNotServed(name)
      if (route === 'cancelled') return cancelled
      signal?.throwIfAborted()
      return ask(railOf(name, route.connection))
    },

    /** What follows an earlier request, over that one's connection; `unknown` where nothing was sent under its key. */
    async follow<Name extends RailName, Answer>(
      name: Name,
      asked: {
        key: string
        original: string
        walletId?: bigint | undefined
        signal: AbortSignal | undefined
      },
      ask: (rail: Rails[Name]) => Promise<Answer>,
      answers: { readonly unknown: NoInfer<Answer>; readonly cancelled: NoInfer<Answer> },
    ): Promise<Answer> {
      const original = await routeOf(asked.original)
      if (typeof original === 'string') return answers.unknown
      const route = await note(name, asked.walletId ?? original.walletId, asked.key, original.connection)
      if (route === 'cancelled') return answers.cancelled
      asked.signal?.throwIfAborted()
      return ask(railOf(name, route.connection))
    },

    /** What became of a key: asked where it was sent. */
    async inquire<Name extends RailName, Answer>(
      name: Name,
      key: string,
      ask: (rail: Rails[Name]) => Promise<Answer>,
      cancelled?: NoInfer<Answer>,
    ): Promise<Answer | NotReceived> {
      const route = await routeOf(key)
      if (typeof route !== 'string') return ask(railOf(name, route.connection))
      return route === 'cancelled' && cancelled !== undefined ? cancelled : notReceived
    },

    /** Has nothing be sent under a key that was sent nowhere; otherwise asks where it was sent. */
    async cancel<Name extends RailName, Answer>(
      name: Name,
      key: string,
      ask: (rail: Rails[Name]) => Promise<Answer>,
      cancelled: NoInfer<Answer>,
    ): Promise<Answer> {
      const route = await cancelledRoute(name, key)
      return typeof route === 'string' ? cancelled : ask(railOf(name, route.connection))
    },
    cancelled: cancelledRoute,
  }
}

/** The rail knows no payment under the key that is to be refunded. */
export const unknownPayment = { kind: 'declined', reason: 'unknown_payment' } as const

/** The driver says only when it approves a hold how long that stands. */
export const holdStands = { kind: 'held' } as const
