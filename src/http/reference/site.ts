// The documentation site under /docs, built from docs/*.md.

import { globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { sendNotBuilt } from '../pages/assets.ts'
import { createStaticFile, immutableCache, revalidatedCache, type StaticFile } from '../pages/static-file.ts'
import type { App, AppReply, AppRequest } from '../types.ts'

/** The guides name this address. In samples it becomes the address of the gateway that serves them. */
const documentedUrl = 'http://127.0.0.1:8080'
const typesWithSamples: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

const scriptHashesFile = 'script-hashes.txt'
const namedByContent = 'assets/'

interface Site {
  readonly builtAt: number
  readonly files: ReadonlySet<string>
  readonly policy: string
  readonly ours: Map<string, StaticFile | undefined>
}

/** Looks for a new build on the first request and after builds. Without a build it shows a placeholder. */
export function serveSite(app: App, root: string, baseUrl: string): void {
  let site: Site | undefined

  function current(): Site | undefined {
    const builtAt = timeOfBuild(root)
    if (builtAt === undefined) return undefined
    if (site?.builtAt !== builtAt) site = readSite(root, builtAt)
    return site
  }

  app.register((scope, _options, done) => {
    scope.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
    scope.get(
      '/docs/*',
      { config: { auth: 'none', page: true }, schema: { hide: true } },
      (request, reply) => {
        const site = current()
        if (site === undefined) return sendNotBuilt(reply)
        const file = fileFor(site, (request.params as { '*': string })['*'])
        const cacheControl = file?.startsWith(namedByContent) ? immutableCache : revalidatedCache
        reply.headers({ 'cache-control': cacheControl, 'content-security-policy': site.policy })
        if (file === undefined) return reply.code(404).sendFile('404.html')
        return send(site, file, request, reply)
      },
    )
    scope.get('/docs', { config: { auth: 'none', page: true }, schema: { hide: true } }, (request, reply) => {
      const site = current()
      if (site === undefined) return sendNotBuilt(reply)
      if (request.url.split('?')[0] === '/docs') return reply.redirect('/docs/', 301)
      reply.headers({ 'cache-control': revalidatedCache, 'content-security-policy': site.policy })
      return send(site, 'index.html', request, reply)
    })
    done()
  })

  function send(
    site: Site,
    file: string,
    request: AppRequest,
    reply: AppReply,
  ): AppReply | Promise<AppReply> {
    return ourFile(site, file)?.send(request, reply) ?? reply.sendFile(file)
  }

  /** The name of the file is the hash of its old content, so browsers must ask again. */
  function ourFile({ ours }: Site, file: string): StaticFile | undefined {
    const type = typesWithSamples[extname(file)]
    if (baseUrl === documentedUrl || type === undefined) return undefined
    if (!ours.has(file)) {
      const text = readFileSync(join(root, file), 'utf8')
      const own = Buffer.from(text.replaceAll(documentedUrl, baseUrl))
      ours.set(file, text.includes(documentedUrl) ? createStaticFile(own, type, revalidatedCache) : undefined)
    }
    return ours.get(file)
  }
}

function fileFor({ files }: Site, path: string): string | undefined {
  const name = path.replace(/\/$/, '')
  return [name, `${name}.html`, `${name}/index.html`].find((file) => files.has(file))
}

function timeOfBuild(root: string): number | undefined {
  return statSync(join(root, scriptHashesFile), { throwIfNoEntry: false })?.mtimeMs
}

function readSite(root: string, builtAt: number): Site {
  const files = new Set(globSync('**/*.*', { cwd: root, exclude: ['**/*.br', '**/*.gz'] }))
  const hashes = readFileSync(join(root, scriptHashesFile), 'utf8').trim().split('\n')
  return { builtAt, files, policy: policyOf(hashes), ours: new Map() }
}

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
