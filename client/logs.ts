// The command logs tail.
import { setTimeout as pause } from 'node:timers/promises'
import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import { CliError, printEach, type Session } from '../src/cli/session.ts'
import { type Gateway, gatewayAt, isFinalRefusal, type Json } from './gateway.ts'
import { findPlace } from './place.ts'
import { numberTyped } from './values.ts'

const pollMs = 1000
/** Several processes write requests in groups, half a second late. So each poll reads the newest hundred again. */
const perPoll = 100
const linesDefault = 20
const shownMax = 5000
const pagesMax = 20

export async function tailLogs(session: Session, input: CommandInput): Promise<undefined> {
  const lines = numberTyped(input, 'lines', linesDefault, [0, perPoll])
  const query = queryOf(input)
  const gateway = gatewayAt(await findPlace(session, input), session.stopped)
  const printLine = printEach(session, input)
  const print = (request: Json) => printLine(request, lineOf(request))
  const shown = new Set<string>()
  const first = await gateway.ask(`/api/v2/request_log?${query}`)
  if (first.days === 0) throw new CliError('no_log', 'this gateway keeps no request log (REQUEST_LOG_DAYS=0)')
  for (const { tid } of first.requests) shown.add(tid)
  for (const request of first.requests.slice(0, lines).reverse()) print(request)
  if (input.flag('once')) return undefined

  for (;;) {
    await pause(pollMs, undefined, { signal: session.stopped }).catch(() => undefined)
    if (session.stopped.aborted) return undefined
    for (const request of await freshRequests(gateway, query, shown)) {
      shown.add(request.tid)
      print(request)
    }
    for (const tid of shown) {
      if (shown.size <= shownMax) break
      shown.delete(tid)
    }
  }
}

/** Requests that are not shown yet, oldest first. Empty while the gateway does not answer. */
async function freshRequests(
  gateway: Gateway,
  query: URLSearchParams,
  shown: ReadonlySet<string>,
): Promise<Json[]> {
  const fresh: Json[] = []
  let after: string | undefined
  try {
    for (let page = 0; page < pagesMax; page++) {
      const more = after === undefined ? '' : `&after=${after}`
      const { requests, next } = await gateway.ask(`/api/v2/request_log?${query}${more}`)
      const unseen = requests.filter(({ tid }: Json) => !shown.has(tid))
      fresh.push(...unseen)
      if (next === undefined || unseen.length < requests.length || requests.length === 0) break
      after = next
    }
  } catch (error) {
    // Try again later, unless the key was revoked.
    if (!(error instanceof CliError) || isFinalRefusal(error)) throw error
  }
  return fresh.reverse()
}

function queryOf(input: CommandInput): URLSearchParams {
  const query = new URLSearchParams({ limit: String(perPoll) })
  const status = input.value('status')
  if (status !== undefined) {
    const digit = /^([2-5])(xx)?$/i.exec(status)?.[1]
    if (digit === undefined)
      throw new UsageError(`--status takes 2xx, 3xx, 4xx or 5xx; not ${JSON.stringify(status)}`)
    query.set('status', digit)
  }
  for (const [option, name] of [
    ['method', 'method'],
    ['path', 'path'],
    ['key-id', 'key'],
  ] as const) {
    const value = input.value(option)
    if (value !== undefined) query.set(name, value)
  }
  return query
}

function lineOf({ date, tid, method, path, status, code, duration_ms }: Json): string {
  const time = new Date(date).toLocaleTimeString('sv-SE')
  const outcome = code === undefined ? String(status) : `${status} ${code}`
  return `${time}  ${outcome.padEnd(9)}  ${`${duration_ms} ms`.padStart(8)}  ${method.padEnd(6)} ${path}  ${tid}`
}
