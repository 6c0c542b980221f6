// What the hosted pages show: one view model per page, filled by the routes, rendered by the templates.

import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { PageMethod } from '../methods/list.ts'
import type { Address } from '../operations/index.ts'
import type { DeclineReason, SimulatedMoney } from '../rails/index.ts'
import type { Charge, Subscription, Terms } from '../subscriptions/index.ts'
import type { Assets } from './frame/assets.ts'

export const locales = ['pt', 'en'] as const
export type Locale = (typeof locales)[number]

/** The question to the customer on a hosted page: pay, reserve money, or accept charges alone. */
export type CheckoutKind = 'payment' | 'authorization' | 'subscription'

/** What a page shows of its merchant's branding. Addresses were checked when they were set. */
export interface Brand {
  /** Path of the picture that stands before the name; absent for the first letter. */
  readonly logo?: string | undefined
  /** Path of the style sheet with the colour; absent for the gateway's own. */
  readonly styleSheet?: string | undefined
  /** Absolute addresses. */
  readonly links: Readonly<Record<'terms' | 'privacy' | 'support', string | null>>
  /** Where customers ask. */
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
}

/** What every page needs. */
export interface PageFrame {
  readonly locale: Locale
  readonly assets: Assets
  /** Where no real money moves: the page says so, and how to act as the customer's bank or wallet. */
  readonly simulated?: SimulatedMoney | undefined
  /** Of the merchant whose page it is; absent where that is nobody's. */
  readonly brand?: Brand | undefined
}

/** What the pages before and after the issuer's show at their top. */
export interface MerchantFrame extends PageFrame {
  readonly merchantName: string
  /** Whether money is taken or reserved; absent while a card is only stored. */
  readonly kind?: CheckoutKind | undefined
  /** Absent while a card is only stored. */
  readonly amount?: Cents | undefined
  /** ISO 4217, three letters. */
  readonly currency: string
  /** Whether the page is shown because what the customer sent came too late. */
  readonly late?: boolean | undefined
}

/** What every page about one checkout shows at its top. */
export interface CheckoutFrame extends MerchantFrame {
  readonly checkoutId: string
  readonly kind: CheckoutKind
  readonly amount: Cents
  /** Where the customer returns to the shop, absolute; absent if they came by a payment link and from no shop. */
  readonly urlConfirm?: string | undefined
  /** The subscription that the customer accepts with the payment, or alone. */
  readonly terms?: TermsShown | undefined
}

/** What a subscription allows, in figures; the words are in subscription-words.ts. */
export interface TermsShown extends Terms {
  readonly description?: string | undefined
}

/** A line of what is bought. `amount` is text because items may have more than two decimals. */
export interface PageItem {
  readonly name: string
  readonly quantity?: number | undefined
  /** In the currency, decimal text such as `12.345`; of one piece. */
  readonly amount?: string | undefined
}

/** Fields of the forms, by the names under which they are posted. */
export type PageField =
  | 'number'
  | 'expiry'
  | 'vcode'
  | 'name'
  | 'fullname'
  | 'email'
  | 'pin'
  | 'phone'
  | 'holder'
  | 'iban'
  | 'mandate'
  | 'street'
  | 'postalcode'
  | 'city'
  | 'country'

/** What is wrong with a field; the words are in texts.ts. */
export type FieldProblem = 'missing' | 'invalid' | 'expired' | 'ends_early' | 'unregistered' | 'not_sepa'

/** Why the customer was not authenticated. */
export type AuthenticationFailure =
  | 'failed'
  | 'cancelled'
  | 'rejected'
  | 'issuer_unavailable'
  | 'not_enrolled'

/** What happened before, shown at the top of the page. */
export type Notice =
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'authentication_failed'; readonly reason: AuthenticationFailure }
  /** Nothing was asked of any bank; the same card can be tried again. */
  | { readonly kind: 'try_again' }
  /** Cards cannot be tried any more; the other methods can. */
  | { readonly kind: 'too_many_cards' }
  /** What was sent was not used, because the page was out of date. */
  | { readonly kind: 'late' }
  /** A method's own message, in the customer's language. */
  | {
      readonly kind: 'message'
      readonly title: string
      readonly detail: string
      /** What the customer did themselves is not shown as an error. */
      readonly calm?: boolean | undefined
    }

/** What the customer typed or the merchant knew before. Card number, security code and PIN are not among them. */
export interface FilledIn {
  readonly name?: string | undefined
  readonly fullname?: string | undefined
  readonly expiry?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly holder?: string | undefined
  readonly iban?: string | undefined
  /** `accepted` once its box was ticked: a tick survives an error in another field. */
  readonly mandate?: string | undefined
  readonly street?: string | undefined
  readonly postalcode?: string | undefined
  readonly city?: string | undefined
  /** Two letters. */
  readonly country?: string | undefined
}

/** The input of a method's form. */
export interface PanelContext {
  readonly page: CheckoutPage
  /** The path that its form is posted to, with the language. */
  readonly path: string
  /** How to pay where no real money moves; else undefined. */
  readonly hint: string | undefined
  /** Whether this method's panel is the open one, which errors of the page are about. */
  readonly chosen: boolean
}

