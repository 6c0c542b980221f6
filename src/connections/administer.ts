// What an operator does with connections: sets, lists, checks and removes them.

import { randomBase62 } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { factsOf } from '../methods/list.ts'
import type { Core } from '../module.ts'
import type { RailName } from '../rails/index.ts'
import { type Executor, refusingTransaction } from '../storage/index.ts'
import { accountAfter, accountOf } from './accounts.ts'
import type { Connections, HeldConnection } from './connections.ts'
import type { CheckResult, Driver, DriverLogger } from './driver.ts'
import type { ExchangedOver } from './exchange.ts'
import type { ConnectionRow, ContactRow, WebhookRow } from './model.ts'
import { openSecrets, sealSecrets } from './sealed-secrets.ts'
import {
  type CheckedValues,
  checkedRails,
  checkedValues,
  type GivenValues,
  mayServe,
  methodsOf,
} from './settings-rules.ts'
import {
  disableConnection,
  insertConnection,
  listConnections,
  lockConnections,
  noteAccount,
  updateConnection,
} from './store.ts'
import type { Contacts } from './tools/contacts.ts'
import { listContacts } from './tools/contacts-store.ts'
import { providerFetch } from './tools/provider-fetch.ts'
import { watched, whyFailed } from './tools/provider-problem.ts'
import { listFailedWebhooks, retryWebhooks, webhooksChannel } from './webhooks/webhooks-store.ts'

/** 131 bits: who does not know it does not guess it. */
const publicIdLength = 22
/** A provider that has not answered by then counts as out of reach. */
const checkMsMax = 15_000

export interface AdministrationDeps
  extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'baseUrl'> {
  readonly drivers: readonly Driver[]
  readonly connections: Connections
  readonly contacts: Contacts
  readonly logger: DriverLogger
  walletExists(walletId: bigint): Promise<boolean>
}

