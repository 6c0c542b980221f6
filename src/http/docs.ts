// The API reference for people and machines: /docs, /openapi.json and the page of errors.
import type { FastifyInstance } from 'fastify'
import type { HttpContext } from './context.ts'
import { errorsPage } from './errors-page.ts'
import { createReference, type DeclaredRoutes } from './openapi.ts'
import type { App, AppReply, AppRequest } from './types.ts'

const page = { auth: 'none', page: true } as const
const hidden = { hide: true } as const

/** Scalar's script writes styles and starts from an inline script; nothing may come from or go to another host. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const errorsPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export function docsRoutes(app: App, context: HttpContext, declared: DeclaredRoutes): void {
  let reference: Promise<FastifyInstance> | undefined

  async function show(request: AppRequest, reply: AppReply): Promise<AppReply> {
    reference ??= createReference(context, declared)
    const answer = await (await reference).inject({ url: request.url })
    return reply
      .code(answer.statusCode)
      .header('content-type', answer.headers['content-type'])
      .header('content-security-policy', referencePolicy)
      .send(answer.rawPayload)
  }

  app.get('/openapi.json', { config: page, schema: hidden }, show)
  // With the slash, because the page names its script relative to it.
  app.get('/docs', { config: page, schema: hidden }, (request, reply) =>
    request.url === '/docs' ? reply.redirect('/docs/', 301) : show(request, reply),
  )
  app.get('/docs/js/scalar.js', { config: page, schema: hidden }, show)
  app.get('/docs/errors', { config: page, schema: hidden }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', errorsPolicy).send(errorsPage()),
  )
}
