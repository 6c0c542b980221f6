// Pictures of the goods, drawn rather than fetched.
import { html } from 'ghtml'
import type { GoodsRef } from './goods.ts'

const tshirt = html`<path d="M17 8 7 13.5l3.6 8 4.4-2V40h18V19.5l4.4 2 3.6-8L31 8c-1.2 2.9-3.800 4.700-7 4.700S18.200 10.900 17 8Z"/><path d="M20 27c1.3-1.3 2.7-1.3 4 0s2.7 1.3 4 0"/>`
const mug = html`<path d="M10 14h21v20a5 5 0 0 1-5 5H15a5 5 0 0 1-5-5V14Z"/><path d="M31 19h3.5a4.5 4.5 0 0 1 4.5 4.5v2a6.5 6.5 0 0 1-6.5 6.5H31"/><path d="M16 27c1.3-1.3 2.7-1.3 4 0s2.7 1.3 4 0"/><path d="M17 5c-1.5 1.5 1.5 3 0 5M24 5c-1.5 1.5 1.5 3 0 5"/>`

const beans = html`<path d="M9 19h30v18a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3V19Z"/><path d="m9 19 4-9h22l4 9M24 10v9"/><path d="M24 25c-3.500 0-5.500 2-5.500 4.500S20.500 34 24 34s5.500-2 5.500-4.500S27.500 25 24 25Z"/><path d="M27.500 26.300c-3 .5-2.500 5.300-7 6.500"/>`

/** A box of it. */
export const coffee = drawn(beans)
export const pictures: Readonly<Record<GoodsRef, string>> = { tshirt: drawn(tshirt), mug: drawn(mug) }

function drawn(paths: string): string {
  return html`<svg class="picture" viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true" focusable="false">!${paths}</svg>`
}
