// The addresses of the shop's page to subscribe on.
import type { Visit } from '../addresses.ts'
import { shopPath } from '../model.ts'

export const subscriptionsPath = `${shopPath}/subscriptions`

/** Why a form was not taken to the gateway. */
export type SubscribingProblem = 'no_amount' | 'no_subscription'

/** What the page tells of; references. */
export interface Told {
  readonly subscription?: string | undefined
  /** A charge under it, told of in the subscription's place. */
  readonly charge?: string | undefined
  readonly problem?: SubscribingProblem | undefined
}

/** The page, telling of a subscription, one of its charges, or a problem. */
export function subscriptionPath(visit: Visit, told: Told = {}): string {
  return `${subscriptionsPath}?${queryOf(visit, told)}`
}

/** Where the page hears what happens to what it tells of. */
export function subscriptionEventsPath(visit: Visit, told: Told): string {
  return `${subscriptionsPath}/events?${queryOf(visit, told)}`
}

/** Where the gateway sends the browser when the customer has decided. */
export function decidedUrl(baseUrl: string, visit: Visit, subscription: string): string {
  return `${baseUrl}${subscriptionsPath}/return?${queryOf(visit, { subscription })}`
}

function queryOf({ session, language }: Visit, { subscription, charge, problem }: Told): URLSearchParams {
  const query = new URLSearchParams({ session, lang: language })
  for (const [name, value] of Object.entries({ subscription, charge, problem })) {
    if (value !== undefined) query.set(name, value)
  }
  return query
}
