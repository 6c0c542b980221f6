// The interface of payment methods on hosted pages.
import type { App, AppReply, AppRequest } from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
import type { Module } from '../module.ts'
import type { FollowedAttempts } from '../operations/for-methods.ts'
import type { RailHandler } from '../operations/for-movements.ts'
import type { Client, Operation } from '../operations/index.ts'
import type {
  CheckoutFrame,
  FieldProblem,
  FilledIn,
  Locale,
  MethodPanel,
  Notice,
  PageField,
  WaitingPage,
} from '../pages/index.ts'
import type { CustomerBrowser } from '../rails/index.ts'
import type { Recurring, Subscription } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { ContactWanted } from './contact.ts'
import type { DirectPayments } from './direct.ts'
import type { Method, PageMethod } from './list.ts'

interface AnyCheckout {
  readonly id: string
  readonly walletId: bigint
  readonly requiredFields: ContactWanted
  readonly mandatePhone?: string | undefined
  /** The customer whom the merchant's server named. */
  readonly customerId?: string | undefined
  readonly expiresAt: Instant
}

export interface PaidCheckout extends AnyCheckout {
  readonly kind: 'payment' | 'authorization'
  readonly operation: Operation
  readonly subscription?: Subscription | undefined
}

export interface SubscribingCheckout extends AnyCheckout {
  readonly kind: 'subscription'
  readonly operation?: undefined
  readonly subscription: Subscription
}

export interface Visit<Visited = PaidCheckout> {
  readonly checkout: Visited
  readonly wallet: Wallet
  readonly locale: Locale
  readonly browser: CustomerBrowser
  /** Cookies of this checkout's pages only. Scripts cannot read them. */
  readonly cookies: VisitCookies
  /** Adds the customer's data, unless a rail is deciding. */
  keepCustomer(client: Client): Promise<void>
  /** Keeps the checkout open at least until `expiresAt`. Its own timer waits until `dueAt`. */
  extend(expiresAt: Instant, dueAt: Instant): Promise<void>
  returnUrl(method: PageMethod): string
}

export interface VisitCookies {
  get(name: string): string | undefined
  set(name: string, value: string, seconds: number): void
}

export type AnyVisit = Visit<PaidCheckout | SubscribingCheckout>

export type PostedForm = Readonly<Record<string, string | undefined>>

interface Begun {
  /** The attempt of this browser. Default: the latest attempt. */
  readonly attemptId?: string | undefined
}

export type Started =
  | ({ readonly kind: 'started' } & Begun)
  /** Leads to another page of ours, or to a host in {@link MethodPage.formTargets}. */
  | ({ readonly kind: 'redirect'; readonly url: string } & Begun)
  | {
      readonly kind: 'wrong_fields'
      readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>>
      readonly filledIn?: FilledIn | undefined
    }
  | {
      readonly kind: 'refused'
      readonly notice: Notice
      readonly filledIn?: FilledIn | undefined
      /** How long the customer must wait after too many attempts. */
      readonly retrySeconds?: number | undefined
    }
  /** The checkout is over, or a rail is deciding. */
  | { readonly kind: 'too_late' }

/** The state to show to a customer who has chosen this method, until the operation is final. */
export type MethodState =
  | { readonly kind: 'open'; readonly notice?: Notice | undefined }
  | ({
      readonly kind: 'waiting'
      /** Text of the button that withdraws the request. Absent if that is impossible. */
      readonly withdraw?: string | undefined
      /** The customer must visit a page of the rail or bank. */
      readonly leadsToBank?: boolean | undefined
    } & Pick<WaitingPage, 'message' | 'secondsLeft' | 'phone'>)
  /** The customer acts elsewhere, and can choose another method meanwhile. */
  | { readonly kind: 'shown'; render(frame: CheckoutFrame): string }

export interface Before {
  readonly last?: Notice | undefined
  readonly form?: PostedForm | undefined
}

/** The page of a method. By default it is for a checkout that pays or reserves. */
export interface MethodPage<Visited = PaidCheckout> {
  panel(visit: Visit<Visited>, before: Before): MethodPanel | Promise<MethodPanel>
  formTargets?(visit: Visit<Visited>): readonly string[]
  /** Starts an attempt. If a form is posted twice (a double click), it starts only one. */
  start(visit: Visit<Visited>, form: PostedForm): Promise<Started>
  /** Whether a form that is posted again gets the first answer, even while a rail decides. */
  readonly answersAgain?: boolean
  state(visit: Visit<Visited>): Promise<MethodState>
  /** Withdraws the request. If the customer approves at the same moment, the payment counts. */
  withdraw?(visit: Visit<Visited>): Promise<void>
  isExhausted?(visit: Visit<Visited>): Promise<boolean>
  ended?(visit: Visit<Visited>): void
}

export interface OpenVisit {
  readonly visit: AnyVisit
  readonly state: MethodState | { readonly kind: 'over' }
  readonly frame: CheckoutFrame
}

/** Returns undefined if it has sent another answer. */
export type FindVisit = (request: AppRequest, reply: AppReply) => Promise<OpenVisit | undefined>

export interface PaymentMethod extends Module {
  readonly code: Method
  readonly page?: MethodPage
  pageRoutes?(app: App, findVisit: FindVisit): void
  readonly direct?: DirectPayments
  /** The rail that is asked after a customer has chosen the method. */
  readonly rail: RailHandler
  readonly recurring?: Recurring & {
    /** The page for subscriptions that begin without a payment. */
    readonly page?: MethodPage<SubscribingCheckout>
  }
  /** Absent if attempts are decided at once. */
  readonly attempts?: FollowedAttempts
  /** Withdraws an unanswered request, because the merchant has ended the operation. */
  withdraw?(operation: Operation): Promise<void>
}

export interface MethodTable {
  of(code: Method | undefined): PaymentMethod | undefined
  all(): readonly PaymentMethod[]
}

export function createMethodTable(): MethodTable & { add(...methods: readonly PaymentMethod[]): void } {
  const known = new Map<string | undefined, PaymentMethod>()
  return {
    of: (code) => known.get(code),
    all: () => [...known.values()],
    add(...methods) {
      for (const method of methods) known.set(method.code, method)
    },
  }
}

export function pageOfVisit(
  methods: Pick<MethodTable, 'of'>,
  visit: AnyVisit,
  method: Method | undefined,
): MethodPage<PaidCheckout | SubscribingCheckout> | undefined {
  const known = methods.of(method)
  return visit.checkout.kind === 'subscription' ? known?.recurring?.page : known?.page
}
