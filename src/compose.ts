// Composes the gateway from its modules.
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { brandRoutes } from './brand/index.ts'
import { createCheckoutPages } from './checkouts/index.ts'
import type { CommandContext } from './cli/context.ts'
import { type Administration, composeAdministration } from './compose/administration.ts'
import { composeApp } from './compose/app.ts'
import { createBackground } from './compose/background.ts'
import { composeBooks } from './compose/books.ts'
import { composeDesk, composeTools } from './compose/desk.ts'
import { composeMail } from './compose/mail.ts'
import { composeNotices, type RailDrivers, railsFor } from './compose/rails.ts'
import { composeSelling } from './compose/selling.ts'
import { type App, serveAssets, serveSite } from './http/index.ts'
import { projectRoot } from './kernel/project-root.ts'
import { ledgerModule } from './ledger/index.ts'
import { directPaymentRoutes } from './methods/direct.ts'
import type { Module, PageCore } from './module.ts'
import { topUpConsumer } from './operations/index.ts'
import { linkPageRoutes } from './payment-links/index.ts'
import type { Notices } from './rails/index.ts'
import type { Runtime } from './runtime.ts'
import type { DemoWorld } from './wallets/index.ts'

export type { RailDrivers } from './compose/rails.ts'

const builtWebFolder = join(projectRoot, 'dist', 'web')
/** Lists of built files. The checkout needs its own at the start. The backoffice may be built later. */
const manifestPath = join(builtWebFolder, 'manifest.json')
const backofficeManifestPath = join(builtWebFolder, 'backoffice.json')

export interface Gateway {
  readonly commands: Omit<CommandContext, 'demo' | 'clock' | 'rails'>
  readonly metrics: Registry
  readonly notices: Notices
  readonly administration: Administration
  demo(): Promise<DemoWorld>
  createApp(routes?: (app: App) => void): App
  startWork(): Promise<void>
  close(): Promise<void>
}

/** Composes the parts. Nothing runs before `createApp` and `startWork`. */
export function composeGateway(runtime: Runtime, given: RailDrivers): Gateway {
  const { config, baseUrl, database, clock, onError } = runtime
  const { mode } = config
  const metrics = new Registry()
  const core: PageCore = {
    ...{ database, clock, random: runtime.random, keyring: runtime.keyring },
    ...{ baseUrl, mode, metrics, manifestPath, onError },
  }
  const drivers = railsFor(runtime, given)
  const books = composeBooks(core, runtime, drivers)
  const mail = composeMail(core, runtime, drivers, books.wallets)
  const selling = composeSelling(core, drivers, books, mail)
  const { processes, wallets, ledger, callbacks, idempotency, operations, methods, requestLog } = books
  const { authorizations, payouts, statements, suspense, checkouts, paymentLinks, subscriptions } = selling
  const { chargeHandler } = subscriptions
  const pages: Module = {
    routes(app) {
      createCheckoutPages(selling.checkoutDeps)(app)
      linkPageRoutes(selling.linkDeps)(app)
    },
  }
  const direct: Module = { routes: directPaymentRoutes({ ...core, wallets }, methods.all()) }
  const offered: readonly Module[] = [
    ...[operations, authorizations, ...methods.all(), direct, selling.fields, suspense, checkouts],
    ...[paymentLinks, subscriptions, payouts, statements, mail, selling.customers],
  ]
  const notices = composeNotices(offered, { database, operations, authorizations, charges: chargeHandler })
  const { bank, reconciliation, chain } = composeTools(core, runtime, drivers, notices, books)
  const resolver: Module = {
    workers: {
      attempts: operations.engine.resolver((method) => methods.of(method)?.attempts, chargeHandler),
    },
  }
  const ofDrivers: Module = {
    ...{ workers: drivers.workers?.(notices), checks: drivers.checks, secrets: drivers.secrets },
  }

  const working: readonly Module[] = [
    ...[processes, ledgerModule(core), idempotency, wallets, callbacks, requestLog],
    ...[resolver, bank, reconciliation, ofDrivers, ...offered, chain],
  ]
  const desk = composeDesk(
    ...([core, runtime, working] as const),
    { ...books, ...selling, mail, bank, reconciliation, chain, rails: drivers.administration },
    backofficeManifestPath,
  )
  const { backoffice } = desk
  const modules: readonly Module[] = [...working, desk.audits, desk.vault, { workers: backoffice.workers }]
  const background = createBackground(modules, { onError })
  let isWorking = false

  return {
    commands: desk.commands,
    metrics,
    notices,
    administration: composeAdministration(runtime, {
      ...{ wallets, ledger, transfers: selling.transfers, runDue: background.runDue },
    }),
    demo: () =>
      wallets.createDemoWorld({
        ...{ dataDir: config.dataDir, baseUrl, authScheme: config.authSchemes[0] ?? 'Comporta' },
        makeUsers: backoffice.demoUsers,
        fundConsumer: (walletId, amount, operationId) =>
          topUpConsumer(
            { database, clock, ledger },
            { walletId, amount, operationId, method: selling.transfers.code },
          ),
      }),
    createApp(routes) {
      const app = composeApp(runtime, {
        ...{ processes, wallets, metrics, requestLog, manifestPath, simulated: drivers.simulated },
        people: backoffice.guard,
        working: () => isWorking,
      })
      for (const module of modules) module.routes?.(app)
      const movements = [operations, authorizations, payouts, statements]
      backoffice.routes([
        ...movements,
        checkouts,
        paymentLinks,
        subscriptions,
        selling.mbway.mandates,
        selling.multibanco,
        selling.customers,
        mail,
        callbacks.endpointRoutes,
      ])(app)
      routes?.(app)
      for (const module of [pages, { routes: brandRoutes({ manifestPath }) }]) module.routes?.(app)
      serveAssets(app, { prefix: '/assets', root: builtWebFolder })
      serveSite(app, join(builtWebFolder, 'docs'), baseUrl)
      return app
    },
    async startWork() {
      await Promise.all(modules.map((module) => module.start?.()))
      await background.start()
      isWorking = true
    },
    async close() {
      await background.stop()
      await Promise.all(modules.map((module) => module.stop?.()))
      await background.stopLast()
      await runtime.close()
    },
  }
}
