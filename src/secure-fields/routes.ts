// Routes of keys, library, frame and sessions.
import { Type } from 'typebox'
import { type App, type AppReply, createStaticFile, immutableCache, sendText } from '../http/index.ts'
import { ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import { after, type Instant, second } from '../kernel/time.ts'
import type { FieldsMerchant, SecureFieldsDeps } from './deps.ts'
import { type FrameLocale, frameHeaders, framePage, loadLibraryFiles } from './frame-page.ts'
import { publicKeys } from './keys.ts'
import { allowedOrigins } from './origins-rules.ts'
import { framePath, hashedLibraryPath, integrityPath, keysPath, libraryPath, sessionPath } from './paths.ts'
import { issueSession } from './sessions.ts'

const publicRoute = { config: { auth: 'none', page: true }, schema: { hide: true } } as const
const keysCacheSeconds = 300
const keysKeptMs = 5 * second

const frameQuery = Type.Object({
  merchant: Type.String({ maxLength: 40 }),
  locale: Type.Optional(Type.String({ maxLength: 40 })),
})
const sessionQuery = Type.Object({ merchant: Type.String({ maxLength: 40 }) })

export function secureFieldsRoutes(deps: SecureFieldsDeps): (app: App) => void {
  const files = loadLibraryFiles(deps.manifestPath)
  const { library } = files
  const libraryFile = createStaticFile(library.content, 'text/javascript; charset=utf-8', immutableCache)
  const integrity = JSON.stringify({
    file: library.file,
    url: deps.baseUrl + libraryPath,
    integrity: library.integrity,
  })

  let keys: { readonly text: Promise<string>; readonly until: Instant } | undefined

  async function keysText(now: Instant): Promise<string> {
    return JSON.stringify({ keys: await publicKeys(deps, now) })
  }

  async function embedding(
    publicId: string,
  ): Promise<Result<{ merchant: FieldsMerchant; origins: readonly string[] }>> {
    const merchant = await deps.walletOf(publicId)
    if (merchant === undefined) return refuse('not_found', 'merchant must be the public id of a merchant')
    const origins = allowedOrigins(merchant, deps)
    return origins.length > 0
      ? ok({ merchant, origins })
      : refuse('access_denied', 'this merchant has registered no origin for secure form fields')
  }

  return (app) => {
    app.get(keysPath, publicRoute, async (_request, reply) => {
      const now = deps.clock.now()
      if (keys === undefined || keys.until <= now) {
        keys = { text: keysText(now), until: after(now, keysKeptMs) }
        keys.text.catch(() => {
          keys = undefined
        })
      }
      reply.header('cache-control', `public, max-age=${keysCacheSeconds}`)
      return sendText(reply, await keys.text)
    })

    for (const path of [libraryPath, hashedLibraryPath(library.file)]) {
      app.get(path, publicRoute, (request, reply) => libraryFile.send(request, openToAll(reply)))
    }

    app.get(integrityPath, publicRoute, (_request, reply) => sendText(openToAll(reply), integrity))

    app.get(
      framePath,
      { ...publicRoute, schema: { ...publicRoute.schema, querystring: frameQuery } },
      async (request, reply) => {
        const { merchant: publicId, locale } = request.query
        const { merchant, origins } = unwrap(await embedding(publicId))
        const now = deps.clock.now()
        const session = issueSession(deps, merchant.publicId, now)
        const page = { merchant: merchant.publicId, session, now, locale: localeOf(locale), origins }
        // `frame-ancestors` replaces this header, because it can name several origins.
        reply.removeHeader('x-frame-options')
        reply.headers(frameHeaders(origins)).type('text/html; charset=utf-8')
        return reply.send(framePage(page, files))
      },
    )

    // A frame that was open for long, or is used again, gets a new session here.
    app.get(
      sessionPath,
      { ...publicRoute, schema: { ...publicRoute.schema, querystring: sessionQuery } },
      async (request, reply) => {
        const { merchant } = unwrap(await embedding(request.query.merchant))
        const now = deps.clock.now()
        const session = issueSession(deps, merchant.publicId, now)
        return sendText(reply, JSON.stringify({ session, now }))
      },
    )
  }
}

/** Scripts of any site may load the file and check its `integrity`. */
function openToAll(reply: AppReply): AppReply {
  return reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
}

function localeOf(tag: string | undefined): FrameLocale {
  return /^en\b/i.test((tag ?? '').replace('_', '-')) ? 'en' : 'pt'
}
