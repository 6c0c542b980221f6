// A payment method as the hosted page knows it: its form, how it starts, and what the customer sees meanwhile.
import type { Instant } from '../kernel/time.ts'
import type { Client, FollowedAttempts, Operation, RailHandler } from '../operations/index.ts'
import type {
  CheckoutFrame,
  FieldProblem,
  FilledIn,
  Locale,
  MethodPanel,
  MethodPanelFacts,
  Notice,
  PageField,
  WaitingPage,
} from '../pages/index.ts'
import type { Recurring, Subscription } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { ContactWanted } from './contact.ts'
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
  /** Of the browser, as far as it is known. */
  readonly ip: string | undefined
  readonly userAgent?: string | undefined
  /** Adds what the customer typed to what the merchant sent, while nothing is being decided. */
  keepCustomer(client: Client): Promise<void>
  /** Lets the checkout live until `expiresAt` at least; its own timer waits until `dueAt`. */
  extend(expiresAt: Instant, dueAt: Instant): Promise<void>
  /** The absolute address at which the customer comes back to the page of `method`. */
  returnUrl(method: PageMethod): string
}

/** Whether the visit is to something that is paid or reserved, and not to a subscription alone. */
export function isPaid<Known extends Visit<PaidCheckout | SubscribingCheckout>>(
  visit: Known,
): visit is Known & Visit {
  return visit.checkout.kind !== 'subscription'
}

/** The fields of a posted form. Every field is untrusted. */
export type PostedForm = Readonly<Record<string, string | undefined>>

export type Started =
  /** There is an attempt; the page shows its state. */
  | { readonly kind: 'started' }
  /** The customer is redirected to another host, which {@link MethodPage.formTargets} names. */
  | { readonly kind: 'redirect'; readonly url: string }
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

/** A method on the page of a checkout that pays or reserves. */
export interface MethodPage {
  readonly panel: MethodPanel
  /** Absolute URLs that its form may lead to. */
  formTargets?(visit: Visit): readonly string[]
  /** The merchant's own texts in its panel, in the customer's language. */
  panelFacts?(visit: Visit): MethodPanelFacts
  /** Starts an attempt with what its panel posted; a form posted twice (a double click) starts one. */
  start(visit: Visit, form: PostedForm): Promise<Started>
  state(visit: Visit): Promise<MethodState>
  /** Withdraws the request that the customer waits for; one that is approved at the same moment is paid. */
  withdraw?(visit: Visit): Promise<void>
}

/** A method on a page on which a subscription is accepted and nothing is paid. */
export interface SubscribingPage {
  start(visit: Visit<SubscribingCheckout>, form: PostedForm): Promise<Started>
  state(visit: Visit<SubscribingCheckout>): Promise<MethodState>
  withdraw?(visit: Visit<SubscribingCheckout>): Promise<void>
}

/** A payment method, as the rest of the program asks it. */
export interface PaymentMethod {
  readonly code: Method
  readonly page?: MethodPage
  /** Asks its rail, after a customer has chosen the method. */
  readonly rail: RailHandler
  readonly recurring?: Recurring & {
    /** For subscriptions without a payment. */
    readonly page?: SubscribingPage
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

type AnyVisit = Visit<PaidCheckout | SubscribingCheckout>

/** The page of `method` for this visit; undefined if it has none. */
export function pageOfVisit(
  methods: Pick<MethodTable, 'of'>,
  visit: AnyVisit,
  method: Method | undefined,
): Bound | undefined {
  const known = methods.of(method)
  return isPaid(visit)
    ? bound(known?.page, visit)
    : bound(known?.recurring?.page, visit as Visit<SubscribingCheckout>)
}

interface Bound {
  start(form: PostedForm): Promise<Started>
  state(): Promise<MethodState>
  withdraw(): Promise<void>
}

function bound<Visited>(
  page:
    | {
        start(visit: Visited, form: PostedForm): Promise<Started>
        state(visit: Visited): Promise<MethodState>
        withdraw?(visit: Visited): Promise<void>
      }
    | undefined,
  visit: Visited,
): Bound | undefined {
  return (
    page && {
      start: (form) => page.start(visit, form),
      state: () => page.state(visit),
      withdraw: async () => page.withdraw?.(visit),
    }
  )
}
