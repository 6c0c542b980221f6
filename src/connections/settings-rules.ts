// Validation of a connection's settings against its driver.

import { ok, type Result, refuse } from '../kernel/result.ts'
import { holdsCredentials, isPrivateInTransit } from '../kernel/values/web-address.ts'
import { factsOf, type Method, methods } from '../methods/list.ts'
import type { RailName } from '../rails/rail-name.ts'
import type { Driver, SettingSpec } from './driver.ts'

/** Merchants can have only these rails, whose requests always name a merchant. */
const merchantRails: readonly RailName[] = [
  'acquirer',
  'mobileWallet',
  'onlineWallet',
  'referenceNetwork',
  'directDebit',
]

/** The methods that a driver serves, perhaps only in part: an acquirer may also need a 3-D Secure server. */
export function methodsOf(driver: Pick<Driver, 'rails'>): Method[] {
  return methods.filter((method) => {
    const [rail] = factsOf(method).rails
    return rail !== undefined && driver.rails.includes(rail)
  })
}

const valueLengthMax = 20_000

export type GivenValues = Readonly<Record<string, string | null>>

export interface CheckedValues {
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * The values after a change. A refusal names the setting, and never quotes a secret. Refusals:
 * invalid_parameter, missing_parameter; illegal_state for a new value of a fixed setting.
 */
export function checkedValues(
  driver: Driver,
  before: CheckedValues,
  given: { readonly settings: GivenValues; readonly secrets: GivenValues },
): Result<CheckedValues> {
  for (const [kind, names] of [
    ['setting', Object.keys(given.settings)],
    ['secret', Object.keys(given.secrets)],
  ] as const) {
    const known = driver.settings.filter(({ secret }) => secret === (kind === 'secret'))
    const wrong = names.find((name) => !known.some((spec) => spec.name === name))
    if (wrong !== undefined) return refuse('invalid_parameter', unknownName(driver, kind, wrong, known))
  }
  const after = {
    settings: merged(before.settings, given.settings),
    secrets: merged(before.secrets, given.secrets),
  }
  for (const spec of driver.settings) {
    const value = (spec.secret ? after.secrets : after.settings)[spec.name]
    const option = `--${spec.secret ? 'secret' : 'setting'} ${spec.name}`
    if (value === undefined) {
      if (spec.required) return refuse('missing_parameter', `${option} is required: ${spec.help}`)
      continue
    }
    const problem = problemOf(spec, value)
    if (problem !== undefined) return refuse('invalid_parameter', `${option} ${problem}`)
    const set = spec.fixed === true ? before.settings[spec.name] : undefined
    if (set !== undefined && set !== value) return refuse('illegal_state', `${option} ${whyFixed(set)}`)
  }
  return ok(after)
}

function whyFixed(value: string): string {
  return `is ${value} and cannot change. For another account remove this connection (comporta rails remove) and set a new one`
}

export function problemOf(spec: SettingSpec, value: string): string | undefined {
  if (value === '') return 'must not be empty'
  if (value.length > valueLengthMax) return `must have at most ${valueLengthMax} characters`
  return (spec.address === true ? problemOfAddress(value) : undefined) ?? spec.check?.(value)
}

function problemOfAddress(value: string): string | undefined {
  const url = URL.parse(value)
  if (url === null || holdsCredentials(value, url)) return 'must be a web address without a user name'
  return isPrivateInTransit(url) ? undefined : 'must be an https address; plain http is only for this machine'
}

function unknownName(
  driver: Driver,
  kind: 'setting' | 'secret',
  name: string,
  known: readonly SettingSpec[],
): string {
  const other = driver.settings.find((spec) => spec.name === name)
  if (other !== undefined) {
    return other.secret
      ? `${name} is a secret: give it as --secret ${name}=@FILE, not as a setting`
      : `${name} is not a secret: give it as --setting ${name}=VALUE`
  }
  const names = known.map((spec) => spec.name).join(', ')
  return `the driver ${driver.name} has no ${kind} ${JSON.stringify(name)}; ${names === '' ? 'it has none' : `it has ${names}`}`
}

function merged(
  before: Readonly<Record<string, string>>,
  given: GivenValues,
): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...before, ...given })
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
}

export function mayServe(driver: Driver, rail: RailName, walletId: bigint | undefined): boolean {
  const isOpen = walletId === undefined || (driver.gatewayOnly !== true && merchantRails.includes(rail))
  return isOpen && driver.rails.includes(rail)
}

/**
 * The rails that a connection serves: those named, or else all whose settings are complete. Refusals:
 * invalid_parameter; missing_parameter for a setting that a rail needs.
 */
export function checkedRails(
  driver: Driver,
  walletId: bigint | undefined,
  asked: readonly string[] | undefined,
  settings: CheckedValues['settings'],
): Result<readonly RailName[]> {
  const possible = driver.rails.filter((rail) => mayServe(driver, rail, walletId))
  if (possible.length === 0) {
    return refuse(
      'invalid_parameter',
      `the driver ${driver.name} serves ${driver.rails.join(', ')}, for the gateway only: leave out --merchant`,
    )
  }
  const lacking = (rail: RailName) =>
    driver.settings.find(({ name, neededFor }) => neededFor === rail && settings[name] === undefined)
  if (asked === undefined) return ok(possible.filter((rail) => lacking(rail) === undefined))
  const wrong = asked.find((name) => !possible.includes(name as RailName))
  if (wrong !== undefined || asked.length === 0) {
    return refuse(
      'invalid_parameter',
      `--rails takes a comma list of ${possible.join(', ')} for this connection; not ${JSON.stringify(wrong ?? '')}`,
    )
  }
  const chosen = possible.filter((rail) => asked.includes(rail))
  const [missing] = chosen.flatMap((rail) => lacking(rail) ?? [])
  return missing === undefined
    ? ok(chosen)
    : refuse(
        'missing_parameter',
        `--setting ${missing.name} is required for ${missing.neededFor}: ${missing.help}`,
      )
}

/** The methods that have all their rails. Some acquirers authenticate customers without our 3-D Secure. */
export function methodsWith(hasRail: (rail: RailName) => boolean, authenticates: () => boolean): Method[] {
  const has = (rail: RailName) =>
    hasRail(rail) || (rail === 'threeDSecure' && hasRail('acquirer') && authenticates())
  return methods.filter((method) => factsOf(method).rails.every(has))
}
