// Checks of connections: settings, account and provider.

import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Database } from '../storage/index.ts'
import { type Connections, type HeldConnection, loggerOf } from './connections.ts'
import type { CheckResult, Driver, DriverLogger } from './driver.ts'
import type { ConnectionRow } from './model.ts'
import { type CheckedValues, checkedValues } from './settings-rules.ts'
import { noteAccount } from './store.ts'
import { providerFetch, watched, whyFailed } from './tools/provider-fetch.ts'

const checkMsMax = 15_000

interface CheckDeps {
  readonly database: Database
  readonly connections: Connections
  readonly logger: DriverLogger
}

export async function checkConnection(deps: CheckDeps, held: HeldConnection): Promise<CheckResult[]> {
  const { row, driver } = held
  const fault = (name: string, detail: string) => ({ name, ok: false, detail })
  if (driver === undefined) return [fault('driver', `this version has no driver ${row.driver}`)]
  const provider = watched(providerFetch)
  const results: CheckResult[] = []
  if (!held.serves) results.push(fault('driver', 'it is unproven: set it again with --allow-unproven'))
  try {
    const connection = deps.connections.opened(held)
    const values = checkedValues(driver, connection, { settings: {}, secrets: {} })
    if (!values.ok) return [...results, fault('settings', values.refusal.reason)]
    results.push({ name: 'settings', ok: true, detail: 'complete' })
    deps.connections.railsOf(held)
    const account = await checkAccount(deps, row, driver, connection)
    results.push(...account)
    // If the provider does not name the account, it would not answer the check either.
    if (account.every(({ name }) => name !== 'provider')) {
      const tools = deps.connections.toolsOf(held, provider.fetch)
      results.push(...(await withinTime(driver.check(connection, tools))))
    }
  } catch (error) {
    results.push(fault('provider', `the check failed: ${whyFailed(provider, error)}`))
  }
  return results
}

/** Stores an account that was unknown. Reports an account that has changed. */
async function checkAccount(
  { database, logger }: CheckDeps,
  { id, account: known }: ConnectionRow,
  driver: Driver,
  values: CheckedValues,
): Promise<CheckResult[]> {
  const { account, problem } = await accountOf(driver, values, logger)
  if (problem !== undefined) return [{ name: 'provider', ok: false, detail: `the check failed: ${problem}` }]
  if (account === undefined) return []
  await noteAccount(database, id, account)
  const detail = `its secrets belong to ${account}, but it was set for ${known}`
  return known === undefined || known === account ? [] : [{ name: 'account', ok: false, detail }]
}

async function withinTime(checking: Promise<readonly CheckResult[]>): Promise<readonly CheckResult[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly CheckResult[]>((resolve) => {
    const detail = `no answer within ${checkMsMax / 1000} seconds`
    timer = setTimeout(() => resolve([{ name: 'provider', ok: false, detail }]), checkMsMax)
  })
  return Promise.race([checking, late]).finally(() => clearTimeout(timer))
}

/** The account that the provider names, or the reason why it does not. */
export interface SaidAccount {
  readonly account?: string | undefined
  readonly problem?: string | undefined
}

async function accountOf(driver: Driver, values: CheckedValues, logger: DriverLogger): Promise<SaidAccount> {
  const provider = watched(providerFetch)
  try {
    const tools = { fetch: provider.fetch, logger: loggerOf(logger, { driver: driver.name }) }
    return { account: await driver.accountOf?.(values, tools) }
  } catch (error) {
    return { problem: whyFailed(provider, error) }
  }
}

interface Before extends CheckedValues {
  readonly account: string | undefined
}

/**
 * Finds the account of a connection after a change. It calls the provider, so never call it in a transaction.
 * Refusals: illegal_state if the account would change, or if the provider does not name it.
 */
export async function accountAfter(
  driver: Driver,
  before: Before | undefined,
  after: CheckedValues,
  logger: DriverLogger,
): Promise<Result<string | undefined>> {
  if (before !== undefined && !mayDiffer(driver, before, after)) return ok(before.account)
  const known = before && (before.account ?? (await accountOf(driver, before, logger)).account)
  const { account, problem } = await accountOf(driver, after, logger)
  if (known === undefined || account === known) return ok(account ?? known)
  const why =
    account === undefined
      ? `the provider did not name the account of these secrets (${problem}): try again later`
      : `these secrets belong to ${account}: remove the connection and set a new one`
  return refuse('illegal_state', `account ${known} cannot change; ${why}`)
}

function mayDiffer(driver: Driver, before: CheckedValues, after: CheckedValues): boolean {
  return driver.settings.some(({ name, secret, namesAccount }) => {
    const kind = secret ? 'secrets' : 'settings'
    return namesAccount === true && before[kind][name] !== after[kind][name]
  })
}
