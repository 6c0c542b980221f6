// Values that commands of merchants take and show: amounts digit for digit, ids of requests, tables of operations.

import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import { visibleInLine } from '../src/cli/escape-control-characters.ts'
import { CliError } from '../src/cli/session.ts'
import { decimalText, readTypedEuros } from '../src/kernel/money.ts'
import { randomId, systemRandomness } from '../src/kernel/random.ts'
import { type Gateway, isFinalRefusal, type Json } from './gateway.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The amount of an option, as the API takes it; throws {@link UsageError}. */
export function amountTyped(input: CommandInput, option: string): string | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const amount = readTypedEuros(text)
  if (amount !== undefined) return decimalText(amount)
  throw new UsageError(
    `--${option} takes euros such as 12.50, with at most 2 decimals; not ${JSON.stringify(text)}`,
  )
}

/** A whole number from `least` to `most`; throws {@link UsageError}. */
export function numberTyped(
  input: CommandInput,
  option: string,
  usual: number,
  [least, most]: readonly [number, number],
): number {
  const text = input.value(option)
  if (text === undefined) return usual
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1
  if (value >= least && value <= most) return value
  throw new UsageError(`--${option} takes a number from ${least} to ${most}; not ${JSON.stringify(text)}`)
}

/** An id of the API, typed as an operand or an option; throws {@link UsageError}. */
export function idTyped(name: string, text: string): string {
  if (uuid.test(text)) return text.toLowerCase()
  throw new UsageError(`${name} is a UUID, not ${JSON.stringify(text)}`)
}

/** The request is still being processed: how it ends is not known yet. */
const codeInFlight = 10014

/**
 * Posts `body` under a request id, that of `--request-id` or a new one, so that it happens once however often it is
 * asked for. Where the gateway itself neither did it nor refused it, so that it may have happened, the error says under
 * which id to ask again: no answer, one of a proxy, one of 5xx, Ctrl-C.
 */
export async function postOnce(
  gateway: Gateway,
  path: string,
  input: CommandInput,
  body: Readonly<Record<string, unknown>>,
): Promise<Json> {
  const typed = input.value('request-id')
  const request_id = typed === undefined ? randomId(systemRandomness) : idTyped('--request-id', typed)
  try {
    const made = await gateway.ask(path, { body: { ...body, request_id } })
    if (typeof made?.id === 'string') return made
    throw new CliError('not_a_gateway', `${gateway.place.url} answered without the id of what was made`)
  } catch (error) {
    if (!(error instanceof CliError) || isCertain(error)) throw error
    const advice = `It is not known whether it happened. Asking again with --request-id ${request_id} is safe: it happens once.`
    const { kind, reason, ...facts } = error.facts
    throw new CliError(String(kind), `${error.message}\n${advice}`, { ...facts, request_id })
  }
}

/** Whether nothing was done, by the gateway's own words. */
function isCertain(error: CliError): boolean {
  if (error.facts.code === codeInFlight) return false
  return isFinalRefusal(error) || (error.facts.kind === 'refused' && error.facts.status === 429)
}

/** Euros with two decimals, as the API's numbers have them. */
export function euros(amount: unknown): string {
  return typeof amount === 'number' ? amount.toFixed(2) : String(amount ?? '')
}

/** The facts of a record, one a line; what is absent or empty is left out, what is made of parts is JSON. */
export function factsOf(record: Json): string {
  const facts = Object.entries(record).filter(([, value]) => value !== null && value !== '')
  const width = Math.max(...facts.map(([name]) => name.length))
  const shown = (name: string, value: unknown) =>
    /amount|^fee$/.test(name)
      ? euros(value)
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  return facts
    .map(([name, value]) => `${name.padEnd(width)}  ${visibleInLine(shown(name, value))}`)
    .join('\n')
}
