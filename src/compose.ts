// Wires every module: what each needs from beside or above it is handed in here, and nowhere else.
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { createAuthorizations } from './authorizations/index.ts'
import { brandRoutes } from './brand/index.ts'
import { createCallbacks } from './callbacks/index.ts'
import { cardSecrets, createVault } from './cards/index.ts'
import {
  balanceSubscribing,
  createCheckoutPages,
  createCheckouts,
  createPhoneSubscribing,
  createPhoneWay,
  referenceWay,
} from './checkouts/index.ts'
import type { CommandContext } from './cli/context.ts'
import { programVersion } from './cli/version.ts'
import { composeApp } from './compose/app.ts'
import { audit } from './compose/audit.ts'
import { createBackground } from './compose/background.ts'
import { composeCards } from './compose/cards.ts'
import { checksFor } from './compose/checks.ts'
import { composeMobile } from './compose/mobile.ts'
import { composeOtherMethods, movementInquiry, otherRefundRails, otherWays } from './compose/other-methods.ts'
import { composeRails } from './compose/rails.ts'
import { receiptsOf } from './compose/receipts.ts'
import { requestOutcomes } from './compose/request-outcomes.ts'
import { sandboxNews } from './compose/sandbox-news.ts'
import { composeSubscriptions } from './compose/subscriptions.ts'
import { CannotStart, type Ground } from './ground.ts'
import { type App, serveAssets } from './http/index.ts'
import { createIdempotency } from './idempotency/index.ts'
import { projectRoot } from './kernel/project-root.ts'
import { systemClock } from './kernel/time.ts'
import { createLedger, createRollups, openAccount } from './ledger/index.ts'
import { createOperations, topUpConsumer } from './operations/index.ts'
import { createReferences } from './references/index.ts'
import { createSandbox, houseAccount, type SandboxClock } from '../sandbox/index.ts'
import { createKeyRotation, DatabaseUnavailable, migrate } from './storage/index.ts'
import { followMandates, settleBeside } from './subscriptions/index.ts'
import { createWallets, type DemoWorld, type Wallets, walletSecrets } from './wallets/index.ts'

const builtWebFolder = join(projectRoot, 'dist', 'web')

/** The gateway without its address: every module, ready to serve and to work. */
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

