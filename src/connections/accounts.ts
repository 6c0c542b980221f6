// The account at the provider that a connection's secrets belong to.
import { ok, type Result, refuse } from '../kernel/result.ts'
import { loggerOf } from './connections.ts'
import type { Driver, DriverLogger } from './driver.ts'
import type { CheckedValues } from './settings-rules.ts'
import { providerFetch } from './tools/provider-fetch.ts'
import { watched, whyFailed } from './tools/provider-problem.ts'

/** The account that the provider names, or the reason why it names none. */
export interface SaidAccount {
  readonly account?: string | undefined
  readonly problem?: string | undefined
}

export async function accountOf(
  driver: Driver,
  values: CheckedValues,
  logger: DriverLogger,
): Promise<SaidAccount> {
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
 * The account of a connection after a change. It calls the provider, so never use it in a transaction.
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
      : `these secrets belong to ${account}: remove this connection (comporta rails remove) and set a new one`
  return refuse('illegal_state', `the account of this connection is ${known} and cannot change; ${why}`)
}

function mayDiffer(driver: Driver, before: CheckedValues, after: CheckedValues): boolean {
  return driver.settings.some(({ name, secret, namesAccount }) => {
    const kind = secret ? 'secrets' : 'settings'
    return namesAccount === true && before[kind][name] !== after[kind][name]
  })
}
