// The routes of the merchants' API once more, for people who are signed in: the same verbs, checks and answers.
import type { App } from '../../http/index.ts'
import { walletPrefix } from './guard.ts'

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete'])
/** Of the public paths, with the version that people are served. */
const publicPrefix = /^\/(?:api\/v2|prows\/v2)\//

/** What the API does with the answers of its routes (`http/reference`). */
const described = { serializerCompiler: () => JSON.stringify }

/**
 * The app as a module of the public API registers its routes on it, with `/api/v2/…` and `/prows/v2/…` moved under the
 * wallet's prefix, where the guard of people stands instead of that of keys. Other paths are left out: there they are
 * already. As there, response schemas describe the answers and do not form them.
 */
export function forPeople(app: App): App {
  return new Proxy(app, {
    get(target, name) {
      if (name === 'route') {
        return (route: { url: string }) => {
          const url = movedPath(route.url)
          if (url !== undefined) target.route({ ...route, ...described, url } as never)
        }
      }
      const value = Reflect.get(target, name) as unknown
      if (typeof name === 'string' && verbs.has(name)) {
        return (path: string, options: object, handler?: unknown) => {
          const url = movedPath(path)
          const rest = handler === undefined ? [described, options] : [{ ...options, ...described }, handler]
          if (url !== undefined) (value as (...all: unknown[]) => unknown).call(target, url, ...rest)
        }
      }
      return value
    },
  })
}

function movedPath(path: string): string | undefined {
  return publicPrefix.test(path) ? path.replace(publicPrefix, walletPrefix) : undefined
}
