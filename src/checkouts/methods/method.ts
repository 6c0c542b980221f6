// The ways to pay on the hosted page other than by card: one interface, with one implementation for each method.
import type { Method } from '../../operations/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Checkout, PageMethod, PaidCheckout, SubscribingCheckout } from '../model.ts'
import type {
  CheckoutFrame,
  FieldProblem,
  FilledIn,
  Locale,
  Notice,
  PageField,
  WaitingPage,
} from '../pages/index.ts'

/** Methods with a {@link WayToPay}; cards have routes of their own, for they lead to an issuer and back. */
export type OtherMethod = Exclude<PageMethod, 'CC'>

/** What a way knows of the customer's visit. */
export interface Visit<Visited extends Checkout = PaidCheckout> {
  readonly checkout: Visited
  readonly wallet: Wallet
  readonly locale: Locale
  /** Of the browser, as far as it is known. */
  readonly ip: string | undefined
}

/** Whether the visit is to something that is paid or reserved, and not to a subscription alone. */
export function isPaid<Known extends Visit<Checkout>>(visit: Known): visit is Known & Visit {
  return visit.checkout.kind !== 'subscription'
}

/** The fields of a posted form. Every one is whatever somebody sent. */
export type PostedForm = Readonly<Record<string, string | undefined>>

export type Started =
  /** The attempt stands; the page shows where. */
  | { readonly kind: 'started' }
  /** The customer goes on at another host, which {@link WayToPay.formTargets} named. */
  | { readonly kind: 'away'; readonly url: string }
  | {
      readonly kind: 'wrong_fields'
      readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>>
      readonly filledIn?: FilledIn | undefined
    }
  /** Nothing was begun, and the page says why. */
  | {
      readonly kind: 'refused'
      readonly notice: Notice
      readonly filledIn?: FilledIn | undefined
      /** Where it is refused because it was asked for too often: after how long it is taken again. */
      readonly retrySeconds?: number | undefined
    }
  /** The page is out of date: the checkout is over, or something is being decided. */
  | { readonly kind: 'too_late' }

/** Where a customer stands who chose this way, while the operation is not final. */
export type Standing =
  /** They can choose and pay; `notice` tells what became of the last attempt. */
  | { readonly kind: 'open'; readonly notice?: Notice | undefined }
  /** Somebody else decides. */
  | ({
      readonly kind: 'waiting'
      /** Whether the customer may take back what is asked elsewhere, and choose again. */
      readonly withdrawable?: boolean | undefined
    } & Pick<WaitingPage, 'told' | 'secondsLeft'>)
  /** Something to do elsewhere, shown until it is done; they may choose another method meanwhile. */
  | { readonly kind: 'shown'; render(frame: CheckoutFrame): string }

export interface WayToPay {
  /** Absolute URLs that its form may lead to. */
  formTargets?(visit: Visit): readonly string[]
  /** What its panel has the customer read, in their language. */
  panelText?(visit: Visit): string
  /** Starts an attempt with what its panel posted; a form posted twice (a double click) starts one. */
  start(visit: Visit, form: PostedForm): Promise<Started>
  standing(visit: Visit): Promise<Standing>
  /** Takes back what the customer waits for; who has answered it at the same moment has paid. */
  withdraw?(visit: Visit): Promise<void>
}

/** The same where a subscription is accepted and nothing is paid; for methods that can be charged again. */
export interface WayToSubscribe {
  start(visit: Visit<SubscribingCheckout>, form: PostedForm): Promise<Started>
  standing(visit: Visit<SubscribingCheckout>): Promise<Standing>
  withdraw?(visit: Visit<SubscribingCheckout>): Promise<void>
}

export type WaysToSubscribe = Readonly<Partial<Record<OtherMethod, WayToSubscribe>>>

/** Every other method has its way; a forgotten one does not compile. */
export type WaysToPay = Readonly<Record<OtherMethod, WayToPay>>

/** The way of a method, unless it is a card or not for pages. */
export function wayOf(ways: WaysToPay, method: Method | undefined): WayToPay | undefined {
  return (ways as Readonly<Partial<Record<Method, WayToPay>>>)[method ?? 'CC']
}

/** What the way of the visit's method says, whichever kind of checkout it is; undefined where it has none. */
export async function standingOf(
  { ways, subscribing }: { readonly ways: WaysToPay; readonly subscribing: WaysToSubscribe },
  visit: Visit<Checkout>,
  method: Method | undefined,
): Promise<Standing | undefined> {
  if (isPaid(visit)) return wayOf(ways, method)?.standing(visit)
  return wayToSubscribe(subscribing, method)?.standing(visit as Visit<SubscribingCheckout>)
}

/** Starts an attempt in the way of `method`; a visit that has no such way is out of date. */
export async function startIn(
  { ways, subscribing }: { readonly ways: WaysToPay; readonly subscribing: WaysToSubscribe },
  visit: Visit<Checkout>,
  method: Method,
  form: PostedForm,
): Promise<Started> {
  const started = isPaid(visit)
    ? wayOf(ways, method)?.start(visit, form)
    : wayToSubscribe(subscribing, method)?.start(visit as Visit<SubscribingCheckout>, form)
  return (await started) ?? { kind: 'too_late' }
}

/** Takes back what the customer of the visit waits for, where the way of `method` can. */
export async function withdrawIn(
  { ways, subscribing }: { readonly ways: WaysToPay; readonly subscribing: WaysToSubscribe },
  visit: Visit<Checkout>,
  method: Method | undefined,
): Promise<void> {
  if (isPaid(visit)) await wayOf(ways, method)?.withdraw?.(visit)
  else await wayToSubscribe(subscribing, method)?.withdraw?.(visit as Visit<SubscribingCheckout>)
}

function wayToSubscribe(ways: WaysToSubscribe, method: Method | undefined): WayToSubscribe | undefined {
  return (ways as Readonly<Partial<Record<Method, WayToSubscribe>>>)[method ?? 'CC']
}
