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
  /** Sent only to pages of this checkout, and hidden from scripts. */
  readonly cookies: VisitCookies
  /** Adds the customer's data, unless something is being decided. */
  keepCustomer(client: Client): Promise<void>
  /** Extends the checkout at least until `expiresAt`; its own timer waits until `dueAt`. */
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
  /** The attempt of this browser. Default: the latest. */
  readonly attemptId?: string | undefined
}

export type Started =
  | ({ readonly kind: 'started' } & Begun)
  /** Another page of ours, or a host in {@link MethodPage.formTargets}. */
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
      /** After too many attempts: the wait. */
      readonly retrySeconds?: number | undefined
    }
  /** The checkout is over, or something is being decided. */
  | { readonly kind: 'too_late' }

/** For a customer who chose this method, before the operation is final. */
export type MethodState =
  | { readonly kind: 'open'; readonly notice?: Notice | undefined }
  | ({
      readonly kind: 'waiting'
      /** The button that withdraws the request; absent: impossible. */
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

/** Default: a checkout that pays or reserves. */
export interface MethodPage<Visited = PaidCheckout> {
  panel(visit: Visit<Visited>, before: Before): MethodPanel | Promise<MethodPanel>
  formTargets?(visit: Visit<Visited>): readonly string[]
  /** Starts an attempt. A form posted twice (a double click) starts one. */
  start(visit: Visit<Visited>, form: PostedForm): Promise<Started>
  /** Whether a repeated form gets the first answer, also while a rail decides. */
  readonly answersAgain?: boolean
  state(visit: Visit<Visited>): Promise<MethodState>
  /** A request that is approved at the same moment is paid. */
  withdraw?(visit: Visit<Visited>): Promise<void>
  isExhausted?(visit: Visit<Visited>): Promise<boolean>
  ended?(visit: Visit<Visited>): void
}

export interface OpenVisit {
  readonly visit: AnyVisit
  readonly state: MethodState | { readonly kind: 'over' }
  readonly frame: CheckoutFrame
}

/** Undefined if another answer was sent. */
export type FindVisit = (request: AppRequest, reply: AppReply) => Promise<OpenVisit | undefined>

export interface PaymentMethod extends Module {
  readonly code: Method
  readonly page?: MethodPage
  pageRoutes?(app: App, findVisit: FindVisit): void
  readonly direct?: DirectPayments
  /** Asks its rail, after a customer has chosen the method. */
  readonly rail: RailHandler
  readonly recurring?: Recurring & {
    /** For subscriptions without a payment. */
    readonly page?: MethodPage<SubscribingCheckout>
  }
  /** Absent: attempts are decided at once. */
  readonly attempts?: FollowedAttempts
  /** Withdraws an unanswered request when the merchant ends the operation. */
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
