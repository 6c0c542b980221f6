// The API reference: /docs/api, /openapi.json and /openapi-3.0.json.
import { deny } from '../../kernel/result.ts'
import { isLoopbackName } from '../../kernel/values/web-address.ts'
import { sendText } from '../answers.ts'
import type { HttpContext } from '../context.ts'
import { isFromThisMachine } from '../observe/metrics-access.ts'
import { createStaticFile, immutableCache, revalidatedCache, type StaticFile } from '../pages/static-file.ts'
import type { App, AppReply, AppRequest } from '../types.ts'
import { createDocument, type DeclaredRoutes } from './openapi.ts'
import { inOpenApi30 } from './openapi-30.ts'
import { createPage } from './page.ts'
import { documentToTry, type TrialKeys } from './trial.ts'

const page = { auth: 'none', page: true } as const
const hidden = { hide: true } as const

/** Scalar's script writes styles and is started by an inline script. Other hosts are forbidden. */
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

interface Reference {
  readonly made: object
  readonly document: StaticFile
  readonly older: StaticFile
  readonly page: StaticFile
  readonly script: StaticFile
}

export function docsRoutes(app: App, context: HttpContext, declared: DeclaredRoutes): void {
  let reference: Promise<Reference> | undefined
  const isServedHereAlone = isLoopbackName(URL.parse(context.baseUrl)?.hostname ?? '')
  let prefilled: { readonly key: string; readonly page: Promise<StaticFile> } | undefined

  function load(): Promise<Reference> {
    reference ??= renderReference(context, declared)
    return reference
  }

  async function show(
    request: AppRequest,
    reply: AppReply,
    choose: (reference: Reference) => StaticFile | Promise<StaticFile>,
  ): Promise<AppReply> {
    const file = await choose(await load())
    return file.send(request, reply.header('content-security-policy', referencePolicy))
  }

  async function keysFor(request: AppRequest): Promise<TrialKeys | undefined> {
    const isHere = isFromThisMachine(request) && context.isOwnHost(request.headers.host ?? '')
    return isHere && isServedHereAlone ? context.deps.trialKeys?.() : undefined
  }

  function prefilledPage(keys: TrialKeys, { script }: Reference): Promise<StaticFile> {
    if (prefilled?.key !== keys.apiKey)
      prefilled = { key: keys.apiKey, page: renderPage('/docs/openapi.json', script, keys) }
    return prefilled.page
  }

  app.get('/openapi.json', { config: page, schema: hidden }, (request, reply) =>
    show(request, reply, ({ document }) => document),
  )
  app.get('/openapi-3.0.json', { config: page, schema: hidden }, (request, reply) =>
    show(request, reply, ({ older }) => older),
  )
  app.get('/docs/openapi.json', { config: page, schema: hidden }, async (request, reply) => {
    const [keys, { made, document }] = [await keysFor(request), await load()]
    if (keys === undefined) return document.send(request, reply)
    return sendText(reply, JSON.stringify(await documentToTry(app, made, keys)))
  })
  // The page loads its script by a relative name, so its address must end with a slash.
  app.get('/docs/api', { config: page, schema: hidden }, async (request, reply) => {
    if (request.url === '/docs/api') return reply.redirect('/docs/api/', 301)
    const keys = await keysFor(request)
    return show(request, reply, (files) => (keys === undefined ? files.page : prefilledPage(keys, files)))
  })
  app.get('/docs/api/js/:file', { config: page, schema: hidden }, (request, reply) =>
    show(request, reply, ({ script }) => {
      const { file } = request.params as { readonly file: string }
      return file === scriptName(script)
        ? script
        : deny('not_found', 'the script of the reference has another name')
    }),
  )
}

async function renderReference(context: HttpContext, declared: DeclaredRoutes): Promise<Reference> {
  const made = createDocument(context, declared)
  const [document, older] = [made, inOpenApi30(made)].map(jsonFile) as [StaticFile, StaticFile]
  const files = await createPage('/openapi.json')
  const script = createStaticFile(files.script, 'application/javascript; charset=utf-8', immutableCache)
  return { made, document, older, page: pageFile(files.html, script), script }
}

async function renderPage(documentUrl: string, script: StaticFile, keys: TrialKeys): Promise<StaticFile> {
  const { html } = await createPage(documentUrl, keys)
  return pageFile(html, script)
}

function jsonFile(document: object): StaticFile {
  const text = Buffer.from(JSON.stringify(document))
  return createStaticFile(text, 'application/json; charset=utf-8', revalidatedCache)
}

function pageFile(html: string, script: StaticFile): StaticFile {
  const named = html.replace('js/scalar.js', `js/${scriptName(script)}`)
  return createStaticFile(Buffer.from(named), 'text/html; charset=utf-8', revalidatedCache)
}

function scriptName({ hash }: StaticFile): string {
  return `scalar-${hash}.js`
}
