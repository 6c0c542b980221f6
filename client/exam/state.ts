// Reads the state of the merchant's program: from its address, or from a file.
import { readFile } from 'node:fs/promises'
import { CliError } from '../../src/cli/session.ts'
import { boundedFetch } from '../../src/http/bounded-fetch.ts'
import { type Cents, cents, parseAmount } from '../../src/kernel/money.ts'

export interface Belief {
  readonly status: string
  readonly amount: Cents
  readonly refunded: Cents
}

/** By operation id, in lower case. */
export type Beliefs = ReadonlyMap<string, Belief>

const answerMsMax = 15_000
const answerBytesMax = 8 * 1024 * 1024

/** Reads the state once. Throws {@link CliError} with the place and the remedy. */
export async function readBeliefs(place: string, stopped: AbortSignal): Promise<Beliefs> {
  const isAddress = /^https?:/.test(place)
  const text = isAddress ? await answerOf(place, stopped) : await textOf(place)
  return believedIn(text, place)
}

async function answerOf(address: string, stopped: AbortSignal): Promise<string> {
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(answerMsMax)])
    const headers = { accept: 'application/json' }
    const answer = await boundedFetch(address, { signal, headers, redirect: 'manual' }, answerBytesMax)
    if (answer.status === 200) return await answer.text()
    throw unreadable(address, `it answered ${answer.status}, not 200`)
  } catch (error) {
    if (error instanceof CliError) throw error
    if (stopped.aborted) throw new CliError('stopped', 'stopped before the examination was complete')
    const { cause, message } = error as { cause?: { code?: string } } & Error
    throw unreadable(address, cause?.code ?? message)
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw unreadable(path, (error as NodeJS.ErrnoException).code ?? String(error))
  }
}

/** Reads JSON, or CSV if the text does not begin with a brace. */
export function believedIn(text: string, place: string): Beliefs {
  const rows = text.trimStart().startsWith('{') ? rowsOfJson(text, place) : rowsOfCsv(text, place)
  return new Map(rows.map(([id, facts]) => [id.toLowerCase(), beliefOf(id, facts, place)]))
}

type Row = readonly [id: string, facts: unknown]

function rowsOfJson(text: string, place: string): Row[] {
  const { operations } = parsed(text, place)
  if (typeof operations !== 'object' || operations === null || Array.isArray(operations))
    throw unreadable(place, 'operations must be an object: { "operations": { "<id>": { … } } }')
  return Object.entries(operations)
}

function parsed(text: string, place: string): { operations?: unknown } {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(place, `it is no JSON: ${(error as Error).message}`)
  }
}

/** The four columns never contain a comma or a quote. */
function rowsOfCsv(text: string, place: string): Row[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const names = head.split(/[,;]/).map((name) => name.trim())
  if (!names.includes('id'))
    throw unreadable(place, 'it is neither JSON nor CSV with the columns id,status,amount,refunded')
  return lines.map((line) => {
    const cells = line.split(/[,;]/).map((cell) => cell.trim())
    const facts = Object.fromEntries(names.map((name, index) => [name, cells[index]]))
    return [facts.id ?? '', facts]
  })
}

function beliefOf(id: string, facts: unknown, place: string): Belief {
  const { status, amount, refunded } = Object(facts) as Record<string, unknown>
  if (typeof status !== 'string' || status === '')
    throw unreadable(place, `status of ${id} must be a text such as "COMPLETED"`)
  return {
    status: status.toUpperCase(),
    amount: centsOf(amount, `amount of ${id}`, place),
    refunded:
      refunded === undefined || refunded === '' ? cents(0) : centsOf(refunded, `refunded of ${id}`, place),
  }
}

function centsOf(value: unknown, field: string, place: string): Cents {
  const amount = parseAmount(value, field)
  if (amount.ok) return amount.value
  throw unreadable(place, String(amount.refusal.reason))
}

function unreadable(place: string, reason: string): CliError {
  return new CliError('no_state', `the state of your program cannot be read at ${place}: ${reason}`)
}