/** A connection as operators see it: no secret, and not the address of its webhook. */
export interface ListedConnection {
  readonly id: bigint
  readonly driver: string
  /** Undefined: the gateway's own. */
  readonly walletId: bigint | undefined
  readonly rails: readonly RailName[]
  /** `missing`: this version lacks the driver. */
  readonly state: 'proven' | 'unproven' | 'missing'
  readonly enabled: boolean
  readonly settings: Readonly<Record<string, string>>
  /** Names of the secrets that were set. */
  readonly secrets: readonly string[]
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** What a provider last said, in a word, and when; a gateway that runs writes it down some seconds later. */
export type Contact = Pick<ContactRow, 'at' | 'said'>

/** A connection with the last answer and the last error of its provider, where there was one. */
export interface ContactedConnection extends ListedConnection {
  readonly lastAnswer: Contact | undefined
  readonly lastError: Contact | undefined
}

export interface ConnectionChange {
  readonly driver: string
  readonly walletId?: bigint | undefined
  /** Undefined: as they were, or all that the connection may serve. */
  readonly rails?: readonly string[] | undefined
  readonly settings: GivenValues
  readonly secrets: GivenValues
  readonly allowUnproven: boolean
}

/** Over which driver a method of payment goes. */
export interface MethodRoute {
  readonly method: string
  readonly driver: string
  /** Undefined: for every merchant without a connection of their own. */
  readonly walletId?: bigint | undefined
}

export interface CheckedConnection {
  readonly connection: ListedConnection
  readonly ok: boolean
  readonly results: readonly CheckResult[]
  /** The address that the provider is to be given, where it sends anything. */
  readonly webhookUrl: string | undefined
}

export type RailAdministration = ReturnType<typeof administerConnections> & {
  /** Has drivers exchange files now. */
  exchange(): Promise<readonly ExchangedOver[]>
}

export function administerConnections(deps: AdministrationDeps) {
  const { database, clock, drivers, connections } = deps

  function listed(row: ConnectionRow): ListedConnection {
    const driver = drivers.find(({ name }) => name === row.driver)
    const { id, walletId, rails, enabled, settings, createdAt, changedAt } = row
    return {
      ...{ id, driver: row.driver, walletId, rails, enabled, settings, createdAt, changedAt },
      state: driver === undefined ? 'missing' : driver.proven ? 'proven' : 'unproven',
      secrets: namesOfSecrets(row),
    }
  }

  /** Of damaged secrets none: `check` says that they do not open. */
  function namesOfSecrets(row: ConnectionRow): string[] {
    try {
      return Object.keys(openSecrets(deps.keyring, row)).sort()
    } catch {
      return []
    }
  }

  function driverOf(name: string): Result<Driver> {
    const driver = drivers.find((one) => one.name === name)
    if (driver !== undefined) return ok(driver)
    const names = drivers.map((one) => one.name).join(', ')
    return refuse(
      'invalid_parameter',
      `there is no driver ${JSON.stringify(name)}; ${names === '' ? 'this version has none' : `there are ${names}`}`,
    )
  }

  /** What is there before a change, and what would be there after it. */
  async function changedValues(db: Executor, driver: Driver, change: ConnectionChange) {
    const rows = await listConnections(db)
    const before = rows.find(
      (row) => row.enabled && row.driver === driver.name && row.walletId === change.walletId,
    )
    const had = { settings: before?.settings ?? {}, secrets: before ? openSecrets(deps.keyring, before) : {} }
    return { rows, before, had, values: checkedValues(driver, had, change) }
  }

  /** Refusals: those of the values, and illegal_state for another account. */
  async function accountWith(driver: Driver, change: ConnectionChange): Promise<Result<string | undefined>> {
    const { before, had, values } = await changedValues(database, driver, change)
    if (!values.ok) return values
    const known = before && { ...had, account: before.account }
    return accountAfter(driver, known, values.value, deps.logger)
  }

  async function write(
    tx: Executor,
    driver: Driver,
    change: ConnectionChange,
    account: string | undefined,
  ): Promise<Result<ConnectionRow>> {
    await lockConnections(tx)
    const { rows, before, values } = await changedValues(tx, driver, change)
    if (!values.ok) return values
    if (before?.account !== undefined && before.account !== account)
      return refuse('illegal_state', `the connection was set at ${before.account} meanwhile: try again`)
    const rails = checkedRails(driver, change.walletId, change.rails ?? before?.rails, values.value.settings)
    if (!rails.ok) return rails
    const allowUnproven = change.allowUnproven || before?.allowUnproven === true
    if (!driver.proven && !allowUnproven) {
      return refuse(
        'illegal_state',
        `the driver ${driver.name} has never been run against its provider: try it there first, and add --allow-unproven`,
      )
    }
    const rival = rows.find(
      (row) =>
        row.enabled && row.id !== before?.id && row.walletId === change.walletId && shares(row, rails.value),
    )
    if (rival !== undefined) return refuse('illegal_state', servedBy(rival, rails.value))
    const publicId = before?.publicId ?? randomBase62(deps.random, publicIdLength)
    const made = {
      ...{ publicId, driver: driver.name, walletId: change.walletId, rails: rails.value, allowUnproven },
      ...{ settings: values.value.settings, account },
      secretsSealed: sealSecrets(deps, publicId, values.value.secrets),
    }
    const now = clock.now()
    return ok(
      before === undefined
        ? await insertConnection(tx, made, now)
        : await updateConnection(tx, before.id, made, now),
    )
  }

  /** Gives the rails of a method to the connection of a driver, and takes them from those that serve them. */
  async function routeTo(tx: Executor, driver: Driver, route: MethodRoute): Promise<Result<ConnectionRow>> {
    await lockConnections(tx)
    const wanted = railsOf(driver, route)
    if (!wanted.ok) return wanted
    const ofOwner = (await listConnections(tx)).filter(
      (row) => row.enabled && row.walletId === route.walletId,
    )
    const row = ofOwner.find((one) => one.driver === driver.name)
    if (row === undefined) {
      const owner = route.walletId === undefined ? 'the gateway' : `wallet ${route.walletId}`
      return refuse(
        'not_found',
        `${owner} has no connection of ${driver.name}: comporta rails set ${driver.name}`,
      )
    }
    const asked = [...new Set([...row.rails, ...wanted.value])]
    const rails = checkedRails(driver, row.walletId, asked, row.settings)
    if (!rails.ok) return rails
    const now = clock.now()
    for (const rival of ofOwner) {
      if (rival.id === row.id || !shares(rival, wanted.value)) continue
      const left = rival.rails.filter((rail) => !wanted.value.includes(rail))
      if (left.length === 0) await disableConnection(tx, rival.id, now)
      else await updateConnection(tx, rival.id, { ...rival, rails: left }, now)
    }
    return ok(await updateConnection(tx, row.id, { ...row, rails: rails.value }, now))
  }

  /** Keeps which account it is, where that was not known; says so where it is another one by now. */
  async function checkAccount(
    { id, account: known }: ConnectionRow,
    driver: Driver,
    values: CheckedValues,
  ): Promise<CheckResult[]> {
    const { account, problem } = await accountOf(driver, values, deps.logger)
    if (problem !== undefined)
      return [{ name: 'provider', ok: false, detail: `the check failed: ${problem}` }]
    if (account === undefined) return []
    await noteAccount(database, id, account)
    const detail = `its secrets are of ${account}, and it was set at ${known}`
    return known === undefined || known === account ? [] : [{ name: 'account', ok: false, detail }]
  }

  async function check(held: HeldConnection): Promise<CheckedConnection> {
    const { row, driver } = held
    const provider = watched(providerFetch)
    const results: CheckResult[] = []
    const say = (name: string, fine: boolean, detail: string) => results.push({ name, ok: fine, detail })
    if (driver === undefined) say('driver', false, `this version has no driver ${row.driver}`)
    else {
      if (!held.serves) say('driver', false, 'it is unproven: set it again with --allow-unproven')
      try {
        const connection = connections.opened(held)
        const values = checkedValues(driver, connection, { settings: {}, secrets: {} })
        say('settings', values.ok, values.ok ? 'complete' : values.refusal.reason)
        if (values.ok) {
          connections.railsOf(held)
          const account = await checkAccount(held.row, driver, connection)
          results.push(...account)
          // Who does not say whose the secrets are would not say anything else either.
          if (account.every(({ name }) => name !== 'provider')) {
            const tools = connections.toolsOf(held, provider.fetch)
            results.push(...(await withinTime(driver.check(connection, tools))))
          }
        }
      } catch (error) {
        say('provider', false, `the check failed: ${whyFailed(provider, error)}`)
      }
    }
    const hasWebhook = driver?.webhook !== undefined
    return {
      connection: listed(row),
      ok: results.every((result) => result.ok),
      results,
      webhookUrl: hasWebhook ? `${deps.baseUrl}${webhookPath(row.driver, row.publicId)}` : undefined,
    }
  }

  return {
    drivers,

    /** For programs that show drivers, and load nothing of connections. */
    methodsOf,

    /** Those that take something new, or all; oldest first. */
    async list({ removed }: { readonly removed: boolean }): Promise<ContactedConnection[]> {
      await deps.contacts.flush()
      const [rows, contacts] = await Promise.all([listConnections(database), listContacts(database)])
      const last = ({ id }: ConnectionRow, kind: ContactRow['kind']) =>
        contacts.find((one) => one.connectionId === id && one.kind === kind)
      return rows
        .filter((row) => removed || row.enabled)
        .map((row) => ({
          ...listed(row),
          lastAnswer: last(row, 'answer'),
          lastError: last(row, 'error'),
        }))
    },

    /**
     * Makes the connection of a driver for a merchant or the gateway, or changes what is named of the one there is.
     * Every process takes it up.
     *
     * Refusals: invalid_parameter, missing_parameter; not_found without the merchant; illegal_state for an unproven
     * driver that was not allowed, where another connection serves the same rail, and for another account.
     */
    async set(change: ConnectionChange): Promise<Result<ListedConnection>> {
      const driver = driverOf(change.driver)
      if (!driver.ok) return driver
      if (change.walletId !== undefined && !(await deps.walletExists(change.walletId)))
        return refuse('not_found', `there is no wallet ${change.walletId}`)
      const account = await accountWith(driver.value, change)
      if (!account.ok) return account
      const row = await refusingTransaction(database, (tx) => write(tx, driver.value, change, account.value))
      if (!row.ok) return row
      await connections.changed()
      return ok(listed(row.value))
    },

    /**
     * Has a method go over the connection of this driver from now on, of a merchant or of the gateway. A connection that
     * serves nothing any more is removed, as {@link remove} does; what was begun over it ends over it.
     *
     * Refusals: invalid_parameter for a driver or a method that is not; not_found without such a connection;
     * missing_parameter for a setting that the rail needs.
     */
    async route(route: MethodRoute): Promise<Result<ListedConnection>> {
      const driver = driverOf(route.driver)
      if (!driver.ok) return driver
      const row = await refusingTransaction(database, (tx) => routeTo(tx, driver.value, route))
      if (!row.ok) return row
      await connections.changed()
      return ok(listed(row.value))
    },

    /**
     * Has a connection take nothing new. It is kept with its secrets: what it has begun ends over it, and what was
     * paid over it is refunded over it.
     *
     * Refusals: not_found; illegal_state where it was removed before.
     */
    async remove(id: bigint): Promise<Result<ListedConnection>> {
      const row = (await listConnections(database)).find((one) => one.id === id)
      if (row === undefined)
        return refuse('not_found', `there is no connection ${id}: see comporta rails list`)
      if (!(await disableConnection(database, id, clock.now())))
        return refuse('illegal_state', `connection ${id} was removed before`)
      await connections.changed()
      return ok({ ...listed(row), enabled: false })
    },

    /** What providers sent and could not be handled, newest first. */
    failedWebhooks: (limit: number): Promise<WebhookRow[]> => listFailedWebhooks(database, limit),

    /** Has all of that be tried at once, also what was given up; answers how many. */
    async retryWebhooks(): Promise<number> {
      const count = await retryWebhooks(database, clock.now())
      await database.notify(webhooksChannel, '')
      return count
    },

    /** Checks the connections in use, those of one driver, or one by its number. Refusals: not_found; invalid_parameter. */
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
        const what = typeof of === 'bigint' ? `connection ${of}` : `connection of ${of}`
        return refuse('not_found', `there is no ${what}: see comporta rails list`)
      }
      return ok(await Promise.all(chosen.map(check)))
    },
  }
}

