// The routes of the backoffice's API, as a gateway declares them: none can be left out of what is tried on all.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { PeopleAuth } from '../../src/backoffice/access/person.ts'
import { loadConfig } from '../../src/config.ts'
import type { RouteAuth } from '../../src/http/index.ts'
import { openGateway } from '../../src/main.ts'

export interface BackofficeRoute {
  readonly method: string
  readonly url: string
  /** For who is not signed in. */
  readonly isOpen: boolean
  /** The parameters of its query. */
  readonly parameters: readonly string[]
  /** How the log of who did what calls it; undefined where it is not written down. */
  readonly action: string | undefined
  /** What it asks of whoever is: the ability that its route names, or the permission that it asks of a key; and to confirm. */
  readonly asks: string
}

/** Opens a gateway for a moment and reads what it serves under `/backoffice/api`. */
export async function backofficeRoutes(): Promise<BackofficeRoute[]> {
  const routes: BackofficeRoute[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config, schema }) => {
      if (!url.startsWith('/backoffice/api/')) return
      const { auth, people = {} } = (config ?? {}) as { auth?: RouteAuth | 'none'; people?: PeopleAuth }
      const isOpen = auth === 'none'
      const asks = askedBy(url, auth, people)
      const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
      const parameters = Object.keys(properties)
      const summary = (schema as { summary?: string } | undefined)?.summary ?? url
      for (const one of [method].flat()) {
        const isLogged = one !== 'GET' && !isOpen && people.isPrivate !== true
        routes.push({ method: one, url, isOpen, asks, parameters, action: isLogged ? summary : undefined })
      }
    })
  }
  subscribe('fastify.initialization', listen)
  const dataDir = mkdtempSync(join(tmpdir(), 'comporta-routes-'))
  try {
    const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    if (!config.ok) throw new Error(config.refusal.join('; '))
    const gateway = await openGateway(config.value, pino({ level: 'silent' }))
    const app = gateway.createApp(undefined)
    await app.ready()
    await app.close()
    await gateway.close()
  } finally {
    unsubscribe('fastify.initialization', listen)
    rmSync(dataDir, { recursive: true, force: true })
  }
  return routes
}

function askedBy(url: string, auth: RouteAuth | 'none' | undefined, people: PeopleAuth): string {
  const permission = auth === 'none' ? undefined : auth?.permission
  const by = url.includes('/operator/') ? 'operator' : (people.ability ?? permission ?? 'anybody')
  return [by, people.confirmed].filter((one) => one !== undefined).join(', ')
}
