// The routes that a gateway declares, with what each asks of its caller: none can be left out of what is tried on all.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { PeopleAuth } from '../../src/backoffice/access/person.ts'
import type { RouteAuth } from '../../src/http/index.ts'

export interface Route {
  readonly method: string
  readonly url: string
  /** What it asks of a key; `none`: it is for anybody. */
  readonly auth: RouteAuth | 'none'
  /** What it asks of people, below {@link peoplePrefix}. */
  readonly people: PeopleAuth
  /** Whether it is a page, or a part of one. */
  readonly isPage: boolean
  /** The parameters of its query. */
  readonly parameters: readonly string[]
  /** The fields of its body, those of objects within by their path. */
  readonly fields: readonly string[]
  /** How the log of who did what calls it. */
  readonly summary: string
}

export const peoplePrefix = '/backoffice/api/'

/** Has a gateway started by `start`, in this process; answers what `start` does, and the routes that it declared. */
export async function withRoutes<T>(start: () => Promise<T>): Promise<[T, Route[]]> {
  const routes: Route[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config, schema }) => {
      const {
        auth = {},
        people = {},
        page: isPage = false,
      } = (config ?? {}) as { auth?: Route['auth']; people?: PeopleAuth; page?: boolean }
      const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
      const { summary = url } = (schema ?? {}) as { summary?: string }
      const parameters = Object.keys(properties)
      const fields = fieldsOf(schema?.body)
      for (const one of [method].flat())
        routes.push({ method: one, url: withoutHash(url), auth, people, isPage, parameters, fields, summary })
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return [await start(), routes]
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}

function fieldsOf(schema: unknown, path = ''): string[] {
  const { properties = {}, items } = (schema ?? {}) as { properties?: object; items?: unknown }
  const own = Object.entries(properties).flatMap(([name, field]) => [
    path + name,
    ...fieldsOf(field, `${path}${name}.`),
  ])
  return [...own, ...(items === undefined ? [] : fieldsOf(items, path))]
}

/** Browser files are named by what is in them. */
function withoutHash(url: string): string {
  return url.replace(/-[\w-]{8}\.js$/, '-<hash>.js')
}

/** What a route asks of whoever is signed in: the ability that it names, or the permission that it asks of a key. */
export function abilityOf({ url, auth, people }: Route): string {
  if (url.startsWith(`${peoplePrefix}operator/`)) return 'operator'
  return people.ability ?? (auth === 'none' ? undefined : auth.permission) ?? 'anybody'
}
