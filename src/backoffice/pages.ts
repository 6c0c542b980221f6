// The HTML document of the backoffice.
import { existsSync, readFileSync } from 'node:fs'
import { type App, sendNotBuilt } from '../http/index.ts'
import type { Randomness } from '../kernel/random.ts'

interface BuiltFile {
  readonly file: string
  readonly integrity: string
}

interface Links {
  readonly script: string
  readonly style: string
  readonly scheme: string
  readonly icon: string
}

export function backofficePages({
  manifestPath,
  mode,
  random,
}: {
  readonly manifestPath: string
  readonly mode: 'sandbox' | 'production'
  readonly random: Randomness
}): (app: App) => void {
  let links: Links | undefined

  function document({ script, style, scheme, icon }: Links, nonce: string): string {
    return [
      '<!doctype html>',
      '<html lang="en">',
      '<head>',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex, nofollow">',
      '<meta name="referrer" content="same-origin">',
      '<meta name="format-detection" content="telephone=no">',
      `<meta name="gateway-mode" content="${mode}">`,
      `<meta name="style-nonce" content="${nonce}">`,
      '<title>Comporta</title>',
      `<link rel="icon" type="image/svg+xml" href=${icon}>`,
      `<script src=${scheme}></script>`,
      `<link rel="stylesheet" href=${style}>`,
      `<script type="module" src=${script}></script>`,
      '</head>',
      '<body>',
      '<div id="backoffice"><noscript><p>The backoffice needs JavaScript. Paying does not. / O backoffice precisa de JavaScript. Pagar não precisa.</p></noscript></div>',
      '</body>',
      '</html>',
      '',
    ].join('\n')
  }

  return (app) => {
    for (const url of ['/backoffice', '/backoffice/*']) {
      app.get(url, { config: { auth: 'none', page: true }, schema: { hide: true } }, (_request, reply) => {
        links ??= readLinks(manifestPath)
        if (links === undefined) return sendNotBuilt(reply)
        const nonce = Buffer.from(random.bytes(16)).toString('base64')
        return reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', policy(nonce))
          .send(document(links, nonce))
      })
    }
    app.get('/', { config: { auth: 'none', page: true }, schema: { hide: true } }, (_request, reply) =>
      reply.redirect('/backoffice'),
    )
  }
}

/** Undefined until the files are built. `npm start` builds them after the gateway listens. */
function readLinks(manifestPath: string): Links | undefined {
  if (!existsSync(manifestPath)) return undefined
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, BuiltFile | undefined>
  const link = (name: string) => {
    const built = manifest[name]
    if (built === undefined) throw new Error(`${manifestPath} has no ${name}; run npm run build:web`)
    return `"/assets/${built.file}" integrity="${built.integrity}"`
  }
  return {
    script: link('backoffice.js'),
    style: link('backoffice.css'),
    scheme: link('backoffice-scheme.js'),
    icon: link('checkout.svg'),
  }
}

/** The content security policy: only our own files, and styles with the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
