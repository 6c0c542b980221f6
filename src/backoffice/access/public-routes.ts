// The merchants' API for signed-in people: same routes, checks and answers.
import type { App } from '../../http/index.ts'
import { walletPrefix } from './person.ts'

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete'])
const publicPrefix = /^\/(?:api\/v2|prows\/v2)\//

/** As in the API, a response schema only documents the answer. It does not filter its fields. */
const described = { serializerCompiler: () => JSON.stringify }

/** Wraps the app: API routes that modules register on it are served under the wallet's prefix. */
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
