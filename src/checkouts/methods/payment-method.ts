// The payment methods of the hosted page other than cards: one interface, implemented once for each method.
import type { Method, PageMethod } from '../../methods/list.ts'
import type {
  CheckoutFrame,
  FieldProblem,
  FilledIn,
  Locale,
  MethodPanelFacts,
  Notice,
  PageField,
  WaitingPage,
} from '../../pages/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Checkout, PaidCheckout, SubscribingCheckout } from '../model.ts'

/** Methods with a {@link PaymentMethod}; cards have routes of their own, because they lead to an issuer and back. */
export type NonCardMethod = Exclude<PageMethod, 'CC'>

/** What a method is given of the customer's visit. */
export interface Visit<Visited extends Checkout = PaidCheckout> {
  readonly checkout: Visited
  readonly wallet: Wallet
  readonly locale: Locale
  /** Of the browser, as far as it is known. */
  readonly ip: string | undefined
  readonly userAgent?: string | undefined
}

/** Whether the visit is to something that is paid or reserved, and not to a subscription alone. */
export function isPaid<Known extends Visit<Checkout>>(visit: Known): visit is Known & Visit {
  return visit.checkout.kind !== 'subscription'
}

/** The fields of a posted form. Every field is untrusted. */
export type PostedForm = Readonly<Record<string, string | undefined>>

export type Started =
  /** There is an attempt; the page shows its state. */
  | { readonly kind: 'started' }
  /** The customer is redirected to another host, which {@link PaymentMethod.formTargets} names. */
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

/** What a customer who chose this method can do, while the operation is not final. */
export type MethodState =
  /** Choose and pay; `notice` says what became of the last attempt. */
  | { readonly kind: 'open'; readonly notice?: Notice | undefined }
  /** Wait: a rail decides. */
  | ({
      readonly kind: 'waiting'
      /** Whether the customer may withdraw the request and choose again. */
      readonly withdrawable?: boolean | undefined
      /** Whether the customer has to go to a page of the rail's, or of their bank. */
      readonly leadsToBank?: boolean | undefined
    } & Pick<WaitingPage, 'message' | 'secondsLeft' | 'phone'>)
  /** Do something elsewhere, shown until it is done; they may choose another method meanwhile. */
  | { readonly kind: 'shown'; render(frame: CheckoutFrame): string }

export interface PaymentMethod {
  /** Absolute URLs that its form may lead to. */
  formTargets?(visit: Visit): readonly string[]
  /** What its panel shows, in the customer's language. */
  panel?(visit: Visit): MethodPanelFacts
  /** Starts an attempt with what its panel posted; a form posted twice (a double click) starts one. */
  start(visit: Visit, form: PostedForm): Promise<Started>
  state(visit: Visit): Promise<MethodState>
  /** Withdraws the request that the customer waits for; one that is approved at the same moment is paid. */
  withdraw?(visit: Visit): Promise<void>
}

/** A method with which a subscription is accepted and nothing is paid, and which can be charged later. */
export interface SubscriptionMethod {
  start(visit: Visit<SubscribingCheckout>, form: PostedForm): Promise<Started>
  state(visit: Visit<SubscribingCheckout>): Promise<MethodState>
  withdraw?(visit: Visit<SubscribingCheckout>): Promise<void>
}

export type SubscriptionMethods = Readonly<Partial<Record<NonCardMethod, SubscriptionMethod>>>

/** One for every method but cards; a forgotten one does not compile. */
export type PaymentMethods = Readonly<Record<NonCardMethod, PaymentMethod>>

/** The implementation of a method; undefined for cards, and for methods that no page offers. */
export function paymentMethodOf(
  paymentMethods: PaymentMethods,
  method: Method | undefined,
): PaymentMethod | undefined {
  return (paymentMethods as Readonly<Partial<Record<Method, PaymentMethod>>>)[method ?? 'CC']
}

/** The state by the visit's method, for either kind of checkout; undefined where the method has no implementation. */
export async function methodStateOf(
  {
    paymentMethods,
    subscriptionMethods,
  }: { readonly paymentMethods: PaymentMethods; readonly subscriptionMethods: SubscriptionMethods },
  visit: Visit<Checkout>,
  method: Method | undefined,
): Promise<MethodState | undefined> {
  if (isPaid(visit)) return paymentMethodOf(paymentMethods, method)?.state(visit)
  return subscriptionMethodOf(subscriptionMethods, method)?.state(visit as Visit<SubscribingCheckout>)
}

/** Starts an attempt with `method`; `too_late` where the visit's checkout does not offer it. */
export async function startWith(
  {
    paymentMethods,
    subscriptionMethods,
  }: { readonly paymentMethods: PaymentMethods; readonly subscriptionMethods: SubscriptionMethods },
  visit: Visit<Checkout>,
  method: Method,
  form: PostedForm,
): Promise<Started> {
  const started = isPaid(visit)
    ? paymentMethodOf(paymentMethods, method)?.start(visit, form)
    : subscriptionMethodOf(subscriptionMethods, method)?.start(visit as Visit<SubscribingCheckout>, form)
  return (await started) ?? { kind: 'too_late' }
}

/** Withdraws the request that the customer waits for, where `method` can. */
export async function withdrawWith(
  {
    paymentMethods,
    subscriptionMethods,
  }: { readonly paymentMethods: PaymentMethods; readonly subscriptionMethods: SubscriptionMethods },
  visit: Visit<Checkout>,
  method: Method | undefined,
): Promise<void> {
  if (isPaid(visit)) await paymentMethodOf(paymentMethods, method)?.withdraw?.(visit)
  else
    await subscriptionMethodOf(subscriptionMethods, method)?.withdraw?.(visit as Visit<SubscribingCheckout>)
}

function subscriptionMethodOf(
  paymentMethods: SubscriptionMethods,
  method: Method | undefined,
): SubscriptionMethod | undefined {
  return (paymentMethods as Readonly<Partial<Record<Method, SubscriptionMethod>>>)[method ?? 'CC']
}
