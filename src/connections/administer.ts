// The operator's commands for connections.

import { ok, type Result, refuse } from '../kernel/result.ts'
import { refusingTransaction } from '../storage/index.ts'
import {
  type ChangeDeps,
  type ConnectionChange,
  changeConnection,
  type MethodRoute,
  routeMethod,
} from './change.ts'
import { checkConnection } from './check.ts'
import {
  type CheckedConnection,
  type ConnectedProvider,
  connectProvider,
  type ListedConnection,
  type NewConnection,
} from './connect.ts'
import type { Connections, HeldConnection } from './connections.ts'
import type { Driver } from './driver.ts'
import type { ExchangedOver } from './exchange.ts'
import type { ConnectionRow, ContactRow, WebhookRow } from './model.ts'
import { methodsOf } from './settings-rules.ts'
import { disableConnection, listConnections, openSecrets } from './store.ts'
import { type Contacts, listContacts } from './tools/contacts.ts'
import { providerFetch, watched, whyFailed } from './tools/provider-fetch.ts'
import { listFailedWebhooks, retryWebhooks, webhooksChannel } from './webhooks/webhooks-store.ts'

export interface AdministrationDeps extends ChangeDeps {
  readonly baseUrl: string
  readonly drivers: readonly Driver[]
  readonly connections: Connections
  readonly contacts: Contacts
  walletExists(walletId: bigint): Promise<boolean>
}

export type Contact = Pick<ContactRow, 'at' | 'said'>

export interface ContactedConnection extends ListedConnection {
  readonly lastAnswer: Contact | undefined
  readonly lastError: Contact | undefined
}

export type RailAdministration = ReturnType<typeof administerConnections> & {
  exchange(): Promise<readonly ExchangedOver[]>
}

export function administerConnections(deps: AdministrationDeps) {
  const { database, clock, drivers, connections } = deps

  const driverOf = (name: string) => findDriver(drivers, name)

  async function taken(row: Result<ConnectionRow>): Promise<Result<ListedConnection>> {
    if (!row.ok) return row
    await connections.changed()
    return ok(listed(deps, row.value))
  }

  return {
    drivers,
    methodsOf,

    async list({ removed }: { readonly removed: boolean }): Promise<ContactedConnection[]> {
      await deps.contacts.flush()
      const [rows, contacts] = await Promise.all([listConnections(database), listContacts(database)])
      const last = ({ id }: ConnectionRow, kind: ContactRow['kind']) =>
        contacts.find((one) => one.connectionId === id && one.kind === kind)
      return rows
        .filter((row) => removed || row.enabled)
        .map((row) => ({
          ...listed(deps, row),
          lastAnswer: last(row, 'answer'),
          lastError: last(row, 'error'),
        }))
    },

    async set(change: ConnectionChange): Promise<Result<ListedConnection>> {
      const driver = driverOf(change.driver)
      if (!driver.ok) return driver
      if (change.walletId !== undefined && !(await deps.walletExists(change.walletId)))
        return refuse('not_found', `there is no wallet ${change.walletId}`)
      return taken(await changeConnection(deps, driver.value, change))
    },

    /**
     * Registers the webhook at the provider and stores the settings it returns. Returns false if a person
     * must enter the address. Refusals: those of `set`; rail_unavailable if the provider refuses.
     */
    async registerWebhook(id: bigint): Promise<Result<boolean>> {
      await connections.refresh()
      const held = connections.find(id)
      const register = held?.driver?.connects?.registerWebhook
      if (held === undefined || register === undefined) return ok(false)
      const { row } = held
      const provider = watched(providerFetch)
      try {
        const tools = connections.toolsOf(held, provider.fetch)
        const settings = await register(connections.opened(held), webhookUrlOf(deps, row), tools)
        const change = { driver: row.driver, walletId: row.walletId, secrets: {}, allowUnproven: false }
        const changed = await this.set({ ...change, settings })
        return changed.ok ? ok(true) : changed
      } catch (error) {
        const why = `the webhook was not registered: ${whyFailed(provider, error)}`
        return refuse('rail_unavailable', why)
      }
    },

    /** Sets a connection, registers its webhook if asked, and checks it. Refusals: those of `set`. */
    connect(asked: NewConnection): Promise<Result<ConnectedProvider>> {
      return connectProvider(this, asked)
    },

    async route(route: MethodRoute): Promise<Result<ListedConnection>> {
      const driver = driverOf(route.driver)
      if (!driver.ok) return driver
      return taken(
        await refusingTransaction(database, (tx) => routeMethod(tx, driver.value, route, clock.now())),
      )
    },

    async remove(id: bigint): Promise<Result<ListedConnection>> {
      const row = (await listConnections(database)).find((one) => one.id === id)
      if (row === undefined)
        return refuse('not_found', `there is no connection ${id}: see comporta rails list`)
      if (!(await disableConnection(database, id, clock.now())))
        return refuse('illegal_state', `connection ${id} was removed before`)
      return taken(ok({ ...row, enabled: false }))
    },

    failedWebhooks: (limit: number): Promise<WebhookRow[]> => listFailedWebhooks(database, limit),

    async retryWebhooks(): Promise<number> {
      const count = await retryWebhooks(database, clock.now())
      await database.notify(webhooksChannel, '')
      return count
    },

    async check(of?: bigint | string): Promise<Result<CheckedConnection[]>> {
      if (typeof of === 'string') {
        const driver = driverOf(of)
        if (!driver.ok) return driver
      }
      await connections.refresh()
      const chosen = connections
        .all()
        .filter(({ row }) =>
          typeof of === 'bigint' ? row.id === of : row.enabled && (of === undefined || row.driver === of),
        )
      if (of !== undefined && chosen.length === 0) {
        const name = typeof of === 'bigint' ? `connection ${of}` : `connection of ${of}`
        return refuse('not_found', `there is no ${name}: see comporta rails list`)
      }
      return ok(await Promise.all(chosen.map((held) => checked(deps, held))))
    },
  }
}

