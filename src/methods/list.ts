// The list of payment methods.
import { balance } from './balance/facts.ts'
import { bankTransfer } from './bank-transfer/facts.ts'
import { cards } from './cards/facts.ts'
import type { FeeRate, MethodFacts } from './facts.ts'
import { mbway } from './mbway/facts.ts'
import { multibanco } from './multibanco/facts.ts'
import { paypal } from './paypal/facts.ts'
import { sepaDebit } from './sepa-debit/facts.ts'

/** All methods, in the order of a wallet's methods (SPEC, method codes). */
const listed = [cards, multibanco, mbway, paypal, balance, sepaDebit, bankTransfer] as const

type Facts = (typeof listed)[number]

export type Method = Facts['code']
export type PageMethod = Extract<Facts, { readonly page: object }>['code']
export type RecurringMethod = Exclude<Facts, { readonly recurring: false }>['code']
export type FeeMethod = { [Each in Facts as Each['code']]: keyof Each['fees'] }[Method]

export type FeeSchedule = Readonly<Record<FeeMethod, FeeRate>>

const byCode: Readonly<Record<string, MethodFacts>> = Object.fromEntries(
  listed.map((facts) => [facts.code, facts]),
)

export function factsOf(method: Method): MethodFacts {
  return byCode[method] as MethodFacts
}

export function pageOf(method: PageMethod): NonNullable<MethodFacts['page']> {
  return factsOf(method).page as NonNullable<MethodFacts['page']>
}

export function defaultPaymentMethodOf(method: RecurringMethod): string {
  return factsOf(method).defaultPaymentMethod as string
}

function methodsThat<Code extends Method = Method>(holds: (facts: MethodFacts) => boolean): readonly Code[] {
  return listed.filter(holds).map(({ code }) => code as Code)
}

export const methods = methodsThat(() => true)

export const exampleMethod: Method = cards.code

export const recurringMethods = methodsThat<RecurringMethod>(({ recurring }) => recurring !== false)

export const storedCardMethods = methodsThat(({ byStoredCard }) => byStoredCard === true)

export const phoneMethods = methodsThat(({ onPhone }) => onPhone === true)

export const holdingMethods = methodsThat<PageMethod>(({ holds }) => holds)

export const pageMethods = methodsThat<PageMethod>(({ page }) => page !== undefined).toSorted(
  (a, b) => pageOf(a).place - pageOf(b).place,
)

export const methodsDefault = methodsThat(({ byDefault }) => byDefault)

export const subscriptionMethodsDefault = methodsThat(({ recurring }) => recurring === 'by_default')

/** Refundable to a bank account, if the wallet has `mbRefunds`. */
export const accountRefundMethods = methodsThat(({ refundedOver }) => refundedOver !== undefined)

/** The method on whose rail refunds of `method` leave. */
export function refundRailOf(method: Method): Method {
  return (factsOf(method).refundedOver ?? method) as Method
}

export const paidByConsumers = methodsThat(({ payer }) => payer === 'consumer')

export const defaultFeeSchedule: FeeSchedule = Object.assign({}, ...listed.map(({ fees }) => fees))

export const feeMethods = Object.keys(defaultFeeSchedule) as readonly FeeMethod[]

export const instantPrices = Object.fromEntries(
  listed.map((facts: MethodFacts) => [facts.code, facts.instantFee ?? facts.code]),
) as Readonly<Record<Method, FeeMethod>>
