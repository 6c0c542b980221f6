// Reading of fault settings and of the chaos header.
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import { after, type Instant, minute } from '../../src/kernel/time.ts'
import type { Fields } from '../body-fields.ts'
import {
  type ChaosSetting,
  callsMax,
  type Fault,
  type FaultKind,
  type FaultyRail,
  faultKinds,
  faultyRails,
  minutesMax,
  secondsDefault,
  secondsMax,
  statusDefault,
  statusMax,
  statusMin,
  type WhichSettings,
} from './model.ts'

export const chaosHeader = 'comporta-sandbox-chaos'

export type OwnFaults = ReadonlyMap<FaultyRail, Fault>

/** Reads a header such as `acquirer=slow:5, callbacks=error:500`. Refusals: invalid_parameter. */
export function readHeader(text: string): Result<OwnFaults> {
  const faults = new Map<FaultyRail, Fault>()
  for (const part of text.split(',')) {
    const [, rail, kind, number] = /^\s*(\w+)\s*=\s*(\w+)\s*(?::\s*(\d{1,4}))?\s*$/.exec(part) ?? []
    const known = wordOf(faultyRails, rail)
    const fault = known === undefined ? undefined : faultFrom(kind, number)
    if (known === undefined || fault === undefined || !fault.ok || faults.has(known)) {
      return refuse(
        'invalid_parameter',
        `Comporta-Sandbox-Chaos must be such as acquirer=slow:5. Rails: ${listed(faultyRails)}. Faults: ${listed(faultKinds)}. Seconds: 1 to ${secondsMax}. Status: ${statusMin} to ${statusMax}`,
      )
    }
    faults.set(known, fault.value)
  }
  return ok(faults)
}

/**
 * Reads `{rail, trouble, seconds?, status?, wallet_id?, calls?, minutes?}`. Numbers may be texts, as in forms.
 * Refusals: missing_parameter, invalid_parameter.
 */
export function readSetting(fields: Fields, now: Instant): Result<ChaosSetting> {
  if (isAbsent(fields.rail)) return refuse('missing_parameter', `rail is required: ${listed(faultyRails)}`)
  const rail = wordOf(faultyRails, fields.rail)
  if (rail === undefined) return refuse('invalid_parameter', `rail must be one of ${listed(faultyRails)}`)
  if (isAbsent(fields.trouble))
    return refuse('missing_parameter', `trouble is required: ${listed(faultKinds)}`)
  const kind = wordOf(faultKinds, fields.trouble)
  const fault = faultFrom(kind, kind === 'error' ? fields.status : fields.seconds)
  if (!fault.ok) return fault
  const walletId = numberOf(fields, 'wallet_id', 1, Number.MAX_SAFE_INTEGER)
  if (!walletId.ok) return walletId
  const callsLeft = numberOf(fields, 'calls', 1, callsMax)
  if (!callsLeft.ok) return callsLeft
  const minutes = numberOf(fields, 'minutes', 1, minutesMax)
  if (!minutes.ok) return minutes
  return ok({
    rail,
    ...{ seconds: undefined, status: undefined },
    ...fault.value,
    walletId: walletId.value === undefined ? undefined : BigInt(walletId.value),
    callsLeft: callsLeft.value,
    endsAt: minutes.value === undefined ? undefined : after(now, minutes.value * minute),
  })
}

export const settingFields = [
  'rail',
  'trouble',
  'seconds',
  'status',
  'wallet_id',
  'calls',
  'minutes',
] as const

/** Refuses an unknown field. Otherwise a misspelt filter would be ignored, and the fault would affect more calls. */
export function foreignField(fields: Fields, known: readonly string[]): Result<undefined> {
  const foreign = Object.keys(fields).find((name) => !known.includes(name))
  return foreign === undefined
    ? ok(undefined)
    : refuse('invalid_parameter', `${foreign} is not a field here; the fields are ${listed(known)}`)
}

/**
 * Reads the filter `rail` and `wallet_id`. `everybody` as `wallet_id` selects settings for all merchants. Refusals:
 * invalid_parameter.
 */
export function readWhich(fields: Fields): Result<WhichSettings> {
  const rail = wordOf(faultyRails, fields.rail)
  if (rail === undefined && !isAbsent(fields.rail))
    return refuse('invalid_parameter', `rail must be one of ${listed(faultyRails)}`)
  if (fields.wallet_id === 'everybody') return ok({ rail, everybodys: true })
  const walletId = numberOf(fields, 'wallet_id', 1, Number.MAX_SAFE_INTEGER)
  if (!walletId.ok) return walletId
  return ok({ rail, walletId: walletId.value === undefined ? undefined : BigInt(walletId.value) })
}

function faultFrom(kind: unknown, number: unknown): Result<Fault> {
  switch (wordOf(faultKinds, kind) satisfies FaultKind | undefined) {
    case 'slow': {
      const seconds = numberOf({ seconds: number }, 'seconds', 1, secondsMax)
      return seconds.ok ? ok({ kind: 'slow', seconds: seconds.value ?? secondsDefault }) : seconds
    }
    case 'error': {
      const status = numberOf({ status: number }, 'status', statusMin, statusMax)
      return status.ok ? ok({ kind: 'error', status: status.value ?? statusDefault }) : status
    }
    case 'silent':
      return ok({ kind: 'silent' })
    case 'down':
      return ok({ kind: 'down' })
    case undefined:
      return refuse('invalid_parameter', `trouble must be one of ${listed(faultKinds)}`)
  }
}

function numberOf(fields: Fields, name: string, min: number, max: number): Result<number | undefined> {
  const value = fields[name]
  if (isAbsent(value)) return ok(undefined)
  const text = String(value).trim()
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max
    ? ok(number)
    : refuse('invalid_parameter', `${name} must be a whole number from ${min} to ${max}`)
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function wordOf<Word extends string>(words: readonly Word[], text: unknown): Word | undefined {
  return words.find((word) => word === (typeof text === 'string' ? text.toLowerCase() : undefined))
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
