// The words of the shop's page to subscribe on, in the two languages of the checkout.
import type { Language } from '../../issuer/words.ts'
import type { SubscribingProblem } from './addresses.ts'
import type { ChargeState, Plan, SubscriptionState } from './model.ts'
import { english } from './words-en.ts'
import { portuguese } from './words-pt.ts'

export interface SubscribingWords {
  readonly title: string
  readonly lead: string
  readonly nothingYet: string
  readonly offer: {
    readonly title: string
    readonly again: string
    /** What is subscribed to, as the customer reads it. */
    readonly name: string
    readonly says: (box: string, allowance: string) => string
    readonly pack: string
    readonly plans: Readonly<Record<Plan, { readonly name: string; readonly says: string }>>
    readonly choice: string
    readonly subscribe: string
    readonly help: string
    readonly phone: string
  }
  readonly panel: {
    readonly title: string
    readonly allowance: string
    readonly everyMonth: (amount: string) => string
    readonly fromTo: (first: string, last: string | undefined) => string
    readonly left: string
    readonly until: (day: string) => string
    readonly leftHelp: string
    readonly clock: string
    readonly customer: string
    readonly decide: string
    readonly chargedTo: string
    readonly methods: Readonly<Record<string, string>>
    readonly pack: string
    readonly reference: string
    readonly others: string
  }
  readonly states: Readonly<Record<SubscriptionState, string>>
  readonly acting: {
    readonly title: string
    readonly says: string
    readonly ended: string
    readonly amount: string
    readonly charge: string
    readonly cancel: string
    readonly look: string
  }
  readonly charges: {
    readonly title: string
    readonly charge: string
    readonly amount: string
    readonly state: string
  }
  readonly chargeStates: Readonly<Record<ChargeState, string>>
  readonly notices: {
    readonly subscription: Readonly<Record<SubscriptionState, string>>
    readonly charge: Readonly<Record<ChargeState, (amount: string) => string>>
  }
  /** By the API's error code. */
  readonly refusals: Readonly<Record<number, string>>
  readonly refused: string
  readonly unanswered: string
  readonly apiSaid: string
  readonly problems: Readonly<Record<SubscribingProblem, string>>
}

export const subscribingWords: Readonly<Record<Language, SubscribingWords>> = { en: english, pt: portuguese }
