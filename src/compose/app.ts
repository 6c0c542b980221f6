// Wires the HTTP app: authentication and refusals.
import type { Registry } from 'prom-client'
import type { Processes } from '../cells/index.ts'
import { createRefusalPages } from '../checkouts/index.ts'
import { type App, createApp, type PeopleGuard } from '../http/index.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { Runtime } from '../runtime.ts'
import { isCurrent } from '../storage/index.ts'
import { readDemoKeys, type Wallets } from '../wallets/index.ts'

export interface AppParts {
  readonly processes: Processes
  readonly wallets: Wallets
  readonly metrics: Registry
  readonly requestLog: RequestLog
  readonly manifestPath: string
  readonly people: PeopleGuard
  readonly simulated: SimulatedMoney | undefined
  working(): boolean
}

export function composeApp(runtime: Runtime, parts: AppParts): App {
  const { processes, wallets, metrics, requestLog, manifestPath, people, simulated, working } = parts
  const { config, baseUrl, database, clock, random, logger } = runtime
  const { host, mode, authSchemes, rateLimits, trustProxy, metricsToken, cells } = config
  return createApp({
    config: { baseUrl, host, mode, authSchemes, rateLimits, trustProxy, metricsToken, cells },
    clock,
    random,
    authenticate: wallets.authenticate,
    ready: async () => {
      await database.ping()
      if (!(await isCurrent(database))) throw new Error('the database still needs migrations')
      processes.checkClock()
    },
    working,
    metrics,
    logger,
    ...(requestLog.note && { onAnswer: requestLog.note }),
    people,
    ...(mode === 'sandbox' && { trialKeys: () => readDemoKeys(config.dataDir) }),
    renderRefusal: createRefusalPages({ manifestPath, simulated }),
  })
}
