// The delivery form, and the line with the address.
import { html } from './frame/html.ts'
import { checkoutPath } from './frame/paths.ts'
import { deliveryWords } from './i18n/delivery.ts'
import { texts } from './i18n/index.ts'
import type { CheckoutPage, PageField } from './model.ts'
import { addressFields, countryName } from './parts/address-fields.ts'
import { fieldId } from './parts/field.ts'
import { icons } from './parts/icons.ts'

const idPrefix = 'delivery'
const countryDefault = 'PT'

export function deliveryFieldId(name: PageField): string {
  return fieldId(idPrefix, name)
}

export function deliveryForm(page: CheckoutPage): string {
  const { checkoutId, locale } = page
  const words = deliveryWords[locale]
  return html`<section class="method-only" aria-labelledby="delivery-title"><h2 id="delivery-title">${words.title}</h2>
<form method="post" action="${checkoutPath(checkoutId, locale, 'delivery')}" data-checked-form data-busy="${texts[locale].submitting}">
!${addressFields({ page, idPrefix, kind: 'shipping', countryDefault })}
<button type="submit" class="primary" data-submit>${texts[locale].proceed}</button>
<p class="visually-hidden" role="status" data-status></p>
</form></section>`
}

export function deliveryLine({ checkoutId, locale, delivery }: CheckoutPage): string {
  if (delivery === undefined) return ''
  const { deliverTo, change } = deliveryWords[locale]
  const { address: street, postalcode, city, country = '' } = delivery
  const place = `${postalcode === undefined ? '' : `${postalcode} `}${city}, ${countryName(country, locale)}`
  return html`<p class="delivery">!${icons.parcel}<span><span class="quiet">${deliverTo}</span><br> ${street},<br> ${place}</span> <a href="${checkoutPath(checkoutId, locale, 'delivery')}" aria-label="${change.whole}">${change.short}</a></p>`
}