/** The rails of a method that this driver may serve. Refusals: invalid_parameter. */
function railsOf(driver: Driver, { method, walletId }: MethodRoute): Result<readonly RailName[]> {
  const served = methodsOf(driver)
  const known = served.find((one) => one === method.toUpperCase())
  const rails =
    known === undefined ? [] : factsOf(known).rails.filter((rail) => mayServe(driver, rail, walletId))
  if (rails.length > 0) return ok(rails)
  const why = known === undefined ? `it serves ${served.join(', ')}` : 'only the gateway can have it'
  return refuse('invalid_parameter', `the driver ${driver.name} does not serve ${method} here: ${why}`)
}

/** Where a provider sends its notifications. */
function webhookPath(driver: string, publicId: string): string {
  return `/rails/${driver}/${publicId}`
}

function shares({ rails }: ConnectionRow, wanted: readonly RailName[]): boolean {
  return rails.some((rail) => wanted.includes(rail))
}

function servedBy(rival: ConnectionRow, wanted: readonly RailName[]): string {
  const both = rival.rails.filter((rail) => wanted.includes(rail)).join(', ')
  return `${both} is served by connection ${rival.id} (${rival.driver}) already: remove that, name other rails with --rails, or see comporta rails route`
}

async function withinTime(checking: Promise<readonly CheckResult[]>): Promise<readonly CheckResult[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly CheckResult[]>((resolve) => {
    const detail = `no answer within ${checkMsMax / 1000} seconds`
    timer = setTimeout(() => resolve([{ name: 'provider', ok: false, detail }]), checkMsMax)
  })
  return Promise.race([checking, late]).finally(() => clearTimeout(timer))
}
