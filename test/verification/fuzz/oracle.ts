// Properties of every answer, for any request.
import type { RawAnswer, RawRequest } from './client.ts'
import type { Route } from './gateway.ts'
import type { Known } from './known.ts'
import { injectedHeader, mark } from './values.ts'

const slowMs = 2_000

/** Internals of the program, which no answer may show. */
const inside = [
  /\n\s+at .+[:(]\d+:\d+/,
  /node_modules|node:internal|\.ts:\d+/,
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|DatabaseError|PostgresError)\b/,
  /Cannot read propert|is not a function|is not iterable|Unexpected token .* in JSON/,
  /syntax error at or near|violates (?:check|foreign|unique|not-null)|relation "|invalid input syntax|duplicate key value/,
]

/** Paths whose refusals are errors of the API. */
const jsonPaths = /^\/(?:api|prows|backoffice\/api|sandbox\/api)\//

/** Slow on purpose, or as long as the request asks; the limit is 22 s. */
const mayBeSlow = /\/(?:clock|chaos)\b/

export function faultsOf(route: Route, request: RawRequest, answer: RawAnswer, known: Known): string[] {
  const { status, head, body } = answer
  const asked = JSON.stringify(request)
  const isChaos = status === 503 && route.url.includes('chaos')
  const wrong: readonly (readonly [boolean, string])[] = [
    [status === 0 && !route.waits && !isOddHttp(request), 'there was no answer'],
    [status >= 500 && !isChaos, `status ${status}: ${body.slice(0, 200)}`],
    [head.toLowerCase().includes(`\n${injectedHeader}`), 'a value became a header'],
    [/content-type: text\/html/i.test(head) && body.includes(mark), 'a value became a tag'],
  ]
  return [
    ...wrong.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : [])),
    ...shownOfProgram(answer, asked),
    ...shownOfOthers(route, answer, asked, known),
    ...(status >= 400 && jsonPaths.test(request.target) && request.method !== 'HEAD'
      ? shapeFaults(answer)
      : []),
  ]
}

function shownOfProgram({ head, body }: RawAnswer, asked: string): string[] {
  if (!/content-type: application\/json/i.test(head) && !/^HTTP\/1\.1 [45]/.test(head)) return []
  return inside
    .map((pattern) => pattern.exec(body)?.[0])
    .filter((seen) => seen !== undefined && !asked.includes(seen))
    .map((seen) => `the answer shows the program: ${seen}`)
}

/** Data of one merchant in an answer to the other; operators read both. */
function shownOfOthers(route: Route, { body }: RawAnswer, asked: string, known: Known): string[] {
  const secrets = known.secrets.filter((secret) => body.includes(secret) && !asked.includes(secret))
  const seers = ['other key', 'operator'] as const
  const isOther = seers.some((caller) => asked.includes(known.headersOf(caller)[0]?.[1] ?? '-'))
  const mayShow = isOther || route.isOpen || seesOthers(route)
  const foreign = mayShow ? [] : known.foreign.filter((id) => body.includes(id) && !asked.includes(id))
  return [...secrets, ...foreign].map((shown) => `the answer shows another merchant's ${shown}`)
}

export function isSlow(route: Route, { milliseconds }: RawAnswer): boolean {
  return milliseconds > slowMs && !route.waits && !mayBeSlow.test(route.url)
}

/** Operators see every merchant; a request log shows its requests. */
function seesOthers({ url }: Route): boolean {
  return /\/operator\/|^\/sandbox|\/requests\b|request_log|\/actions$/.test(url)
}

const wellKnownMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/
const headersOfFraming = /^(?:expect|upgrade|transfer-encoding|content-length|connection|te|host)$/

/** Broken HTTP: such a connection may end without an answer. */
function isOddHttp({ headers, method, framing = 'length' }: RawRequest): boolean {
  return (
    framing !== 'length' ||
    !wellKnownMethod.test(method) ||
    headers.some(
      ([name, value]) => /[\r\n\0]/.test(value) || !/^[\w-]+$/.test(name) || headersOfFraming.test(name),
    )
  )
}

/** `POST …/callback/verify` answers false, by its specification. */
function shapeFaults({ head, body }: RawAnswer): string[] {
  if (body === 'false') return []
  if (!/content-type: application\/json/i.test(head)) return ['a refusal that is not JSON']
  try {
    const { code, message, reason, link, tid } = JSON.parse(body)
    const isWhole =
      Number.isInteger(code) &&
      [message, reason, link, tid].every((text) => typeof text === 'string' && text !== '')
    return isWhole ? [] : [`a refusal without its fields: ${body.slice(0, 200)}`]
  } catch {
    return [`a refusal that cannot be read: ${body.slice(0, 200)}`]
  }
}
