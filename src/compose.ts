// Wires every room: what each needs from beside or above it is handed in here, and nowhere else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { callbackChecks, createCallbacks } from './callbacks/index.ts'
import {
  cardPaymentChecks,
  createCardPayments,
  paymentOwner,
  railAnswerOf,
  storingOwner,
} from './card-payments/index.ts'
import { attemptChecks, cardSecrets, createCards, createSecureFields, createVault } from './cards/index.ts'
import {
  checkoutChecks,
  createCheckoutPages,
  createCheckouts,
  createRefusalPages,
} from './checkouts/index.ts'
import type { AuditReport, CommandContext } from './cli/context.ts'
import { CannotStart, type Ground } from './ground.ts'
import { type App, createApp, serveAssets } from './http/index.ts'
import { type Instant, systemClock } from './kernel/time.ts'
import { createLedger, ledgerChecks, openAccount } from './ledger/index.ts'
import { createOperations, operationChecks, topUpConsumer } from './operations/index.ts'
import { createSandbox, type SandboxClock } from './sandbox/index.ts'
import {
  type AuditCheck,
  createKeyRotation,
  createRequestsPurge,
  type Database,
  isCurrent,
  migrate,
  recallRequest,
  rememberAnswer,
  requestDigest,
} from './storage/index.ts'
import {
  createCardRail,
  createSubscriptions,
  settleBeside,
  subscriptionChecks,
  subscriptionOwner,
} from './subscriptions/index.ts'
import { createWallets, type DemoWorld, type Wallet, type Wallets, walletSecrets } from './wallets/index.ts'

/** The browser files, built from `web/`. */
const builtWebFolder = join(import.meta.dirname, '..', 'dist', 'web')

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  version: string
}

/** The gateway without its address: every room, ready to serve and to work. */
export interface Gateway {
  readonly wallets: Wallets
  readonly commands: CommandContext
  /** Makes the demo world where it is missing, and writes demo.json. */
  demo(): Promise<DemoWorld>
  createApp(): App
  /** Begins to deliver, expire and resolve. */
  startWork(): Promise<void>
  /** Gives leases back and closes the database. */
  close(): Promise<void>
}

