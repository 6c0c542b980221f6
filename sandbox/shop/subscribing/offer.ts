// What the demo shop offers to subscribe to: a box of coffee every month.
import { type Cents, cents } from '../../../src/kernel/money.ts'
import type { Plan } from './model.ts'

/** What the customer allows per month: a box, and what they add to it. */
export const allowance = cents(25_00)
export const boxPrice = cents(14_50)
/** Paid once, together with accepting the subscription. */
export const packPrice = cents(9_90)

export const plans = ['alone', 'with_pack'] as const satisfies readonly Plan[]

/** The plan that a form names; without the pack, where it names none. */
export function planOf(text: string | undefined): Plan {
  return text === 'with_pack' ? 'with_pack' : 'alone'
}

/** What the customer pays with the acceptance, in cents. */
export function paidAtOnce(plan: Plan): Cents {
  return plan === 'with_pack' ? packPrice : cents(0)
}
