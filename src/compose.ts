// Wires every module: what each needs from its own layer or a higher one is passed in here, and nowhere else.
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { createAudits } from './audits/index.ts'
import { createAuthorizations } from './authorizations/index.ts'
import { createBackoffice } from './backoffice/index.ts'
import { takeBackup } from './backups/index.ts'
import { beforeDriver, createBankDesk } from './bank-files/index.ts'
import { brandRoutes } from './brand/index.ts'
import { type CallbacksDeps, createCallbacks } from './callbacks/index.ts'
import { cardSecrets, createVault } from './cards/index.ts'
import { createChain } from './chain/index.ts'
import { createCheckoutPages, createCheckouts } from './checkouts/index.ts'
import type { CommandContext } from './cli/context.ts'
import { programVersion } from './cli/version.ts'
import { type Administration, composeAdministration } from './compose/administration.ts'
import { composeApp } from './compose/app.ts'
import { gatewayChecks } from './compose/audit.ts'
import { createBackground } from './compose/background.ts'
import { composeCards } from './compose/cards.ts'
import { composeNotices } from './compose/notices.ts'
import { requestOutcomes } from './compose/request-outcomes.ts'
import { embeddedDatabaseIn } from './config.ts'
import { connectionSecrets, type RailAdministration, type StatementSource } from './connections/index.ts'
import { type App, serveAssets, serveSite } from './http/index.ts'
import { createIdempotency } from './idempotency/index.ts'
import { projectRoot } from './kernel/project-root.ts'
import { systemClock } from './kernel/time.ts'
import { createLedger, createRollups, gatewayWalletId, openAccount } from './ledger/index.ts'
import { createBalance, findPayer } from './methods/balance/index.ts'
import { createBankTransfers, topUpReference } from './methods/bank-transfer/index.ts'
import { cardPanel } from './methods/cards/index.ts'
import { createMbway } from './methods/mbway/index.ts'
import { createMethodTable } from './methods/method.ts'
import { createMultibanco } from './methods/multibanco/index.ts'
import { createPaypal } from './methods/paypal/index.ts'
import { createSepaDebit } from './methods/sepa-debit/index.ts'
import { countDaySoFar, createOperations, type RailOf, topUpConsumer } from './operations/index.ts'
import { createPayouts, payoutRail } from './payouts/index.ts'
import type { GatewayRails, Notices } from './rails/index.ts'
import { createReconciliation } from './reconciliation/index.ts'
import { createRequestLog } from './request-log/index.ts'
import type { Runtime } from './runtime.ts'
import { secureFieldSecrets } from './secure-fields/index.ts'
import { createStatements } from './statements/index.ts'
import { createBacklogs } from './storage/backlogs.ts'
import {
  type AuditCheck,
  bytesPerMebibyte,
  createKeyRotation,
  migrate,
  type Worker,
} from './storage/index.ts'
import { createSubscriptions, subscriptionSettlement, subscriptionSubject } from './subscriptions/index.ts'
import { createSuspense, suspenseAccounts } from './suspense/index.ts'
import { tracedRails } from './telemetry/traced-rails.ts'
import { createWallets, type DemoWorld, type RailCapabilities, walletSecrets } from './wallets/index.ts'

const builtWebFolder = join(projectRoot, 'dist', 'web')
/** Names of the built browser files that a gateway cannot start without, and of those built after its first start. */
const webManifestPath = join(builtWebFolder, 'manifest.json')
const backofficeManifestPath = join(builtWebFolder, 'backoffice.json')

/** Drivers, with their own workers and audit checks. */
export interface RailDrivers extends GatewayRails {
  /** Audit checks of the drivers' records; none where those are kept elsewhere. */
  readonly checks?: readonly AuditCheck[]
  /** What there are rails for, of a wallet; the same object while nothing changes. Absent: every method. */
  capabilitiesOf?(walletId: bigint): RailCapabilities
  /** Whose providers give statements of what they have booked; absent: none. */
  statements?(): readonly StatementSource[]
  /** What operators do with connections; absent where there are none, as in the sandbox. */
  readonly administration?: RailAdministration
  /** What lies between the gateway and merchants' servers, where the drivers play it; absent: a network. */
  readonly interference?: CallbacksDeps['interference']
  /** What drivers do by themselves, such as repeating notices: by the name under which it is counted. */
  workers?(notices: Notices): Readonly<Record<string, Worker>>
}

/** The gateway without its address: every module, ready to serve and to work. */
export interface Gateway {
  readonly commands: Omit<CommandContext, 'demo' | 'clock' | 'rails'>
  readonly metrics: Registry
  /** Where rails send their notices. */
  readonly notices: Notices
  readonly administration: Administration
  /** Makes the demo world where it is missing, and writes demo.json: not for production. */
  demo(): Promise<DemoWorld>
  /** The HTTP app; `routes` adds others to the gateway's own. */
  createApp(routes?: (app: App) => void): App
  /** Begins to deliver, expire and resolve. */
  startWork(): Promise<void>
  /** Releases leases and closes the database. */
  close(): Promise<void>
}

