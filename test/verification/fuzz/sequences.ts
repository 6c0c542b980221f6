// Sequences of requests: create an object, then do each action on it twice.
import fc from 'fast-check'
import type { Route } from './gateway.ts'
import { type Planned, requestTo, wellMeant } from './requests.ts'

export interface Sequence {
  readonly make: Planned
  readonly acts: readonly { readonly route: Route; readonly planned: Planned }[]
}

/** Routes that create an object, with the beginnings of the paths that act on it. */
const makers: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v2/checkout': ['/api/v2/checkout/:id', '/checkout/:id'],
  'POST /api/v2/payment_links': ['/api/v2/payment_links/:id'],
  'POST /api/v2/mandate/mbway': ['/api/v2/mandate/mbway/:id'],
  'POST /api/v2/payouts': ['/api/v2/payouts/:id'],
  'POST /api/v2/payment': ['/api/v2/operations/:id'],
  'POST /prows/v2/payment': ['/api/v2/operations/:id', '/secure/:id'],
  'POST /prows/v2/authorization': ['/api/v2/authorizations/:id'],
}

const actsMax = 5

export function sequencesFrom(route: Route, routes: readonly Route[]): fc.Arbitrary<Sequence> | undefined {
  const beginnings = makers[`${route.method} ${route.url}`]
  if (beginnings === undefined) return undefined
  const followers = routes.filter(({ url }) => beginnings.some((beginning) => url.startsWith(beginning)))
  const acts = followers.map((follower) =>
    requestTo(follower).map((planned) => ({
      route: follower,
      planned: { ...planned, target: planned.target.replace(/\{\{own\.\w+\}\}/, '{{made}}') },
    })),
  )
  return fc.record({
    make: wellMeant(route),
    acts: fc.array(fc.oneof(...acts), { minLength: 1, maxLength: actsMax }),
  })
}

export function madeBy(text: string): string | undefined {
  try {
    const { id, mandate_id, operation_id } = JSON.parse(text)
    const [found] = [id, mandate_id, operation_id].filter((one) => typeof one === 'string')
    return found
  } catch {
    return undefined
  }
}
