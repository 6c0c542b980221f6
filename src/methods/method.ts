// A payment method as the hosted page knows it: its form, how it starts, and what the customer sees meanwhile.
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
  /** Which of the customer's data the merchant requires. */
  readonly requiredFields: ContactWanted
  /** The phone that the merchant named: only for this one a mandate replaces the PIN. E.164. */
  readonly mandatePhone?: string | undefined
  readonly expiresAt: Instant
}

/** A checkout that pays or reserves, and perhaps has a subscription accepted with it. */
export interface PaidCheckout extends AnyCheckout {
  readonly kind: 'payment' | 'authorization'
  readonly operation: Operation
  readonly subscription?: Subscription | undefined
}

/** A checkout on which a subscription is accepted and nothing is paid. */
export interface SubscribingCheckout extends AnyCheckout {
  readonly kind: 'subscription'
  readonly operation?: undefined
  readonly subscription: Subscription
}

/** The customer's visit, and what a method may do with it. */
export interface Visit<Visited = PaidCheckout> {
  readonly checkout: Visited
  readonly wallet: Wallet
  readonly locale: Locale
  readonly browser: CustomerBrowser
  /** Only the pages of this checkout are sent them, and no script can read them. */
  readonly cookies: VisitCookies
  /** Adds what the customer typed to what the merchant sent, while nothing is being decided. */
  keepCustomer(client: Client): Promise<void>
  /** Lets the checkout live until `expiresAt` at least; its own timer waits until `dueAt`. */
  extend(expiresAt: Instant, dueAt: Instant): Promise<void>
  /** The absolute address at which the customer comes back to the page of `method`. */
  returnUrl(method: PageMethod): string
}

export interface VisitCookies {
  get(name: string): string | undefined
  /** @param seconds how long the browser keeps it; 0 deletes it */
  set(name: string, value: string, seconds: number): void
}

/** A visit to any kind of checkout. */
export type AnyVisit = Visit<PaidCheckout | SubscribingCheckout>

/** The fields of a posted form. Every field is untrusted. */
export type PostedForm = Readonly<Record<string, string | undefined>>

interface Begun {
  /** The attempt that this browser started; absent: the latest one. */
  readonly attemptId?: string | undefined
}

export type Started =
  /** There is an attempt; the page shows its state. */
  | ({ readonly kind: 'started' } & Begun)
  /** The customer goes on at another page of ours, or at another host, which {@link MethodPage.formTargets} names. */
  | ({ readonly kind: 'redirect'; readonly url: string } & Begun)
  | {
      readonly kind: 'wrong_fields'
      readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>>
      readonly filledIn?: FilledIn | undefined
    }
  /** No attempt was started, and the page says why. */
  | {
      readonly kind: 'refused'
      readonly notice: Notice
      readonly filledIn?: FilledIn | undefined
      /** Where it was asked for too often: after how many seconds it can be asked for again. */
      readonly retrySeconds?: number | undefined
    }
  /** The page is out of date: the checkout is over, or something is being decided. */
  | { readonly kind: 'too_late' }

/** The state of a customer who chose this method, while the operation is not final. */
export type MethodState =
  /** Choose and pay; `notice` says what became of the last attempt. */
  | { readonly kind: 'open'; readonly notice?: Notice | undefined }
  /** Wait: a rail decides. */
  | ({
      readonly kind: 'waiting'
      /** On the button by which the customer withdraws the request, to try again; absent: they cannot. */
      readonly withdraw?: string | undefined
      /** Whether the customer has to go to a page of the rail's, or of their bank. */
      readonly leadsToBank?: boolean | undefined
    } & Pick<WaitingPage, 'message' | 'secondsLeft' | 'phone'>)
  /** Do something elsewhere, shown until it is done; they may choose another method meanwhile. */
  | { readonly kind: 'shown'; render(frame: CheckoutFrame): string }

/** Earlier events on the page that a panel is on. */
export interface Before {
  /** The outcome of the last attempt. */
  readonly last?: Notice | undefined
  /** The form that its panel posted a moment ago, with wrong fields. */
  readonly form?: PostedForm | undefined
}

/** A method on the page of a checkout: of one that pays or reserves, unless `Visited` is another. */
export interface MethodPage<Visited = PaidCheckout> {
  panel(visit: Visit<Visited>, before: Before): MethodPanel
  /** Absolute URLs that its form may lead to. */
  formTargets?(visit: Visit<Visited>): readonly string[]
  /** Starts an attempt with what its panel posted; a form posted twice (a double click) starts one. */
  start(visit: Visit<Visited>, form: PostedForm): Promise<Started>
  /** Whether the second of two such forms is answered as the first was, also while a rail decides. */
  readonly answersAgain?: boolean
  state(visit: Visit<Visited>): Promise<MethodState>
  /** Withdraws the request that the customer waits for; one that is approved at the same moment is paid. */
  withdraw?(visit: Visit<Visited>): Promise<void>
  /** Whether the customer has tried so often that this method is not offered any more. */
  isExhausted?(visit: Visit<Visited>): Promise<boolean>
  /** Deletes what the browser keeps: the checkout is over. */
  ended?(visit: Visit<Visited>): void
}

/** A visit as one request finds it. */
export interface OpenVisit {
  readonly visit: AnyVisit
  readonly state: MethodState | { readonly kind: 'over' }
  readonly frame: CheckoutFrame
}

/** Finds the visit of a request for a page under a checkout's path; undefined when another answer was sent already. */
export type FindVisit = (request: AppRequest, reply: AppReply) => Promise<OpenVisit | undefined>

/** A payment method, as the rest of the program asks it. */
export interface PaymentMethod extends Module {
  readonly code: Method
  readonly page?: MethodPage
  /** Pages of its own under a checkout's path. */
  pageRoutes?(app: App, findVisit: FindVisit): void
  /** How merchants' programs ask for a payment without a checkout; absent: they cannot. */
  readonly direct?: DirectPayments
  /** Asks its rail, after a customer has chosen the method. */
  readonly rail: RailHandler
  readonly recurring?: Recurring & {
    /** For subscriptions without a payment. */
    readonly page?: MethodPage<SubscribingCheckout>
  }
  /** Continues its customers' attempts; absent: they are decided at once. */
  readonly attempts?: FollowedAttempts
  /** Withdraws what the customer of an operation is asked, where they have not answered yet: its merchant ends it. */
  withdraw?(operation: Operation): Promise<void>
}

/** The methods of this gateway. They are put in once what they need is there, and asked for from then on. */
export interface MethodTable {
  of(code: Method | undefined): PaymentMethod | undefined
  all(): readonly PaymentMethod[]
}

/** @returns the table, and the only way to put a method into it */
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

/** The page of `method` for this visit, and for no other; undefined if it has none. */
export function pageOfVisit(
  methods: Pick<MethodTable, 'of'>,
  visit: AnyVisit,
  method: Method | undefined,
): MethodPage<PaidCheckout | SubscribingCheckout> | undefined {
  const known = methods.of(method)
  return visit.checkout.kind === 'subscription' ? known?.recurring?.page : known?.page
}