/** Wires every module on `runtime` and the drivers `given`. Nothing runs before `createApp` and `startWork`. */
export function composeGateway(runtime: Runtime, given: RailDrivers): Gateway {
  const { config, baseUrl, database, keyring, clock, random, onError } = runtime
  const { mode } = config
  const drivers: RailDrivers = tracedRails({ ...given, ...beforeDriver(runtime, given) })
  const { acquirer, threeDSecure, mobileWallet, referenceNetworks: networks, pretended } = drivers
  const manifestPath = webManifestPath
  const metrics = new Registry()

  const requestLog = createRequestLog({ database, clock, metrics, days: config.requestLogDays, onError })
  const idempotency = createIdempotency({ ...runtime, outcomeOf: requestOutcomes(runtime) })
  const ledger = createLedger({ database })
  const wallets = createWallets({
    database,
    clock,
    random,
    keyring,
    mode,
    ...(drivers.capabilitiesOf && { capabilitiesOf: drivers.capabilitiesOf }),
    openAccounts: async (tx, walletId, kind) => {
      await openAccount(tx, { walletId, kind })
    },
    countDaySoFar,
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
    interference: drivers.interference,
    onError,
  })
  const methods = createMethodTable()
  const sentByBank = payoutRail({ database, rail: drivers.creditTransfer })
  const railOf: RailOf = ({ type, method }) =>
    type === 'WALLETFUNDS' ? sentByBank : methods.of(method)?.rail
  const operations = createOperations({
    database,
    clock,
    random,
    ledger,
    wallets,
    callbacks,
    extension: subscriptionSettlement({ database, clock, random, wallets }),
    railOf,
    metrics,
    payerOf: ({ walletId, id }) => findPayer(database, walletId, id),
    onError,
  })
  const rotation = createKeyRotation({
    database,
    keyring,
    random,
    columns: [...walletSecrets, ...cardSecrets, ...secureFieldSecrets, ...connectionSecrets],
    onError,
  })
  const { settle, engine, show, preview, settleFunded } = operations
  const shared = { database, clock, random, settle, wallets, onError }
  const transfers = createBankTransfers({ ...shared, preview })
  const payouts = createPayouts({ ...shared, engine, ledger, idempotency, rail: drivers.creditTransfer })
  const accountStatements = createStatements({ ...shared, ledger })
  const paypal = createPaypal({ ...shared, rail: drivers.onlineWallet })
  const mbway = createMbway({ ...shared, mode, mobileWallet, callbacks })
  const sepaDebit = createSepaDebit({ ...shared, callbacks, rail: drivers.directDebit })
  const vault = createVault({ database, clock, random, keyring })
  const recurring = { ...shared, keyring, baseUrl, engine, callbacks, vault, methods }
  const subscriptions = createSubscriptions(recurring)
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
  const suspense = createSuspense({
    ...{ database, clock, random, ledger, wallets, settle, networks, metrics, onError },
    preview: operations.preview,
    bank: drivers.creditTransfer,
    sendsTransfers: () => drivers.capabilitiesOf?.(gatewayWalletId).methods.has(transfers.code) ?? true,
  })
  const multibanco = createMultibanco({
    ...checkoutDeps,
    callbacks,
    networks,
    suspense,
    metrics,
  })
  const checkouts = createCheckouts(checkoutDeps)

  const {
    cards,
    method: byCard,
    fields,
    api,
  } = composeCards(runtime, {
    wallets,
    operations,
    callbacks,
    vault,
    acquirer,
    threeDSecure,
    checkoutSubject: checkouts.cardSubject,
    subscriptionSubject: subscriptionSubject(recurring),
    endSubscriptionsOf: subscriptions.voidWithCard,
    manifestPath,
    onError,
  })
  const authorizations = createAuthorizations({
    ...{ ...checkoutDeps, engine, railOf },
    ...{ preview: operations.preview, showPostings: operations.showPostings },
  })
  const notices = composeNotices({
    ...{ database, cards, mbway, paypal, sepaDebit, transfers, payouts, authorizations, multibanco },
    ...{ operations, suspense },
    charges: subscriptions.chargeHandler,
  })
  const bank = createBankDesk({
    ...{ database, clock, random, notices, onError },
    suspenseAccounts: () => suspenseAccounts(ledger),
    creditor: drivers.creditorAccount,
    folder: config.bankOutbox,
    inbox: config.bankInbox,
    exportMinutes: config.bankExportMinutes,
    settleAloneMax: config.bankSettleAloneMax,
  })
  const { reconciliation, worker: statements } = createReconciliation({
    ...{ database, clock, metrics, onError },
    sources: () => drivers.statements?.() ?? [],
  })
  const chain = createChain({ database, clock, keyring, metrics, onError })
  const background = createBackground({ onError })
  let isWorking = false
  methods.add(
    byCard,
    multibanco,
    mbway,
    paypal,
    createBalance({ ...shared, settleFunded, callbacks }),
    sepaDebit,
    transfers,
  )
  background.add(
    'attempts',
    engine.resolver((method) => methods.of(method)?.attempts, subscriptions.chargeHandler),
  )
  for (const worker of bank.workers) background.add('bank_entries', worker)
  background.add('statements', statements)
  background.add('authorizations', authorizations.lapsing)
  for (const [kind, worker] of Object.entries(drivers.workers?.(notices) ?? {})) background.add(kind, worker)
  background.add('references', multibanco.timers)
  background.add('references', multibanco.withdrawing)
  background.add('suspense', suspense.worker)
  background.add('mandates', mbway.mandates.worker)
  background.add('checkouts', checkouts.expiry)
  background.add('charges', subscriptions.charges)
  background.add('subscriptions', subscriptions.ends)
  background.add('operation_counts', operations.counts)
  background.add('operation_search', operations.takeOver)
  background.add('payouts', payouts.schedules)
  background.add('balance_rollups', createRollups({ database, onError }))
  background.add('account_days', accountStatements.days)
  background.add('chain', chain.worker)
  background.addLast('callbacks', callbacks.runDue)
  background.add('requests', idempotency.purge)
  background.add('request_log', requestLog.worker)
  background.add('secure_fields', fields.cleaner)

  const audits = createAudits({
    ...{ database, clock: systemClock, onError },
    checks: [...gatewayChecks, ...chain.checks, ...(drivers.checks ?? [])],
  })
  const backoffice = createBackoffice({
    ...{
      database,
      keyring,
      clock: systemClock,
      gatewayClock: clock,
      random,
      baseUrl,
      mode,
      manifestPath: backofficeManifestPath,
      signInRules: config,
      wallets,
      operations,
      callbacks,
      requestLog,
      cardApi: api,
      onError,
    },
    operator: {
      backlogs: createBacklogs({ database, clock, metrics, onError }),
      ...{ audits, callbacks, suspense, reconciliation, vault: rotation, payouts, transfers },
      bank: bank.desk,
      rails: drivers.administration,
      bankReferenceOf: topUpReference,
    },
  })
  background.add('failed_sign_ins', backoffice.worker)

  function demo(): Promise<DemoWorld> {
    return wallets.createDemoWorld({
      dataDir: config.dataDir,
      baseUrl,
      authScheme: config.authSchemes[0] ?? 'Comporta',
      makeUsers: backoffice.demoUsers,
      fundConsumer: (walletId, amount, operationId) =>
        topUpConsumer({ database, clock, ledger }, { walletId, amount, operationId, method: transfers.code }),
    })
  }

  return {
    commands: {
      wallets,
      people: backoffice.people,
      log: backoffice.log,
      callbacks,
      audit: audits.report,
      chain,
      migrate: () => migrate(database),
      vault: rotation,
      ...(database.kind === 'pglite' && { backup: takeBackupOf(runtime) }),
      payouts,
      transfers,
      bank: bank.desk,
      suspense,
      reconciliation,
    },
    metrics,
    notices,
    administration: composeAdministration(runtime, {
      wallets,
      ledger,
      transfers,
      runDue: background.runDue,
    }),
    demo,
    createApp(routes) {
      const parts = {
        wallets,
        metrics,
        requestLog,
        manifestPath,
        people: backoffice.guard,
        pretended,
        working: () => isWorking,
      }
      const app = composeApp(runtime, parts)
      const pages = createCheckoutPages({
        ...checkoutDeps,
        cards,
        methods,
        cardPanel,
        manifestPath,
        pretended,
        keyring,
      })
      const modules = [
        idempotency,
        wallets,
        callbacks,
        requestLog,
        operations,
        chain,
        checkouts,
        cards,
        api,
        fields,
        authorizations,
        payouts,
        accountStatements,
        multibanco,
        subscriptions,
        mbway,
      ]
      for (const module of modules) module.routes(app)
      const movements = [operations, authorizations, payouts, accountStatements]
      backoffice.routes([...movements, checkouts, subscriptions, mbway.mandates, multibanco])(app)
      routes?.(app)
      pages(app)
      brandRoutes({ manifestPath })(app)
      serveAssets(app, { prefix: '/assets', root: builtWebFolder })
      serveSite(app, join(builtWebFolder, 'docs'), runtime.baseUrl)
      return app
    },
    async startWork() {
      await Promise.all([wallets.start(), rotation.listen()])
      await cards.listen()
      await Promise.all([background.start(), callbacks.start()])
      isWorking = true
    },
    async close() {
      await background.stop()
      await audits.stop()
      await requestLog.flush()
      await cards.settled()
      await callbacks.stop()
      await runtime.close()
    },
  }
}

/** Of the embedded database, under the keys of the moment. */
function takeBackupOf({ config, database, keyring }: Runtime): NonNullable<CommandContext['backup']> {
  return (file, stop) =>
    takeBackup(
      {
        database,
        folder: embeddedDatabaseIn(config.dataDir),
        keys: keyring.keys,
        version: programVersion(),
        clock: systemClock,
        freeBytesMin: config.diskFreeMinMb * bytesPerMebibyte,
      },
      file,
      stop,
    )
}