export function composeGateway(ground: Ground): Gateway {
  const { config, baseUrl, database, keyring, clock, random, logger } = ground
  const { mode } = config
  const sandboxClock = sandboxClockOf(ground)
  const manifestPath = join(builtWebFolder, 'manifest.json')
  const metrics = new Registry()
  const onError = (error: unknown) => logger.error({ err: error }, 'work in the background failed')

  const ledger = createLedger({ database })
  const wallets = createWallets({
    database,
    clock,
    random,
    keyring,
    mode,
    openAccounts: async (tx, walletId, kind) => {
      await openAccount(tx, { walletId, kind })
    },
  })
  const callbacks = createCallbacks({
    database,
    clock,
    random,
    machineClock: systemClock,
    metrics,
    version,
    publicOnly: mode === 'production',
    endpointsOf: (walletId) => wallets.get(walletId),
    credentialsOf: (walletId) => wallets.callbackCredentials(walletId),
    onError,
  })
  const due: { readonly kind: string; run(now: Instant): Promise<number> }[] = []
  const runDue = (now: Instant) => runEverythingDue(due, now)
  const sandbox = createSandbox({
    database,
    baseUrl,
    random,
    clock: sandboxClock,
    runDue,
    setCallbackUrls: (walletId, changes) => wallets.changeMerchant(walletId, changes),
    shop: {
      callbackUrlOf: async (walletId) => (await wallets.get(walletId)).callbackUrl,
      demoFile: join(config.dataDir, 'demo.json'),
      manifestPath,
    },
    logger,
  })
  const operations = createOperations({
    database,
    clock,
    random,
    ledger,
    wallets,
    callbacks,
    beside: settleBeside({ database, clock, random, wallets }),
    inquire: async ({ id }) => railAnswerOf(await sandbox.acquirer.inquire(id)),
    onError,
  })
  const rotation = createKeyRotation({
    database,
    keyring,
    random,
    columns: [...walletSecrets, ...cardSecrets],
    onError,
  })
  const vault = createVault({ database, clock, random, keyring })
  const cardOwners = {
    database,
    clock,
    random,
    keyring,
    baseUrl,
    mode,
    wallets,
    settle: operations.settle,
    vault,
    callbacks,
  }
  const rails = { CC: createCardRail({ vault, acquirer: sandbox.acquirer }) }
  const subscriptions = createSubscriptions({ ...cardOwners, rails, onError })
  const checkoutDeps = { ...cardOwners, subscriptions, onError }
  const checkouts = createCheckouts(checkoutDeps)
  const cards = createCards({
    database,
    clock,
    random,
    keyring,
    acquirer: sandbox.acquirer,
    threeDSecure: sandbox.threeDSecure,
    baseUrl,
    owners: {
      checkout: checkouts.cardOwner,
      card_api: paymentOwner(cardOwners),
      card_store: storingOwner(cardOwners),
      subscription: subscriptionOwner(cardOwners),
    },
    onError,
  })
  const fields = createSecureFields({
    database,
    clock,
    random,
    keyring,
    baseUrl,
    walletOf: (publicId) => merchantOf(wallets, publicId),
    manifestPath,
    sandbox: true,
    onError,
  })
  const cardPayments = createCardPayments({
    ...cardOwners,
    cards,
    fields,
    movements: operations.movements,
    acquirer: sandbox.acquirer,
  })
  const purge = createRequestsPurge({ database, clock, onError })
  due.push(
    { kind: 'card_attempts', run: () => cards.resolver.runDue() },
    { kind: 'movements', run: () => operations.movements.resolver.runDue() },
    { kind: 'checkouts', run: () => checkouts.expiry.runDue() },
    { kind: 'charges', run: () => subscriptions.charges.runDue() },
    { kind: 'subscriptions', run: () => subscriptions.ends.runDue() },
    { kind: 'callbacks', run: (now) => callbacks.runDue(now) },
    { kind: 'requests', run: () => purge.runDue() },
    { kind: 'secure_fields', run: () => fields.cleaner.runDue() },
  )
  const workers = [cards.resolver, operations.movements.resolver, checkouts.expiry, purge, fields.cleaner]
  workers.push(subscriptions.charges, subscriptions.ends)
  const ofCards = [...attemptChecks, ...cardPaymentChecks]
  const checks = [...ledgerChecks, ...operationChecks, ...ofCards, ...checkoutChecks, ...callbackChecks]
  checks.push(...subscriptionChecks)

  function demo(): Promise<DemoWorld> {
    return wallets.createDemoWorld({
      dataDir: config.dataDir,
      baseUrl,
      authScheme: config.authSchemes[0] ?? 'Comporta',
      fundConsumer: (walletId, amount, operationId) =>
        topUpConsumer({ database, clock, random, ledger }, { walletId, amount, operationId }),
    })
  }

  return {
    wallets,
    commands: {
      wallets,
      audit: () => audit(database, checks),
      migrate: () => migrate(database),
      vault: rotation,
      demo,
      clock: sandbox.commands,
    },
    demo,
    createApp() {
      const app = createApp({
        config: { baseUrl, mode, authSchemes: config.authSchemes, rateLimits: config.rateLimits },
        clock,
        random,
        authenticate: wallets.authenticate,
        ready: async () => {
          await database.ping()
          if (!(await isCurrent(database))) throw new Error('the database has migrations to come')
        },
        metrics,
        requests: {
          digest: requestDigest(keyring),
          recall: (walletId, key) => recallRequest(database, walletId, key, clock.now()),
          remember: (walletId, id, answer) => rememberAnswer(database, walletId, id, answer),
        },
        logger,
        renderRefusal: createRefusalPages({ manifestPath, mode }),
      })
      const pages = createCheckoutPages({ ...checkoutDeps, cards, ways: {}, manifestPath })
      const rooms = [
        wallets,
        callbacks,
        operations,
        checkouts,
        cards,
        cardPayments,
        fields,
        subscriptions,
        sandbox,
      ]
      for (const { routes } of rooms) routes(app)
      pages(app)
      serveAssets(app, { prefix: '/assets', root: builtWebFolder })
      return app
    },
    async startWork() {
      await Promise.all([wallets.start(), rotation.listen()])
      await cards.listen()
      await Promise.all([...workers.map((worker) => worker.start()), callbacks.start()])
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await cards.settled()
      await callbacks.stop()
      await ground.close()
    },
  }
}

/** The clock of the sandbox, which production has not: it refuses the sandbox's rails, and there are no others yet. */
function sandboxClockOf({ sandboxClock }: Ground): SandboxClock {
  if (sandboxClock !== undefined) return sandboxClock
  throw new CannotStart(
    'MODE=production needs rails to a real acquirer and 3-D Secure server; this version has only those of the sandbox',
  )
}

/** The merchant of a public id; consumers have no form fields. */
async function merchantOf(wallets: Wallets, publicId: string): Promise<Wallet | undefined> {
  const wallet = await wallets.findByPublicId(publicId)
  return wallet?.kind === 'merchant' ? wallet : undefined
}

/** Runs all kinds until none has anything left: what one does may make another's work due. */
async function runEverythingDue(
  due: readonly { readonly kind: string; run(now: Instant): Promise<number> }[],
  now: Instant,
): Promise<Record<string, number>> {
  const ran: Record<string, number> = Object.fromEntries(due.map(({ kind }) => [kind, 0]))
  for (let worked = true; worked; ) {
    worked = false
    for (const { kind, run } of due) {
      const count = await run(now)
      ran[kind] = (ran[kind] ?? 0) + count
      worked ||= count > 0
    }
  }
  return ran
}

async function audit(database: Database, checks: readonly AuditCheck[]): Promise<AuditReport> {
  const report = {
    ok: true,
    checks: {} as Record<string, number>,
    problems: [] as AuditReport['problems'][number][],
  }
  for (const check of checks) {
    const { examined, findings } = await check.run(database)
    report.checks[check.name] = examined
    report.problems.push(...findings)
  }
  return { ...report, ok: report.problems.length === 0 }
}
