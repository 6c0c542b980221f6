// Static files of the build.

import { readFileSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { App, AppReply } from '../types.ts'

/** Names change with the content, so browsers cache for a year. The build makes the `.br` and `.gz` files. */
export function serveAssets(
  app: App,
  { root, prefix }: { readonly root: string; readonly prefix: string },
): void {
  app.register((scope, _options, done) => {
    scope.register(fastifyStatic, { root, serve: false, preCompressed: true })
    scope.get(
      `${prefix}/*`,
      { config: { auth: 'none', page: true }, schema: { hide: true } },
      (request, reply) => {
        reply.removeHeader('cache-control')
        return reply.sendFile((request.params as { '*': string })['*'], { immutable: true, maxAge: '365d' })
      },
    )
    done()
  })
}

export interface BuiltFile {
  readonly file: string
  /** The hash of the file, `sha384-…` (PCI DSS 6.4.3). */
  readonly integrity: string
}

/** Built files by logical name. It throws if one is missing: the gateway must not start without its pages. */
export function builtFiles(manifestPath: string): (name: string) => BuiltFile {
  let manifest: Readonly<Record<string, BuiltFile | undefined>>
  try {
    manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  } catch (error) {
    throw new Error(`${manifestPath} cannot be read: run npm run build:web`, { cause: error })
  }
  return (name) => {
    const built = manifest[name]
    if (built === undefined) throw new Error(`${manifestPath} has no ${name}: run npm run build:web`)
    return built
  }
}

const retrySeconds = 3

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta http-equiv="refresh" content="${retrySeconds}">
<title>Comporta</title>
</head>
<body>
<h1>This page is not built yet</h1>
<p>The first <code>npm start</code> builds it in about half a minute. This page then reloads.
Otherwise run <code>npm run build:web</code>.</p>
</body>
</html>
`

export function sendNotBuilt(reply: AppReply): AppReply {
  return reply
    .code(503)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'retry-after': String(retrySeconds),
    })
    .type('text/html; charset=utf-8')
    .send(page)
}
