// comporta logs tail: what the programs of a wallet ask, as it is answered.
import { setTimeout as pause } from 'node:timers/promises'
import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import { CliError, printEach, type Session } from '../src/cli/session.ts'
import { type Gateway, gatewayAt, isFinalRefusal, type Json } from './gateway.ts'
import { findPlace } from './place.ts'
import { numberTyped } from './values.ts'

const pollEveryMs = 1000
/** Requests are written down in groups by several processes, half a second late: the newest are looked at again. */
const perLook = 100
const linesDefault = 20
/** So many are remembered as shown. */
const shownMax = 5000
const pagesMax = 20

/** Prints the last requests that match, then each that follows, until Ctrl-C. */
export async function tailLogs(session: Session, input: CommandInput): Promise<undefined> {
  const lines = numberTyped(input, 'lines', linesDefault, [0, perLook])
  const query = queryOf(input)
  const gateway = gatewayAt(await findPlace(session, input), session.stopped)
  const printLine = printEach(session, input)
  const print = (request: Json) => printLine(request, lineOf(request))
  const shown = new Set<string>()
  const first = await gateway.ask(`/api/v2/request_log?${query}`)
  if (first.days === 0)
    throw new CliError('no_log', 'this gateway writes no requests down (REQUEST_LOG_DAYS=0)')
  for (const { tid } of first.requests) shown.add(tid)
  for (const request of first.requests.slice(0, lines).reverse()) print(request)
  if (input.flag('once')) return undefined

  for (;;) {
    await pause(pollEveryMs, undefined, { signal: session.stopped }).catch(() => undefined)
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

/** What was not shown yet, oldest first; nothing while the gateway is away. */
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
    // It is asked again; not with a key that was revoked.
    if (!(error instanceof CliError) || isFinalRefusal(error)) throw error
  }
  return fresh.reverse()
}

function queryOf(input: CommandInput): URLSearchParams {
  const query = new URLSearchParams({ limit: String(perLook) })
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
