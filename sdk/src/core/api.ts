// Typed calls of API operations by name.
import type { operations } from '../generated/schema.d.ts'
import { endpoints } from '../generated/tables.ts'
import { type AttemptRules, type Outcome, retryAfterOf, withRetries } from './attempts.ts'
import { ConnectionError, type Failure, familyOf, TimeoutError } from './errors.ts'
import { readJson } from './json.ts'
import { type ApiSettings, type CallOptions, optionsOf } from './settings.ts'

export type { CallOptions } from './settings.ts'

/** `operationId` of the OpenAPI document. */
export type OperationName = keyof typeof endpoints & keyof operations

type Parameters<Name extends OperationName> = operations[Name]['parameters']
type Content<Holder> = NonNullable<Holder> extends { content: infer Types } ? Types : never

export type QueryOf<Name extends OperationName> = NonNullable<Parameters<Name>['query']>
export type BodyOf<Name extends OperationName> =
  Content<operations[Name]['requestBody']> extends { 'application/json': infer Body } ? Body : never
/** Type of the answer. Bytes for an image. */
export type AnswerOf<Name extends OperationName> =
  Content<operations[Name]['responses'][200]> extends infer Types
    ? [Types] extends [never]
      ? undefined
      : Types extends { 'application/json': infer Body }
        ? Body
        : Types extends { 'text/csv': infer Text }
          ? Text
          : Uint8Array<ArrayBuffer>
    : never

interface Asked {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/** Query `dry_run`: the gateway computes the result and changes nothing. */
export function dryRun(options: { readonly dry_run?: unknown } = {}): Asked['query'] {
  return { dry_run: options.dry_run }
}

/** Repeating these methods is safe. */
const alwaysRepeatable: ReadonlySet<string> = new Set(['GET', 'PUT'])

export class Api {
  readonly #settings: ApiSettings

  constructor(settings: ApiSettings) {
    this.#settings = settings
  }

  /** Calls the operation and repeats it if that is safe. Rejects with a ComportaError. */
  async call<Name extends OperationName>(
    name: Name,
    { path, query, body }: Asked,
    given: CallOptions = {},
  ): Promise<AnswerOf<Name>> {
    const options = optionsOf(given)
    const { headers, esbToken, fetch, ...defaults } = this.#settings
    const endpoint = endpoints[name]
    const requestId = endpoint.keyed
      ? (requestIdIn(body) ?? options.requestId ?? crypto.randomUUID())
      : undefined
    const init: RequestInit = {
      method: endpoint.method,
      // If the SDK followed a redirect, another server could get the key, or a POST could become a GET.
      redirect: 'manual',
      headers: {
        ...headers,
        ...(endpoint.esb && esbToken !== undefined && { 'proxy-authorization': `ESBToken=${esbToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(requestId !== undefined && requestIdIn(body) === undefined && { 'idempotency-key': requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const repeatable = endpoint.keyed || alwaysRepeatable.has(endpoint.method) || name === 'verifyCallback'
    const rules: AttemptRules = { ...defaults, signal: undefined, ...options, repeatable }
    const url = addressOf(defaults.baseUrl + endpoint.path, path, query)
    const { outcome, attempts } = await withRetries(async (signal) => {
      const { status, headers, ...response } = await received(await fetch(url, { ...init, signal }))
      return { kind: 'answer', status, headers, ...response }
    }, rules)
    try {
      if (outcome.kind === 'answer' && outcome.status === 200)
        return read(endpoint.answer, outcome.bytes) as AnswerOf<Name>
    } catch {
      // The answer is not JSON: a proxy may have answered instead of the gateway.
    }
    throw errorOf(outcome, requestId, attempts)
  }
}

async function received(response: Response) {
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

/** The request id in the body. The gateway searches in the same order. */
function requestIdIn(body: unknown): string | undefined {
  const { request_id, payment, authorization, subscription } = (body ?? {}) as Record<string, unknown>
  const inner = [payment, authorization, subscription].map(
    (one) => (one as Record<string, unknown>)?.request_id,
  )
  return [request_id, ...inner].find((id) => typeof id === 'string')
}

/** The address of the call. It refuses an empty id or `..`, which would name another resource. */
function addressOf(template: string, path: Asked['path'] = {}, query: Asked['query'] = {}): string {
  const url = new URL(template.replace(/\{(\w+)\}/g, (_, name) => inPath(name, path[name])))
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  return url.href
}

function inPath(name: string, value: string | undefined): string {
  if (!value || /^\.\.?$/.test(value))
    throw new TypeError(`${name} must name a record, and is ${value || 'empty'}`)
  return encodeURIComponent(value)
}

/** Throws for an answer that the gateway cannot send. */
function read(answer: 'json' | 'text' | 'bytes' | 'none', bytes: Uint8Array): unknown {
  if (answer === 'bytes') return bytes
  const text = new TextDecoder().decode(bytes)
  if (answer === 'text') return text
  if (answer === 'none' && text === '') return undefined
  const body = readJson(text)
  if (body === null || answer === 'none') throw new SyntaxError('it is not as the API answers')
  return body
}

function errorOf(outcome: Outcome, requestId: string | undefined, attempts: number): Error {
  const nothing = { code: undefined, status: undefined, link: undefined, tid: undefined }
  if (outcome.kind === 'no_answer') {
    const { timedOut, cause } = outcome
    const Family = timedOut ? TimeoutError : ConnectionError
    const reason = timedOut
      ? 'the gateway did not answer in time'
      : `no answer of the gateway came: ${causeOf(cause)}`
    const failure = { ...nothing, operationId: undefined, retryAfter: undefined, reason }
    return new Family(failure, requestId, attempts, cause)
  }
  const Family = familyOf(outcome.status)
  return new Family(failureOf(outcome), requestId, attempts)
}

function causeOf(cause: unknown): string {
  const { message, cause: inner } = cause as Error
  return inner instanceof Error ? inner.message || String((inner as { code?: string }).code) : message
}

/** Details of the error. If a proxy answered with a page, only the status is known. */
function failureOf({ status, headers, bytes }: Outcome & { kind: 'answer' }): Failure {
  const text = new TextDecoder().decode(bytes)
  const said = { status, retryAfter: retryAfterOf(headers), tid: headers.get('x-request-id') ?? undefined }
  try {
    const { code, reason, link, tid = said.tid, operation_id: operationId } = JSON.parse(text)
    if (typeof code === 'number') return { ...said, code, reason, link, tid, operationId }
  } catch {
    // The body is not JSON, so it is not an error of the gateway.
  }
  const place = headers.get('location')
  const reason =
    place !== null && status >= 300 && status < 400
      ? `the answer has the status ${status} and leads to ${place}: baseUrl must be the gateway's own address`
      : `the answer has the status ${status} and is not the gateway's: ${text.slice(0, 100)}`
  return { ...said, code: undefined, reason, link: undefined, operationId: undefined }
}
