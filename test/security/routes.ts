// Routes that a gateway declares, with their requirements.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { PeopleAuth } from '../../src/backoffice/access/person.ts'
import type { RouteAuth } from '../../src/http/index.ts'

export interface Route {
  readonly method: string
  readonly url: string
  readonly auth: RouteAuth | 'none'
  readonly people: PeopleAuth
  readonly isPage: boolean
  readonly parameters: readonly string[]
  readonly fields: readonly string[]
  readonly summary: string
}

export const peoplePrefix = '/backoffice/api/'

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

/** Hashed names of browser files change. */
function withoutHash(url: string): string {
  return url.replace(/-[\w-]{8}\.js$/, '-<hash>.js')
}

export function abilityOf({ url, auth, people }: Route): string {
  if (url.startsWith(`${peoplePrefix}operator/`)) return 'operator'
  return people.ability ?? (auth === 'none' ? undefined : auth.permission) ?? 'anybody'
}
