// What the demo shop sells, and a customer's basket of it. Pure.
import { type Cents, cents } from '../../src/kernel/money.ts'

export const goods = [
  { ref: 'tshirt', price: cents(19_90) },
  { ref: 'mug', price: cents(8_50) },
] as const

export type GoodsRef = (typeof goods)[number]['ref']
export type Basket = Readonly<Record<GoodsRef, number>>

export const firstBasket: Basket = { tshirt: 1, mug: 1 }

/** Of each piece; the dearest basket stays far below the gateway's maximum. */
export const quantityMax = 9

/** The basket that a form holds; what is no quantity counts as none. */
export function basketOf(form: Readonly<Record<string, string | undefined>>): Basket {
  const quantity = (ref: GoodsRef) => {
    const text = form[ref] ?? ''
    return /^\d$/.test(text) ? Number(text) : 0
  }
  return { tshirt: quantity('tshirt'), mug: quantity('mug') }
}

/** What a basket costs, in cents. */
export function totalOf(basket: Basket): Cents {
  return goods.reduce((sum, { ref, price }) => cents(sum + price * BigInt(basket[ref])), cents(0))
}