export interface MethodPanel {
  /** The form of this method, HTML. */
  render(context: PanelContext): string
  /** Id of one of its inputs, for the error summary to link to. */
  fieldId(name: PageField): string
}

/** The page where a method is chosen and a card is typed. */
export interface CheckoutPage extends CheckoutFrame {
  readonly items: readonly PageItem[]
  /** Whether the page asks where to deliver, in place of the methods. */
  readonly asksDelivery?: boolean | undefined
  /** Where the customer said it goes. */
  readonly delivery?: Address | undefined
  /** Methods to offer, in order; with only one there is nothing to choose. */
  readonly methods: readonly PageMethod[]
  /** The method whose panel is open at first. */
  readonly chosen?: PageMethod | undefined
  /** UUID, new at every rendering: a double click posts the same one. */
  readonly attemptToken: string
  /** The form of each method. */
  readonly panels: Readonly<Partial<Record<PageMethod, MethodPanel>>>
  readonly requiredFields: {
    readonly name?: boolean | undefined
    readonly email?: boolean | undefined
    readonly phone?: boolean | undefined
  }
  readonly filledIn: FilledIn
  readonly errors: Readonly<Partial<Record<PageField, FieldProblem>>>
  readonly notice?: Notice | undefined
  /** Until when it can be paid. */
  readonly expiresAt: Instant
  /** The gateway's time: it decides what "today" is, and which cards are expired. */
  readonly now: Instant
}

/** A rail is deciding; the page goes on to `next` when it has. */
export interface WaitingPage extends MerchantFrame, Pick<CheckoutFrame, 'urlConfirm'> {
  /** Path that shows the present state. */
  readonly next: string
  /** Path of the server-sent events. */
  readonly events: string
  /** Seconds until approval is too late, for methods that have such a window. */
  readonly secondsLeft?: number | undefined
  /** What to do meanwhile, in the customer's language; otherwise that the payment is being processed. */
  readonly message?: { readonly title: string; readonly detail: string } | undefined
  /** E.164; the phone that was asked. */
  readonly phone?: string | undefined
  /** How the customer stops waiting for a phone. */
  readonly withdraw?:
    | {
        /** Path that is posted to. */
        readonly path: string
        /** On the button by which they do, to try again. */
        readonly label: string
        /** Whether there is another method to choose. */
        readonly others: boolean
      }
    | undefined
}

/** How a checkout ended. */
export type Outcome =
  | { readonly kind: 'paid' | 'reserved' | 'accepted'; readonly urlConfirm: string }
  | {
      readonly kind: 'failed' | 'cancelled' | 'expired' | 'voided' | 'too_many_cards' | 'suspended'
      readonly urlCancel: string
    }

/** What a customer keeps of a payment: what it was, when, and the number to ask about. */
export interface Receipt {
  readonly method?: PageMethod | undefined
  /** The phone that paid, masked. */
  readonly phone?: string | undefined
  /** When it was paid, reserved or accepted, where that is known. */
  readonly at?: Instant | undefined
  /** Id of the operation, or of the subscription where nothing was paid. */
  readonly number: string
}

export interface ResultPage extends CheckoutFrame {
  readonly outcome: Outcome
  /** Absent unless something was paid, reserved or accepted. */
  readonly receipt?: Receipt | undefined
  /** The card that paid, as far as it may be shown. */
  readonly card?: { readonly type: string; readonly last4: string } | undefined
  /** Path of the page on which the customer sees and cancels what they allowed. */
  readonly manage?: string | undefined
  /** Whether the customer came by a payment link and goes back to no shop, with the words that lead back to it. */
  readonly backToLink?: string | undefined
}

/** What a customer allowed, what was charged, and how to end it. */
export interface SubscriptionPage extends PageFrame {
  readonly merchantName: string
  /** Path of the page itself, signed. */
  readonly path: string
  readonly status: Subscription['status']
  readonly terms: TermsShown
  readonly card?: { readonly type: string; readonly last4: string } | undefined
  /** Whether a balance is charged, and no card. */
  readonly fromBalance: boolean
  /** What may still be charged now, and the last day it lasts; absent while nothing may. */
  readonly left?: { readonly amount: Cents; readonly until: Day } | undefined
  /** The latest charges, newest first. */
  readonly charges: readonly Pick<Charge, 'amount' | 'currency' | 'status' | 'createdAt'>[]
  /** How many there are in all. */
  readonly chargeCount: number
  readonly now: Instant
  /** Whether the customer just pressed the button and is asked whether they mean it. */
  readonly confirming: boolean
}

/** A page about no checkout: none there, or something went wrong. */
export interface ProblemPage extends PageFrame {
  readonly problem: 'not_found' | 'internal' | 'unavailable' | 'too_many_requests' | 'bad_request'
  /** Id of the request, which support can look up. */
  readonly tid?: string | undefined
  /** Path to try again at. */
  readonly retryUrl?: string | undefined
}
