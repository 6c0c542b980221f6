// The demo shop: a pretend merchant to buy from and subscribe to, with its own server, its pages and its callbacks.
import type { App } from '../../src/http/index.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { Database } from '../../src/storage/index.ts'
import type { SandboxLogger } from '../issuer/context.ts'
import { loadShopAssets } from './assets.ts'
import { callbackRoutes } from './callbacks.ts'
import type { ShopContext } from './context.ts'
import { createLiveStreams } from './live.ts'
import { createMemory } from './memory.ts'
import { shopRoutes } from './routes.ts'
import { subscribingRoutes } from './subscribing/routes.ts'
import { createVisitors } from './visitors.ts'

export interface ShopDeps extends Omit<ShopContext, 'memory'> {
  readonly database: Database
  /** Path of the manifest of the built browser files. */
  readonly manifestPath: string
  readonly logger: SandboxLogger
}

/** The routes under `/sandbox/shop`. */
export function demoShop({ database, manifestPath, logger, ...deps }: ShopDeps): (app: App) => void {
  const onError = (error: unknown) =>
    logger.warn({ err: error }, 'the demo shop could not tell the other processes')
  const assets = loadShopAssets(manifestPath)
  return (app) => {
    const memory = createMemory(database, newId(deps.clock.now(), deps.random), onError)
    const context = { ...deps, memory }
    const visitors = createVisitors(context, assets)
    const streams = createLiveStreams(app, context)
    app.addHook('onReady', () => memory.listen())
    shopRoutes(app, context, visitors, streams)
    subscribingRoutes(app, context, visitors, streams)
    callbackRoutes(context)(app)
  }
}
