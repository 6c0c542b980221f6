// What the shop's page to subscribe on shows, found in the visitor's session.
import type { Instant } from '../../../src/kernel/time.ts'
import type { Visit } from '../addresses.ts'
import type { Form } from '../bodies.ts'
import type { Session } from '../model.ts'
import type { SubscribingProblem } from './addresses.ts'
import type { ShopCharge, ShopSubscription } from './model.ts'
import { subscribingWords } from './words.ts'

/** What the page shows. */
export interface Shown {
  readonly visit: Visit
  readonly session: Session
  readonly subscription: ShopSubscription | undefined
  /** All of it, oldest first. */
  readonly charges: readonly ShopCharge[]
  /** Told of at the top. */
  readonly charge: ShopCharge | undefined
  readonly problem: SubscribingProblem | undefined
  /** Whether the top of the page tells of the subscription. */
  readonly told: boolean
  readonly attempt: string
  readonly now: Instant
}

/** The subscription that the address names, else the latest. */
export function shownOf(known: Pick<Shown, 'visit' | 'session' | 'attempt' | 'now'>, query: Form): Shown {
  const { subscriptions, charges } = known.session
  const subscription = subscriptions.get(query.subscription ?? '') ?? [...subscriptions.values()].at(-1)
  return {
    ...known,
    subscription,
    charges: [...charges.values()].filter((charge) => charge.subscription === subscription?.reference),
    charge: charges.get(query.charge ?? ''),
    problem: problemOf(query.problem),
    told: query.subscription !== undefined,
  }
}

function problemOf(text: string | undefined): SubscribingProblem | undefined {
  const known = text !== undefined && Object.hasOwn(subscribingWords.en.problems, text)
  return known ? (text as SubscribingProblem) : undefined
}
