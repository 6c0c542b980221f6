// Static files of the build.
import fastifyStatic from '@fastify/static'
import type { App } from '../types.ts'

export interface AssetsOptions {
  readonly root: string
  readonly prefix: string
  readonly embeddable?: boolean
}

/** Browsers cache them for a year, because names change with content. The build also leaves `.br` and `.gz` files. */
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
