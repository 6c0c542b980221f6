// The documentation site under /docs: pages that the build made of docs/*.md, with their scripts and styles.
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { refuse, unwrap } from '../../kernel/result.ts'
import { askedAgain, keptForEver } from '../pages/static-file.ts'
import type { App } from '../types.ts'

/** What the build found in the pages: the hashes of their inline scripts, one a line. */
const scriptHashesFile = 'script-hashes.txt'
/** VitePress gives what lies here names that change with their content. */
const namedByContent = 'assets/'

interface Site {
  /** When it was built, epoch milliseconds. */
  readonly builtAt: number
  readonly files: ReadonlySet<string>
  readonly policy: string
}

/**
 * Serves the site; refuses with service_unavailable while it is not built. The folder is looked into when somebody first asks, and again once it was built anew; beside each file the build left it compressed.
 * @param root absolute path of the folder of the built pages
 */
export function serveSite(app: App, root: string): void {
  let site: Site | undefined

  function current(): Site {
    if (site?.builtAt !== builtAt(root)) site = lookInto(root)
    return site
  }

  app.register((scope, _options, done) => {
    scope.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
    scope.get(
      '/docs/*',
      { config: { auth: 'none', page: true }, schema: { hide: true } },
      (request, reply) => {
        const site = current()
        const file = fileFor(site, (request.params as { '*': string })['*'])
        const cacheControl = file?.startsWith(namedByContent) ? keptForEver : askedAgain
        reply.headers({ 'cache-control': cacheControl, 'content-security-policy': site.policy })
        return file === undefined ? reply.code(404).sendFile('404.html') : reply.sendFile(file)
      },
    )
    scope.get('/docs', { config: { auth: 'none', page: true }, schema: { hide: true } }, (request, reply) => {
      const { policy } = current()
      if (request.url.split('?')[0] === '/docs') return reply.redirect('/docs/', 301)
      return reply
        .headers({ 'cache-control': askedAgain, 'content-security-policy': policy })
        .sendFile('index.html')
    })
    done()
  })
}

/** The file of a page or of what it loads; pages are asked for without `.html`. */
function fileFor({ files }: Site, path: string): string | undefined {
  const name = path.replace(/\/$/, '')
  return [name, `${name}.html`, `${name}/index.html`].find((file) => files.has(file))
}

/** Refusals: service_unavailable while nothing is built. */
function builtAt(root: string): number {
  const found = statSync(join(root, scriptHashesFile), { throwIfNoEntry: false })
  return (
    found?.mtimeMs ??
    unwrap(refuse('service_unavailable', 'the guide is not built here: npm run build:web builds it'))
  )
}

function lookInto(root: string): Site {
  const files = new Set(globSync('**/*.*', { cwd: root, exclude: ['**/*.br', '**/*.gz'] }))
  const hashes = readFileSync(join(root, scriptHashesFile), 'utf8').trim().split('\n')
  return { builtAt: builtAt(root), files, policy: policyOf(hashes) }
}

/** Nothing comes from another host or goes to one, and no script or style stands in a page, but for the named ones. */
function policyOf(scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
