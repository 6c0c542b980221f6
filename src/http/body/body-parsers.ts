// Which bodies are read, and how: JSON everywhere, forms where a page posts them, nothing else.
import type { FastifyRequest } from 'fastify'
import { ok, type Refusal, RefusalError, type Result, refuse } from '../../kernel/result.ts'
import type { App } from '../types.ts'
import { readJson } from './json.ts'
import { isStorable } from './json-faults.ts'

/** CONTRACT section 2. */
export const bodyBytesMax = 64 * 1024

const utf8Charset = /^"?utf-?8"?$/i
const charsetPattern = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i

export function addBodyParsers(app: App): void {
  app.removeAllContentTypeParsers()

  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const type = request.headers['content-type'] as string
    if (type.length !== 'application/json'.length && !isUtf8Type(type)) return done(asError(wrongCharset))
    if (body.length === 0) return done(null, undefined)
    const json = readJson(body)
    if (json.ok) done(null, json.value)
    else done(asError(json.refusal))
  })

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body: string, done) => {
      if (!isPage(request)) return refuseUnlessEmpty(body, done)
      const form = readForm(body)
      if (form.ok) done(null, form.value)
      else done(asError(form.refusal))
    },
  )

  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body: string, done) =>
    refuseUnlessEmpty(body, done),
  )
}

/** Clients that are told to send nothing still name a type for it: `curl -d ''` a form, `fetch` plain text. */
function refuseUnlessEmpty(body: string, done: (error: Error | null, body?: undefined) => void): void {
  done(body === '' ? null : asError(notJson))
}

const wrongCharset: Refusal = {
  kind: 'invalid_content_type',
  reason: 'the header Content-Type must be application/json, and its charset utf-8',
}
const notJson: Refusal = {
  kind: 'invalid_content_type',
  reason: 'the header Content-Type must be application/json',
}

function asError(refusal: Refusal): RefusalError {
  return new RefusalError(refusal)
}

function isUtf8Type(type: string): boolean {
  const charset = charsetPattern.exec(type)?.[1]
  return charset === undefined || utf8Charset.test(charset)
}

/** People's browsers come to pages, and only these post forms. */
function isPage(request: FastifyRequest): boolean {
  return request.routeOptions.config.page === true
}

/** The fields of a form. Refusals: invalid_parameter for a field sent twice and for NUL. */
function readForm(body: string): Result<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in fields) return refuse('invalid_parameter', 'the form must hold each field once')
    if (!isStorable(name) || !isStorable(value))
      return refuse('invalid_parameter', 'the form must hold no NUL')
    fields[name] = value
  }
  return ok(fields)
}
