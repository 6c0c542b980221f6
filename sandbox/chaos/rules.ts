// Reads what somebody asks to go wrong: a setting as JSON or from a form, and the header of one request.
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import { after, type Instant, minute } from '../../src/kernel/time.ts'
import type { Fields } from '../body-fields.ts'
import {
  type ChaosSetting,
  callsMax,
  minutesMax,
  secondsDefault,
  secondsMax,
  statusDefault,
  statusMax,
  statusMin,
  type Trouble,
  type TroubledRail,
  type TroubleKind,
  troubledRails,
  troubleKinds,
  type WhichSettings,
} from './model.ts'

export const chaosHeader = 'comporta-sandbox-chaos'

/** What one request's calls meet. */
export type OwnTroubles = ReadonlyMap<TroubledRail, Trouble>

/**
 * A header such as `acquirer=slow:5, callbacks=error:500`: rails with their trouble, separated by commas.
 *
 * Refusals: invalid_parameter, saying what would be right.
 */
export function readHeader(text: string): Result<OwnTroubles> {
  const troubles = new Map<TroubledRail, Trouble>()
  for (const part of text.split(',')) {
    const [, rail, kind, number] = /^\s*(\w+)\s*=\s*(\w+)\s*(?::\s*(\d{1,4}))?\s*$/.exec(part) ?? []
    const known = wordOf(troubledRails, rail)
    const fault = known === undefined ? undefined : troubleFrom(kind, number)
    if (known === undefined || fault === undefined || !fault.ok || troubles.has(known)) {
      return refuse(
        'invalid_parameter',
        `the header Comporta-Sandbox-Chaos must be such as acquirer=slow:5, callbacks=error:500: each of ${listed(troubledRails)} at most once, with one of ${listed(troubleKinds)}, seconds from 1 to ${secondsMax} and a status from ${statusMin} to ${statusMax}`,
      )
    }
    troubles.set(known, fault.value)
  }
  return ok(troubles)
}

/**
 * A setting `{rail, trouble, seconds?, status?, wallet_id?, calls?, minutes?}`; numbers may be texts, as forms send them.
 *
 * Refusals: missing_parameter, invalid_parameter, naming the field.
 */
export function readSetting(fields: Fields, now: Instant): Result<ChaosSetting> {
  if (isAbsent(fields.rail)) return refuse('missing_parameter', `rail is required: ${listed(troubledRails)}`)
  const rail = wordOf(troubledRails, fields.rail)
  if (rail === undefined) return refuse('invalid_parameter', `rail must be one of ${listed(troubledRails)}`)
  if (isAbsent(fields.trouble))
    return refuse('missing_parameter', `trouble is required: ${listed(troubleKinds)}`)
  const kind = wordOf(troubleKinds, fields.trouble)
  const fault = troubleFrom(kind, kind === 'error' ? fields.status : fields.seconds)
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

/** What the JSON of a setting may hold. */
export const settingFields = [
  'rail',
  'trouble',
  'seconds',
  'status',
  'wallet_id',
  'calls',
  'minutes',
] as const

/** Refuses with invalid_parameter, naming it, the first field that is none of `known`: a slip would make all else wrong. */
export function foreignField(fields: Fields, known: readonly string[]): Result<undefined> {
  const foreign = Object.keys(fields).find((name) => !known.includes(name))
  return foreign === undefined
    ? ok(undefined)
    : refuse('invalid_parameter', `${foreign} is no field of this: ${listed(known)} are`)
}

/**
 * Which settings end: all, or those of one `rail`, of one `wallet_id`, or of both; the `wallet_id` `everybody` is those
 * of no merchant alone. Refusals: invalid_parameter.
 */
export function readWhich(fields: Fields): Result<WhichSettings> {
  const rail = wordOf(troubledRails, fields.rail)
  if (rail === undefined && !isAbsent(fields.rail))
    return refuse('invalid_parameter', `rail must be one of ${listed(troubledRails)}`)
  if (fields.wallet_id === 'everybody') return ok({ rail, everybodys: true })
  const walletId = numberOf(fields, 'wallet_id', 1, Number.MAX_SAFE_INTEGER)
  if (!walletId.ok) return walletId
  return ok({ rail, walletId: walletId.value === undefined ? undefined : BigInt(walletId.value) })
}

/** @param number seconds or status; absent: the usual */
function troubleFrom(kind: unknown, number: unknown): Result<Trouble> {
  switch (wordOf(troubleKinds, kind) satisfies TroubleKind | undefined) {
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
      return refuse('invalid_parameter', `trouble must be one of ${listed(troubleKinds)}`)
  }
}

/** A whole number, or its digits; undefined where it is absent. */
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