/** Wires every module on `ground`. Nothing is served or done before it is asked for. */
export function composeGateway(ground: Ground): Gateway {
  const { config, baseUrl, database, keyring, clock, random, logger } = ground
  const { mode } = config
  const sandboxClock = sandboxClockOf(ground)
  const manifestPath = join(builtWebFolder, 'manifest.json')
  const metrics = new Registry()
  const onError = (error: unknown) => {
    // That a server is away is logged once, when it goes; what waits for it tries again by itself.
    const isToldAlready = database.kind === 'postgres' && error instanceof DatabaseUnavailable
    if (!isToldAlready) logger.error({ err: error }, 'work in the background failed')
  }

  const idempotency = createIdempotency({ ...ground, outcomeOf: requestOutcomes(ground), onError })
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
    version: programVersion(),
    publicOnly: mode === 'production',
    endpointsOf: (walletId) => wallets.get(walletId),
    credentialsOf: (walletId) => wallets.callbackCredentials(walletId),
    onError,
  })
  const background = createBackground()
  const sandbox = createSandbox({
    database,
    baseUrl,
    authScheme: config.authSchemes[0] ?? 'Comporta',
    random,
    clock: sandboxClock,
    runDue: background.runDue,
    setCallbackUrls: (walletId, changes) => wallets.changeMerchant(walletId, changes),
    walletNews: (news) => mobile.heard(news),
    shop: {
      callbackUrlOf: async (walletId) => (await wallets.get(walletId)).callbackUrl,
      demoFile: join(config.dataDir, 'demo.json'),
      manifestPath,
    },
    findReceipt: receiptsOf(database),
    payee: () => references.payee,
    news: sandboxNews(ground, { wallets, ledger, methods: () => others }),
    onError,
    logger,
  })
  const { acquirer, threeDSecure, mobileWallet } = sandbox
  const rails = composeRails(acquirer, mobileWallet, wallets)
  const operations = createOperations({
    database,
    clock,
    random,
    ledger,
    wallets,
    callbacks,
    beside: settleBeside({ database, clock, random, wallets }),
    lateRails: rails.lateRails,
    metrics,
    refundRails: { ...rails.refundRails, ...otherRefundRails(() => others) },
    inquire: movementInquiry(() => others, sandbox),
    payerOf: (payment) => others.balances.payerOf(payment),
    onError,
  })
  const mobile = composeMobile(ground, {
    wallets,
    mobileWallet,
    settle: operations.settle,
    watch: operations.watch,
    subscriptions: followMandates({ database, clock, random, wallets }),
    callbacks,
    onError,
  })
  const money = { ledger, wallets, operations, callbacks, idempotency, onError }
  const others = composeOtherMethods(ground, { ...money, rails: sandbox, house: houseAccount })
  const rotation = createKeyRotation({
    database,
    keyring,
    random,
    columns: [...walletSecrets, ...cardSecrets],
    onError,
  })
  const { settle, movements, show } = operations
  const vault = createVault({ database, clock, random, keyring })
  const recurring = composeSubscriptions(ground, {
    wallets,
    settle,
    giveUp: operations.giveUp,
    callbacks,
    vault,
    acquirer,
    mobileWallet,
    mandates: mobile.mandates,
    balances: others.balances,
    withdrawFromPhone: mobile.payments.withdraw,
    onError,
  })
  const { subscriptions } = recurring
  const checkoutDeps = {
    database,
    clock,
    random,
    wallets,
    settle,
    show,
    subscriptions,
    baseUrl,
    mode,
    onError,
  }
  const { references: network, entity } = sandbox
  const references = createReferences({ ...checkoutDeps, callbacks, network, entity, metrics })
  const checkouts = createCheckouts(checkoutDeps)

  const { cards, fields, api } = composeCards(ground, {
    wallets,
    operations,
    callbacks,
    vault,
    acquirer,
    threeDSecure,
    checkoutOwner: checkouts.cardOwner,
    subscriptionOwner: recurring.cardOwner,
    endSubscriptionsOf: subscriptions.voidWithCard,
    manifestPath,
    onError,
  })
  const { holdRails } = rails
  const authorizations = createAuthorizations({ ...checkoutDeps, movements, holdRails })
  background.add('card_attempts', cards.resolver)
  background.add('movements', operations.movements.resolver)
  background.add('late_requests', operations.lateRequests)
  background.add('authorizations', authorizations.lapsing)
  background.add('reference_notices', sandbox.worker)
  background.add('references', references.timers)
  background.add('mobile_payments', mobile.payments.resolver)
  background.add('mandates', mobile.mandates.worker)
  background.add('online_wallet', others.onlineWallet.resolver)
  background.add('direct_debits', others.directDebits.resolver)
  background.add('checkouts', checkouts.expiry)
  background.add('charges', subscriptions.charges)
  background.add('subscriptions', subscriptions.ends)
  background.add('operation_counts', operations.counts)
  background.add('balance_rollups', createRollups({ database, onError }))
  background.addLast('callbacks', callbacks.runDue)
  background.add('requests', idempotency.purge)
  background.add('secure_fields', fields.cleaner)

  function demo(): Promise<DemoWorld> {
    return wallets.createDemoWorld({
      dataDir: config.dataDir,
      baseUrl,
      authScheme: config.authSchemes[0] ?? 'Comporta',
      fundConsumer: (walletId, amount, operationId) =>
        topUpConsumer({ database, clock, ledger }, { walletId, amount, operationId }),
    })
  }

  return {
    wallets,
    commands: {
      wallets,
      callbacks,
      audit: () => audit(database, checksFor(mode)),
      migrate: () => migrate(database),
      vault: rotation,
      balances: others.balances,
      bank: { writeFiles: others.writeBankFiles },
      demo,
      clock: sandbox.commands,
    },
    demo,
    createApp() {
      const app = composeApp(ground, { wallets, metrics, manifestPath })
      const ways = {
        MB: referenceWay(checkoutDeps, references.offers),
        MBWAY: createPhoneWay({ database, clock, payments: mobile.payments }),
        ...otherWays(checkoutDeps, others, sandbox.onlineWallet.pagesUrl),
      }
      const { mandates, payments } = mobile
      const subscribing = {
        MBWAY: createPhoneSubscribing({ database, clock, payments, subscriptions, mandates }),
        WALLET: balanceSubscribing(checkoutDeps, others.balances),
      }
      const pages = createCheckoutPages({
        ...checkoutDeps,
        cards,
        ways,
        subscribing,
        manifestPath,
        keyring,
      })
      const modules = [
        idempotency,
        wallets,
        callbacks,
        operations,
        checkouts,
        cards,
        api,
        fields,
        authorizations,
        references,
        subscriptions,
        mandates,
        payments,
        sandbox,
      ]
      for (const { routes } of modules) routes(app)
      pages(app)
      brandRoutes({ manifestPath })(app)
      serveAssets(app, { prefix: '/assets', root: builtWebFolder })
      return app
    },
    async startWork() {
      await Promise.all([wallets.start(), rotation.listen()])
      await cards.listen()
      await Promise.all([background.start(), callbacks.start()])
    },
    async close() {
      await background.stop()
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
