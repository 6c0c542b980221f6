// Connecting a provider: sets the connection, registers its webhook, checks it and lists the steps by hand.
import type { Change } from '../http/index.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { RailName } from '../rails/index.ts'
import type { ConnectionChange } from './change.ts'
import type { CheckResult, Driver } from './driver.ts'
import { changesOf } from './rules.ts'

/** A connection as operators see it, without secrets. */
export interface ListedConnection {
  readonly id: bigint
  readonly driver: string
  readonly walletId: bigint | undefined
  readonly rails: readonly RailName[]
  /** Whether the driver was tested at its provider. `missing`: this version does not have it. */
  readonly state: 'proven' | 'unproven' | 'missing'
  readonly enabled: boolean
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  readonly createdAt: Instant
  readonly changedAt: Instant
}

export interface CheckedConnection {
  readonly connection: ListedConnection
  readonly ok: boolean
  readonly results: readonly CheckResult[]
  /** The address to enter at the provider. Undefined if it sends no webhooks. */
  readonly webhookUrl: string | undefined
}

export interface NewConnection extends ConnectionChange {
  /** True to use the provider's own sandbox. Given settings have priority over the settings of the sandbox. */
  readonly test: boolean
  /** True to register the webhook at the provider, if the driver can. */
  readonly registers: boolean
}

export interface ConnectedProvider {
  readonly connection: ListedConnection
  /** True if the webhook did not fail and every check succeeded. */
  readonly ok: boolean
  readonly checked: CheckedConnection
  readonly isRegistered: boolean
  /** The reason why the driver could not register the webhook. */
  readonly notRegistered: string | undefined
  /** The steps that a person must still do, in their order. */
  readonly byHand: readonly string[]
  /** For the activity log, without the values of secrets. */
  readonly changes: readonly Change[]
}

interface ConnectSteps {
  readonly drivers: readonly Driver[]
  list(of: { readonly removed: boolean }): Promise<readonly ListedConnection[]>
  set(change: ConnectionChange): Promise<Result<ListedConnection>>
  registerWebhook(id: bigint): Promise<Result<boolean>>
  check(id: bigint): Promise<Result<readonly CheckedConnection[]>>
}

/** Refusals: those of `set`; invalid_parameter for `test` if the driver has no sandbox. */
export async function connectProvider(
  steps: ConnectSteps,
  { test, registers, ...change }: NewConnection,
): Promise<Result<ConnectedProvider>> {
  const connects = steps.drivers.find(({ name }) => name === change.driver)?.connects
  if (test && connects === undefined) {
    const why = 'has no sandbox of its own that --test could use: use the keys of a test account'
    return refuse('invalid_parameter', `${change.driver} ${why}`)
  }
  const before = await steps.list({ removed: true })
  const live = before.find(
    (one) => one.enabled && one.driver === change.driver && one.walletId === change.walletId,
  )
  if (
    test &&
    live !== undefined &&
    Object.entries(connects?.test ?? {}).some(([name, value]) => live.settings[name] !== value)
  )
    return refuse(
      'illegal_state',
      `connection ${live.id} is live: remove it before you connect the sandbox of ${change.driver}`,
    )
  const settings = { ...(test && connects?.test), ...change.settings }
  const made = await steps.set({ ...change, settings })
  if (!made.ok) return made
  const { id } = made.value
  const registered = registers ? await steps.registerWebhook(id) : ok(false)
  const checks = await steps.check(id)
  if (!checks.ok) return checks
  const [checked] = checks.value
  if (checked === undefined) return refuse('not_found', `there is no connection ${id}`)
  const { connection, webhookUrl } = checked
  const isRegistered = registered.ok && registered.value
  const entersWebhook = webhookUrl !== undefined && !isRegistered
  return ok({
    ...{ connection, checked, isRegistered, ok: checked.ok && registered.ok },
    notRegistered: registered.ok ? undefined : registered.refusal.reason,
    byHand: [
      ...(entersWebhook ? ['Enter the webhook address above at the provider.'] : []),
      ...(connects?.byHand ?? []),
    ],
    changes: changesOf(
      before.find((one) => one.id === id),
      connection,
      Object.keys(change.secrets),
    ),
  })
}
