// The one list of payment methods, and what follows from their facts.
import { balance } from './balance/facts.ts'
import { bankTransfer } from './bank-transfer/facts.ts'
import { cards } from './cards/facts.ts'
import type { FeeRate, MethodFacts } from './facts.ts'
import { mbway } from './mbway/facts.ts'
import { multibanco } from './multibanco/facts.ts'
import { paypal } from './paypal/facts.ts'
import { sepaDebit } from './sepa-debit/facts.ts'

/** In the order in which a wallet's methods are listed (SPEC, method codes). */
const listed = [cards, multibanco, mbway, paypal, balance, sepaDebit, bankTransfer] as const

type Facts = (typeof listed)[number]

/** The code of a method that a wallet can have. */
export type Method = Facts['code']
/** That of one which customers choose on a hosted page. */
export type PageMethod = Extract<Facts, { readonly page: object }>['code']
/** That of one which can be charged again without the customer. */
export type RecurringMethod = Exclude<Facts, { readonly recurring: false }>['code']
/** The name of a price. */
export type FeeMethod = { [Each in Facts as Each['code']]: keyof Each['fees'] }[Method]

export type FeeSchedule = Readonly<Record<FeeMethod, FeeRate>>

const byCode: Readonly<Record<string, MethodFacts>> = Object.fromEntries(
  listed.map((facts) => [facts.code, facts]),
)

/** The facts of a method that is known. */
export function factsOf(method: Method): MethodFacts {
  return byCode[method] as MethodFacts
}

/** How a method is offered on hosted pages. */
export function pageOf(method: PageMethod): NonNullable<MethodFacts['page']> {
  return factsOf(method).page as NonNullable<MethodFacts['page']>
}

/** How `default_payment_method` of a subscription calls its method. */
export function defaultPaymentMethodOf(method: RecurringMethod): string {
  return factsOf(method).defaultPaymentMethod as string
}

/** The codes of the methods of which `holds` is true, in the order of the list. */
function methodsThat<Code extends Method = Method>(holds: (facts: MethodFacts) => boolean): readonly Code[] {
  return listed.filter(holds).map(({ code }) => code as Code)
}

export const methods = methodsThat(() => true)

/** The method in examples of the API reference. */
export const exampleMethod: Method = cards.code

/** Methods that can be charged again without the customer. */
export const recurringMethods = methodsThat<RecurringMethod>(({ recurring }) => recurring !== false)

/** Those that are charged by a stored card. */
export const storedCardMethods = methodsThat(({ byStoredCard }) => byStoredCard === true)

/** Methods whose customers approve on their phone. */
export const phoneMethods = methodsThat(({ onPhone }) => onPhone === true)

/** Methods on which money can be held. */
export const holdingMethods = methodsThat<PageMethod>(({ holds }) => holds)

/** Methods that a customer may choose on a page, in the order in which they are offered there. */
export const pageMethods = methodsThat<PageMethod>(({ page }) => page !== undefined).toSorted(
  (a, b) => pageOf(a).place - pageOf(b).place,
)

/** Methods of a new merchant, until its operator changes them. */
export const methodsDefault = methodsThat(({ byDefault }) => byDefault)

/** Methods with which customers may accept subscriptions of a new merchant. */
export const subscriptionMethodsDefault = methodsThat(({ recurring }) => recurring === 'by_default')

/** Methods by which consumers pay from their balance here. */
export const paidByConsumers = methodsThat(({ payer }) => payer === 'consumer')

/** The default prices (CONTRACT section 6). */
export const defaultFeeSchedule: FeeSchedule = Object.assign({}, ...listed.map(({ fees }) => fees))

export const feeMethods = Object.keys(defaultFeeSchedule) as readonly FeeMethod[]

/** The price of an instant payment by each method. */
export const instantPrices = Object.fromEntries(
  listed.map((facts: MethodFacts) => [facts.code, facts.instantFee ?? facts.code]),
) as Readonly<Record<Method, FeeMethod>>
