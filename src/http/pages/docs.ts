// The API reference for people and machines: /docs, /openapi.json and the page of errors.
import { refuse, unwrap } from '../../kernel/result.ts'
import type { HttpContext } from '../context.ts'
import { errorsPage } from '../errors/errors-page.ts'
import type { App, AppReply, AppRequest } from '../types.ts'
import { createReference, type DeclaredRoutes } from './openapi.ts'
import { askedAgain, createStaticFile, keptForEver, type StaticFile } from './static-file.ts'

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

/** Everything of the reference, which stays the same as long as the process runs. */
interface Reference {
  readonly document: StaticFile
  readonly page: StaticFile
  readonly script: StaticFile
}

export function docsRoutes(app: App, context: HttpContext, declared: DeclaredRoutes): void {
  let reference: Promise<Reference> | undefined

  async function show(
    request: AppRequest,
    reply: AppReply,
    choose: (reference: Reference) => StaticFile,
  ): Promise<AppReply> {
    reference ??= renderReference(context, declared)
    const file = choose(await reference)
    return file.send(request, reply.header('content-security-policy', referencePolicy))
  }

  app.get('/openapi.json', { config: page, schema: hidden }, (request, reply) =>
    show(request, reply, ({ document }) => document),
  )
  // With the slash, because the page names its script relative to it.
  app.get('/docs', { config: page, schema: hidden }, (request, reply) =>
    request.url === '/docs' ? reply.redirect('/docs/', 301) : show(request, reply, ({ page }) => page),
  )
  app.get('/docs/js/:file', { config: page, schema: hidden }, (request, reply) =>
    show(request, reply, ({ script }) => {
      const { file } = request.params as { readonly file: string }
      return file === scriptName(script)
        ? script
        : unwrap(refuse('not_found', 'the script of the reference has another name'))
    }),
  )
  app.get('/docs/errors', { config: page, schema: hidden }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', errorsPolicy).send(errorsPage()),
  )
}

/** Asks the reference once for each of its files; its script gets a name that changes with its content. */
async function renderReference(context: HttpContext, declared: DeclaredRoutes): Promise<Reference> {
  const reference = await createReference(context, declared)
  const file = async (url: string, cacheControl: string, change = (text: string) => text) => {
    const { headers, payload } = await reference.inject({ url })
    return createStaticFile(Buffer.from(change(payload)), String(headers['content-type']), cacheControl)
  }
  const script = await file('/docs/js/scalar.js', keptForEver)
  const named = (html: string) => html.replace('js/scalar.js', `js/${scriptName(script)}`)
  const [document, html] = [await file('/openapi.json', askedAgain), await file('/docs/', askedAgain, named)]
  await reference.close()
  return { document, page: html, script }
}

function scriptName({ hash }: StaticFile): string {
  return `scalar-${hash}.js`
}
