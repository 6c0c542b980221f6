// The words of the demo shop, in the two languages of the checkout.
import type { Language } from '../issuer/words.ts'
import type { Problem } from './addresses.ts'
import type { GoodsRef } from './goods.ts'
import type { OrderState, Way } from './model.ts'
import { english } from './words-en.ts'
import { portuguese } from './words-pt.ts'

export interface ShopWords {
  readonly title: string
  readonly lead: string
  readonly tabs: { readonly label: string; readonly basket: string; readonly subscription: string }
  readonly goods: Readonly<Record<GoodsRef, string>>
  readonly basket: string
  readonly each: string
  readonly quantityOf: (name: string) => string
  readonly total: string
  readonly hosted: Section
  readonly fields: Section & {
    readonly cardHelp: string
    readonly allCards: string
    readonly store: string
    readonly withoutScript: string
    readonly broken: string
  }
  readonly stored: Section & { readonly forget: string }
  readonly pay: string
  readonly paying: string
  readonly ways: Readonly<Record<Way, string>>
  readonly states: Readonly<Record<OrderState, string>>
  readonly notices: Readonly<Record<'payment' | 'card', Readonly<Record<OrderState, string>>>>
  readonly problems: Readonly<Record<Problem, string>>
  readonly orders: string
  readonly order: string
  readonly amount: string
  readonly state: string
  readonly callbacksHere: string
  /** What stands before and after the address they go to. */
  readonly callbacksElsewhere: readonly [string, string]
  readonly timeline: TimelineWords
}

interface Section {
  readonly title: string
  readonly says: string
}

export interface TimelineWords {
  readonly title: string
  readonly says: string
  readonly empty: string
  readonly request: string
  readonly callback: string
  readonly browserOut: string
  readonly browserBack: string
  readonly sent: string
  readonly answered: (status: number, durationMs: number) => string
  readonly unanswered: string
  readonly received: string
  readonly genuine: string
  readonly forged: string
  readonly verified: string
  readonly rejected: string
}

export const words: Readonly<Record<Language, ShopWords>> = { en: english, pt: portuguese }
