// Which account at its provider a connection is, where secrets say that: they may be changed, the account may not.
import { ok, type Result, refuse } from '../kernel/result.ts'
import { loggerOf } from './connections.ts'
import type { Driver, DriverLogger } from './driver.ts'
import type { CheckedValues } from './settings-rules.ts'
import { providerFetch } from './tools/provider-fetch.ts'
import { watched, whyFailed } from './tools/provider-problem.ts'

/** The account, as the provider says; where it does not, why, in words for the operator. */
export interface SaidAccount {
  /** Undefined also where settings say it. */
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

/** A connection before it is changed. */
interface Before extends CheckedValues {
  readonly account: string | undefined
}

/**
 * The account of a connection after a change; asks the provider where it may be another one, so never in a transaction.
 *
 * Refusals: illegal_state where it would be another account, or the provider of a known one does not say.
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
      ? `the provider does not say whose these secrets are, because ${problem}: try again when it does`
      : `these secrets are of ${account}: for another account remove this connection (comporta rails remove), and set a new one`
  return refuse(
    'illegal_state',
    `this connection stays at ${known}, where what was sent is asked about; ${why}`,
  )
}

function mayDiffer(driver: Driver, before: CheckedValues, after: CheckedValues): boolean {
  return driver.settings.some(({ name, secret, namesAccount }) => {
    const kind = secret ? 'secrets' : 'settings'
    return namesAccount === true && before[kind][name] !== after[kind][name]
  })
}
