// The API reference for people and machines: /docs, /openapi.json and the page of errors.
import { refuse, unwrap } from '../../kernel/result.ts'
import type { HttpContext } from '../context.ts'
import { errorsPage } from '../errors/errors-page.ts'
import { askedAgain, createStaticFile, keptForEver, type StaticFile } from '../pages/static-file.ts'
import type { App, AppReply, AppRequest } from '../types.ts'
import { createDocument, type DeclaredRoutes } from './openapi.ts'
import { createPage } from './page.ts'

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

/** Everything of the reference, made once; its script gets a name that changes with its content. */
async function renderReference(context: HttpContext, declared: DeclaredRoutes): Promise<Reference> {
  const document = createStaticFile(
    Buffer.from(JSON.stringify(createDocument(context, declared))),
    'application/json; charset=utf-8',
    askedAgain,
  )
  const files = await createPage()
  const script = createStaticFile(files.script, 'application/javascript; charset=utf-8', keptForEver)
  const html = files.html.replace('js/scalar.js', `js/${scriptName(script)}`)
  return {
    document,
    page: createStaticFile(Buffer.from(html), 'text/html; charset=utf-8', askedAgain),
    script,
  }
}

function scriptName({ hash }: StaticFile): string {
  return `scalar-${hash}.js`
}
