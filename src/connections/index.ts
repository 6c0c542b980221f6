// The entry point of connections: drivers to real providers, set by operators.
import type { Registry } from 'prom-client'
import type { App } from '../http/index.ts'
import type { Day } from '../kernel/lisbon.ts'
import { after, day, type Instant } from '../kernel/time.ts'
import type { Method } from '../methods/list.ts'
import type { GatewayRails, MobileWalletLack, Notices } from '../rails/index.ts'
import type { Worker } from '../storage/index.ts'
import { type AdministrationDeps, administerConnections, type RailAdministration } from './administer.ts'
import { type Connections, type ConnectionsDeps, createConnections } from './connections.ts'
import type { StatementLine } from './driver.ts'
import { createExchange } from './exchange.ts'
import {
  authenticatedCustomers,
  createRailRouter,
  mobileWalletLacks,
  onlineWalletLacks,
} from './router/index.ts'
import { methodsOf, methodsWith } from './settings-rules.ts'
import { createContacts } from './tools/contacts.ts'
import { type CountWebhook, createWebhookCounter, webhookRoutes } from './webhooks/receive.ts'
import { createPurge, createWebhookWorker } from './webhooks/work.ts'

export type { Contact, ContactedConnection, RailAdministration } from './administer.ts'
export type { ConnectionChange } from './change.ts'
export type { CheckedConnection, ListedConnection } from './connect.ts'
export type {
  CheckResult,
  Connection,
  ConnectSpec,
  Driver,
  DriverLogger,
  DriverTools,
  ExchangedFile,
  RailRequest,
  RailRequests,
  ReceivedWebhook,
  RecordedAnswer,
  SettingSpec,
  StatementLine,
  VerifiedWebhook,
  WebhookAnswer,
  WebhookNotification,
  WebhookReceiver,
} from './driver.ts'
export {
  type ProviderAnswer,
  type ProviderReport,
  providerAnswers,
  providerReports,
} from './shown.ts'
export { connectionSecrets } from './store.ts'

export type ConnectedRailsDeps = Omit<ConnectionsDeps, 'notices'> &
  Pick<AdministrationDeps, 'baseUrl' | 'walletExists'>

export interface ConnectedRails {
  readonly rails: GatewayRails
  readonly administration: RailAdministration
  /** The methods that a wallet can use. The object is the same until connections change. */
  capabilitiesOf(walletId: bigint): Capabilities
  served(): ServedMethods
  read(): Promise<void>
  start(): Promise<void>
  /** Connects them with the notices and metrics of the gateway. Call it before the first request. */
  mount(gateway: { readonly notices: Notices; readonly metrics: Registry }): void
  readonly exchangeWorker: Worker
  /** Connections whose providers give statements: those in use, and those removed recently. */
  statements(): readonly StatementSource[]
  readonly webhookWorker: Worker
  readonly purge: Worker
  readonly routes: (app: App) => void
  stop(): Promise<void>
}

interface Capabilities {
  readonly methods: ReadonlySet<Method>
  readonly cardsAtAcquirer: boolean
  readonly notCharged?: ReadonlySet<Method>
  readonly notHeld?: ReadonlySet<Method>
}

export interface ServedMethods {
  readonly gateway: ReadonlySet<Method>
  readonly merchants: readonly { readonly walletId: bigint; readonly methods: ReadonlySet<Method> }[]
}

export function createConnectedRails(deps: ConnectedRailsDeps): ConnectedRails {
  let attached: { readonly notices: Notices; readonly count: CountWebhook } | undefined
  function gateway() {
    if (attached === undefined) throw new Error('the gateway is not composed yet')
    return attached
  }
  const contacts = createContacts(deps)
  const connections = createConnections(deps, contacts, () => gateway().notices)
  const count: CountWebhook = (driver, outcome) => gateway().count(driver, outcome)
  let known = new Map<bigint | undefined, Capabilities>()
  let version = -1

  function customersOf(walletId: bigint | undefined) {
    try {
      return authenticatedCustomers(connections, walletId)
    } catch (error) {
      deps.onError(error)
      return undefined
    }
  }

  function lackingOf(walletId: bigint | undefined): Pick<Capabilities, 'notCharged' | 'notHeld'> {
    const lacks = {
      mobileWallet: mobileWalletLacks(connections, walletId),
      onlineWallet: onlineWalletLacks(connections, walletId),
    }
    const lacking = (lack: MobileWalletLack) => {
      const rails = (['mobileWallet', 'onlineWallet'] as const).filter((rail) => lacks[rail].includes(lack))
      return rails.length === 0 ? undefined : new Set(rails.flatMap((rail) => methodsOf({ rails: [rail] })))
    }
    const [notCharged, notHeld] = [lacking('mandates'), lacking('holds')]
    return { ...(notCharged && { notCharged }), ...(notHeld && { notHeld }) }
  }

  function capabilitiesOf(walletId: bigint | undefined): Capabilities {
    if (version !== connections.version()) {
      version = connections.version()
      known = new Map()
    }
    const before = known.get(walletId)
    if (before !== undefined) return before
    const customers = customersOf(walletId)
    const methods = new Set(
      methodsWith(
        (rail) => connections.serving(rail, walletId) !== undefined,
        () => customers !== undefined,
      ),
    )
    const made = { methods, cardsAtAcquirer: customers?.cardForm === true, ...lackingOf(walletId) }
    known.set(walletId, made)
    return made
  }

  const exchange = createExchange({ ...deps, connections, contacts })
  return {
    rails: createRailRouter({ ...deps, connections }),
    administration: { ...administerConnections({ ...deps, connections, contacts }), exchange: exchange.now },
    exchangeWorker: exchange.worker,
    capabilitiesOf,
    served() {
      const { methods: gatewayMethods } = capabilitiesOf(undefined)
      const owners = new Set(connections.all().flatMap(({ serves, row }) => (serves ? [row.walletId] : [])))
      return {
        gateway: gatewayMethods,
        merchants: [...owners].flatMap((walletId) =>
          walletId === undefined ? [] : [{ walletId, methods: capabilitiesOf(walletId).methods }],
        ),
      }
    },
    read: () => connections.refresh(),
    start: () => connections.start(),
    mount({ notices, metrics }) {
      attached = { notices, count: createWebhookCounter(metrics) }
    },
    statements: () => statementSources(connections, deps.clock.now()),
    webhookWorker: createWebhookWorker({ ...deps, connections, count }),
    purge: createPurge(deps),
    routes: webhookRoutes({ ...deps, connections, count }),
    async stop() {
      connections.stop()
      await contacts.stop()
    },
  }
}

/** Time in which refunds and disputes of a removed connection can still arrive. */
const readAfterRemovalMs = 60 * day

export interface StatementSource {
  readonly connectionId: bigint
  readonly since: Instant
  read(day: Day): Promise<readonly StatementLine[]>
}

function statementSources(connections: Connections, now: Instant): StatementSource[] {
  return connections.all().flatMap((held): StatementSource[] => {
    const { row, driver } = held
    if (driver?.statement === undefined) return []
    if (!row.enabled && after(row.changedAt, readAfterRemovalMs) < now) return []
    return [
      {
        connectionId: row.id,
        since: row.createdAt,
        read: async (asked) =>
          (await driver.statement?.(connections.opened(held), asked, connections.toolsOf(held))) ?? [],
      },
    ]
  })
}
