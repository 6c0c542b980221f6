// Changes of connections by an operator: new values, and routes of methods.

import { cellBase62 } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { factsOf } from '../methods/list.ts'
import type { Core } from '../module.ts'
import type { RailName } from '../rails/index.ts'
import { type Executor, refusingTransaction } from '../storage/index.ts'
import { accountAfter } from './check.ts'
import type { Driver, DriverLogger } from './driver.ts'
import type { ConnectionRow } from './model.ts'
import { checkedRails, checkedValues, type GivenValues, mayServe, methodsOf } from './settings-rules.ts'
import {
  disableConnection,
  insertConnection,
  listConnections,
  lockConnections,
  openSecrets,
  sealSecrets,
  updateConnection,
} from './store.ts'

/** An id of 22 characters has 131 random bits, so nobody can guess it. */
const publicIdLength = 22

export interface ChangeDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring'> {
  readonly logger: DriverLogger
}

export interface ConnectionChange {
  readonly driver: string
  readonly walletId?: bigint | undefined
  readonly rails?: readonly string[] | undefined
  readonly settings: GivenValues
  readonly secrets: GivenValues
  readonly allowUnproven: boolean
}

/** The driver that serves a payment method: for one merchant, or for all merchants without a connection. */
export interface MethodRoute {
  readonly method: string
  readonly driver: string
  readonly walletId?: bigint | undefined
}

/** Refusals: of the values; illegal_state for an unproven driver, another's rail, or another account. */
export async function changeConnection(
  deps: ChangeDeps,
  driver: Driver,
  change: ConnectionChange,
): Promise<Result<ConnectionRow>> {
  const { before, had, values } = await changedValues(deps, deps.database, driver, change)
  if (!values.ok) return values
  const known = before && { ...had, account: before.account }
  const account = await accountAfter(driver, known, values.value, deps.logger)
  if (!account.ok) return account
  return refusingTransaction(deps.database, (tx) => write(deps, tx, driver, change, account.value))
}

async function changedValues(deps: ChangeDeps, db: Executor, driver: Driver, change: ConnectionChange) {
  const rows = await listConnections(db)
  const before = rows.find(
    (row) => row.enabled && row.driver === driver.name && row.walletId === change.walletId,
  )
  const had = { settings: before?.settings ?? {}, secrets: before ? openSecrets(deps.keyring, before) : {} }
  return { rows, before, had, values: checkedValues(driver, had, change) }
}

async function write(
  deps: ChangeDeps,
  tx: Executor,
  driver: Driver,
  change: ConnectionChange,
  account: string | undefined,
): Promise<Result<ConnectionRow>> {
  await lockConnections(tx)
  const { rows, before, values } = await changedValues(deps, tx, driver, change)
  if (!values.ok) return values
  if (before?.account !== undefined && before.account !== account)
    return refuse('illegal_state', `another change set the account ${before.account}: try again`)
  const rails = checkedRails(driver, change.walletId, change.rails ?? before?.rails, values.value.settings)
  if (!rails.ok) return rails
  const allowUnproven = change.allowUnproven || before?.allowUnproven === true
  if (!driver.proven && !allowUnproven) {
    return refuse(
      'illegal_state',
      `the driver ${driver.name} was never tested against its provider: test it there, then add --allow-unproven`,
    )
  }
  const rival = rows.find(
    (row) =>
      row.enabled && row.id !== before?.id && row.walletId === change.walletId && shares(row, rails.value),
  )
  if (rival !== undefined) return refuse('illegal_state', servedBy(rival, rails.value))
  const publicId = before?.publicId ?? cellBase62(deps.random, publicIdLength)
  const changed = {
    ...{ publicId, driver: driver.name, walletId: change.walletId, rails: rails.value, allowUnproven },
    ...{ settings: values.value.settings, account },
    secretsSealed: sealSecrets(deps, publicId, values.value.secrets),
  }
  const now = deps.clock.now()
  return ok(
    before === undefined
      ? await insertConnection(tx, changed, now)
      : await updateConnection(tx, before.id, changed, now),
  )
}

export async function routeMethod(
  tx: Executor,
  driver: Driver,
  route: MethodRoute,
  now: ConnectionRow['changedAt'],
): Promise<Result<ConnectionRow>> {
  await lockConnections(tx)
  const wanted = railsOf(driver, route)
  if (!wanted.ok) return wanted
  const ofOwner = (await listConnections(tx)).filter((row) => row.enabled && row.walletId === route.walletId)
  const row = ofOwner.find((one) => one.driver === driver.name)
  if (row === undefined) {
    const owner = route.walletId === undefined ? 'the gateway' : `wallet ${route.walletId}`
    return refuse(
      'not_found',
      `${owner} has no connection of ${driver.name}: create it with comporta rails set ${driver.name}`,
    )
  }
  const asked = [...new Set([...row.rails, ...wanted.value])]
  const rails = checkedRails(driver, row.walletId, asked, row.settings)
  if (!rails.ok) return rails
  for (const rival of ofOwner) {
    if (rival.id === row.id || !shares(rival, wanted.value)) continue
    const left = rival.rails.filter((rail) => !wanted.value.includes(rail))
    if (left.length === 0) await disableConnection(tx, rival.id, now)
    else await updateConnection(tx, rival.id, { ...rival, rails: left }, now)
  }
  return ok(await updateConnection(tx, row.id, { ...row, rails: rails.value }, now))
}

function railsOf(driver: Driver, { method, walletId }: MethodRoute): Result<readonly RailName[]> {
  const served = methodsOf(driver)
  const known = served.find((one) => one === method.toUpperCase())
  const rails =
    known === undefined ? [] : factsOf(known).rails.filter((rail) => mayServe(driver, rail, walletId))
  if (rails.length > 0) return ok(rails)
  const why = known === undefined ? `it serves ${served.join(', ')}` : 'it serves the gateway only'
  return refuse('invalid_parameter', `the driver ${driver.name} does not serve ${method} here: ${why}`)
}

function shares({ rails }: ConnectionRow, wanted: readonly RailName[]): boolean {
  return rails.some((rail) => wanted.includes(rail))
}

function servedBy(rival: ConnectionRow, wanted: readonly RailName[]): string {
  const both = rival.rails.filter((rail) => wanted.includes(rail)).join(', ')
  return `${both} is served by connection ${rival.id} (${rival.driver}): remove it, choose other --rails, or use comporta rails route`
}
