// Files that never change under their name: scripts, styles and pictures that the build made.
import fastifyStatic from '@fastify/static'
import type { App } from '../types.ts'

export interface AssetsOptions {
  /** Absolute path of the folder. */
  readonly root: string
  /** Where it appears, such as `/assets`. */
  readonly prefix: string
  /** Whether pages of other sites may use the files. */
  readonly embeddable?: boolean
}

/**
 * Serves the files of a folder to be kept for a year: their names change with their content. Beside each the build
 * left it compressed, as `.br` and `.gz`.
 */
export function serveAssets(app: App, { root, prefix, embeddable = false }: AssetsOptions): void {
  app.register((scope, _options, done) => {
    scope.register(fastifyStatic, { root, serve: false, preCompressed: true })
    scope.get(
      `${prefix}/*`,
      { config: { auth: 'none', page: true }, schema: { hide: true } },
      (request, reply) => {
        reply.removeHeader('cache-control')
        if (embeddable) {
          reply
            .header('cross-origin-resource-policy', 'cross-origin')
            .header('access-control-allow-origin', '*')
        }
        return reply.sendFile((request.params as { '*': string })['*'], { immutable: true, maxAge: '365d' })
      },
    )
    done()
  })
}
