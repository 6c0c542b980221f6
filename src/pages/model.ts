// View models of the hosted pages.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import type { PageMethod } from '../methods/list.ts'
import type { Address } from '../operations/index.ts'
import type { DeclineReason, SimulatedMoney } from '../rails/index.ts'
import type { Charge, Subscription, Terms } from '../subscriptions/index.ts'

export const locales = ['pt', 'en'] as const
export type Locale = (typeof locales)[number]

export type CheckoutKind = 'payment' | 'authorization' | 'subscription'

export interface Brand {
  readonly logo?: string | undefined
  readonly styleSheet?: string | undefined
  readonly links: Readonly<Record<'terms' | 'privacy' | 'support', string | null>>
  readonly email: string | null
  readonly phone: string | null
}

export interface PageFrame {
  readonly locale: Locale
  readonly assets: Assets
  readonly simulated?: SimulatedMoney | undefined
  readonly brand?: Brand | undefined
  /** Origins whose pages may show this page in a frame. */
  readonly embedOrigins?: readonly string[] | undefined
}

export interface MerchantFrame extends PageFrame {
  readonly merchantName: string
  readonly kind?: CheckoutKind | undefined
  readonly amount?: Cents | undefined
  readonly currency: string
  readonly late?: boolean | undefined
}

export interface CheckoutFrame extends MerchantFrame {
  readonly checkoutId: string
  readonly kind: CheckoutKind
  readonly amount: Cents
  readonly urlConfirm?: string | undefined
  readonly terms?: TermsShown | undefined
}

export interface TermsShown extends Terms {
  readonly description?: string | undefined
}

/** `amount` is text, because items may have more than two decimals. */
export interface PageItem {
  readonly name: string
  readonly quantity?: number | undefined
  readonly amount?: string | undefined
}

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

export type FieldProblem = 'missing' | 'invalid' | 'expired' | 'ends_early' | 'unregistered' | 'not_sepa'

export type AuthenticationFailure =
  | 'failed'
  | 'cancelled'
  | 'rejected'
  | 'issuer_unavailable'
  | 'not_enrolled'

export type Notice =
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'authentication_failed'; readonly reason: AuthenticationFailure }
  /** No bank was asked, so the customer can try the same card again. */
  | { readonly kind: 'try_again' }
  | { readonly kind: 'too_many_cards' }
  | { readonly kind: 'late' }
  | {
      readonly kind: 'message'
      readonly title: string
      readonly detail: string
      readonly calm?: boolean | undefined
    }

/** Values to fill in again. They never contain the card number, the security code or the PIN. */
export interface FilledIn {
  readonly name?: string | undefined
  readonly fullname?: string | undefined
  readonly expiry?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly holder?: string | undefined
  readonly iban?: string | undefined
  /** `accepted`: the box is still ticked when the page shows an error of another field. */
  readonly mandate?: string | undefined
  readonly street?: string | undefined
  readonly postalcode?: string | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
}

export interface PanelContext {
  readonly page: CheckoutPage
  readonly path: string
  readonly hint: string | undefined
  readonly chosen: boolean
}

export interface MethodPanel {
  render(context: PanelContext): string
  fieldId(name: PageField): string
}

export interface CheckoutPage extends CheckoutFrame {
  readonly items: readonly PageItem[]
  readonly asksDelivery?: boolean | undefined
  readonly delivery?: Address | undefined
  readonly methods: readonly PageMethod[]
  readonly chosen?: PageMethod | undefined
  /** A UUID for each time the page is made. A double click posts the same one twice. */
  readonly attemptToken: string
  readonly panels: Readonly<Partial<Record<PageMethod, MethodPanel>>>
  readonly requiredFields: {
    readonly name?: boolean | undefined
    readonly email?: boolean | undefined
    readonly phone?: boolean | undefined
  }
  readonly filledIn: FilledIn
  readonly errors: Readonly<Partial<Record<PageField, FieldProblem>>>
  readonly notice?: Notice | undefined
  readonly expiresAt: Instant
  readonly now: Instant
}

export interface WaitingPage extends MerchantFrame, Pick<CheckoutFrame, 'urlConfirm'> {
  readonly next: string
  readonly events: string
  readonly secondsLeft?: number | undefined
  readonly message?: { readonly title: string; readonly detail: string } | undefined
  readonly phone?: string | undefined
  readonly withdraw?:
    | {
        readonly path: string
        readonly label: string
        readonly others: boolean
      }
    | undefined
}

export type Outcome =
  | { readonly kind: 'paid' | 'reserved' | 'accepted'; readonly urlConfirm: string }
  | {
      readonly kind: 'failed' | 'cancelled' | 'expired' | 'voided' | 'too_many_cards' | 'suspended'
      readonly urlCancel: string
    }

export interface Receipt {
  readonly method?: PageMethod | undefined
  readonly phone?: string | undefined
  readonly at?: Instant | undefined
  readonly number: string
}

export interface ResultPage extends CheckoutFrame {
  readonly outcome: Outcome
  readonly receipt?: Receipt | undefined
  readonly card?: { readonly type: string; readonly last4: string } | undefined
  readonly manage?: string | undefined
  readonly backToLink?: string | undefined
}

export interface SubscriptionPage extends PageFrame {
  readonly merchantName: string
  readonly path: string
  readonly status: Subscription['status']
  readonly terms: TermsShown
  readonly card?: { readonly type: string; readonly last4: string } | undefined
  readonly fromBalance: boolean
  readonly left?: { readonly amount: Cents; readonly until: Day } | undefined
  readonly charges: readonly Pick<Charge, 'amount' | 'currency' | 'status' | 'createdAt'>[]
  readonly chargeCount: number
  readonly now: Instant
  readonly confirming: boolean
  readonly openCharge?: OpenCharge | undefined
}

/** A failed charge that the customer can try again. */
export interface OpenCharge {
  readonly amount: Cents
  readonly retryOn?: Day | undefined
}

export interface OpenChargePage extends PageFrame {
  readonly merchantName: string
  readonly path: string
  readonly description?: string | undefined
  readonly card?: { readonly type: string; readonly last4: string } | undefined
  readonly state: 'open' | 'busy' | 'paid' | 'later' | 'refused' | 'over'
  readonly charge: OpenCharge
}

export interface ProblemPage extends PageFrame {
  readonly problem: 'not_found' | 'internal' | 'unavailable' | 'too_many_requests' | 'bad_request'
  readonly tid?: string | undefined
  readonly retryUrl?: string | undefined
}

export interface Asset {
  readonly url: string
  readonly integrity: string
}

export interface Assets {
  readonly script: Asset
  readonly style: Asset
  readonly icon: Asset
}