function findDriver(drivers: readonly Driver[], name: string): Result<Driver> {
  const driver = drivers.find((one) => one.name === name)
  if (driver !== undefined) return ok(driver)
  const names = drivers.map((one) => one.name).join(', ')
  return refuse(
    'invalid_parameter',
    `there is no driver ${JSON.stringify(name)}; ${names === '' ? 'this version has none' : `there are ${names}`}`,
  )
}

async function checked(deps: AdministrationDeps, held: HeldConnection): Promise<CheckedConnection> {
  const { row, driver } = held
  const results = await checkConnection(deps, held)
  const hasWebhook = driver?.webhook !== undefined
  return {
    connection: listed(deps, row),
    ok: results.every((result) => result.ok),
    results,
    webhookUrl: hasWebhook ? webhookUrlOf(deps, row) : undefined,
  }
}

function webhookUrlOf(
  { baseUrl }: Pick<AdministrationDeps, 'baseUrl'>,
  { driver, publicId }: Pick<ConnectionRow, 'driver' | 'publicId'>,
): string {
  return `${baseUrl}/rails/${driver}/${publicId}`
}

function listed({ drivers, keyring }: AdministrationDeps, row: ConnectionRow): ListedConnection {
  const driver = drivers.find(({ name }) => name === row.driver)
  const { id, walletId, rails, enabled, settings, createdAt, changedAt } = row
  return {
    ...{ id, driver: row.driver, walletId, rails, enabled, settings, createdAt, changedAt },
    state: driver === undefined ? 'missing' : driver.proven ? 'proven' : 'unproven',
    secrets: namesOfSecrets(keyring, row),
  }
}

function namesOfSecrets(keyring: AdministrationDeps['keyring'], row: ConnectionRow): string[] {
  try {
    return Object.keys(openSecrets(keyring, row)).sort()
  } catch {
    return []
  }
}
