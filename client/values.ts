// Reading and printing of values in commands of merchants.
import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import { visibleInLine } from '../src/cli/escape-control-characters.ts'
import { CliError } from '../src/cli/session.ts'
import { decimalText, readTypedEuros } from '../src/kernel/money.ts'
import { randomId, systemRandomness } from '../src/kernel/random.ts'
import { type Gateway, isFinalRefusal, type Json } from './gateway.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function amountTyped(input: CommandInput, option: string): string | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const amount = readTypedEuros(text)
  if (amount !== undefined) return decimalText(amount)
  throw new UsageError(
    `--${option} takes euros such as 12.50, with at most 2 decimals; not ${JSON.stringify(text)}`,
  )
}

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

export function idTyped(name: string, text: string): string {
  if (uuid.test(text)) return text.toLowerCase()
  throw new UsageError(`${name} is a UUID, not ${JSON.stringify(text)}`)
}

/** The gateway answers this while it still works on the first request. */
const codeInFlight = 10014

/**
 * Posts once under a request id. If the result is unknown, the error names this id, so that the user can repeat the
 * command safely.
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
    throw new CliError('not_a_gateway', `${gateway.place.url} answered without an id`)
  } catch (error) {
    if (!(error instanceof CliError) || isCertain(error)) throw error
    const advice = `The outcome is unknown. Run it again with --request-id ${request_id}: it then happens at most once.`
    const { kind, reason, ...facts } = error.facts
    throw new CliError(String(kind), `${error.message}\n${advice}`, { ...facts, request_id })
  }
}

/** Whether it is certain that the gateway did nothing. */
function isCertain(error: CliError): boolean {
  if (error.facts.code === codeInFlight) return false
  return isFinalRefusal(error) || (error.facts.kind === 'refused' && error.facts.status === 429)
}

export function euros(amount: unknown): string {
  return typeof amount === 'number' ? amount.toFixed(2) : String(amount ?? '')
}

/** Prints one fact per line, without empty ones. Nested values are JSON. */
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
