// Which account at its provider a connection is, where secrets say that: they may be changed, the account may not.
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Driver, DriverLogger } from './driver.ts'
import type { CheckedValues } from './settings-rules.ts'
import { providerFetch } from './tools/provider-fetch.ts'

/** As the provider says; undefined where it does not, or where settings say it. */
export async function accountOf(
  driver: Driver,
  values: CheckedValues,
  logger: DriverLogger,
): Promise<string | undefined> {
  // Whatever the reason: `check` says it to the operator.
  return driver.accountOf?.(values, { fetch: providerFetch, logger }).catch(() => undefined)
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
  const known = before && (before.account ?? (await accountOf(driver, before, logger)))
  const account = await accountOf(driver, after, logger)
  if (known === undefined || account === known) return ok(account ?? known)
  const why =
    account === undefined
      ? 'the provider does not say whose these secrets are: try again when it does'
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
