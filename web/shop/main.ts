// The browser part of the demo shop, written as a merchant would write it: the card fields, and the timeline as it happens.
import './shop.css'
import './subscribing.css'
import { find, findAll } from '../checkout/dom.ts'
import { showCardFields } from './card-fields.ts'
import { payOnce } from './pay-once.ts'
import { followTimeline } from './timeline.ts'
import { keepTotal } from './total.ts'

for (const element of findAll('[data-with-script]', HTMLElement)) element.hidden = false

for (const form of findAll('form[data-paying]', HTMLFormElement)) payOnce(form)

const basket = find('[data-shop]', HTMLFormElement)
if (basket !== undefined) {
  keepTotal(basket)
  showCardFields(basket)
}
const timeline = find('[data-timeline]', HTMLElement)
if (timeline !== undefined) followTimeline(timeline)
