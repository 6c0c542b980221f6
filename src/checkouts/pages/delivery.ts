// Where to deliver: the form that asks before any method is offered, and the line that shows it above them.
import { countryCodes } from '../../kernel/values/countries.ts'
import { html } from './frame/html.ts'
import { checkoutPath } from './frame/paths.ts'
import type { CheckoutPage, Locale, PageField } from './model.ts'
import { field, fieldFrame, fieldId } from './parts/field.ts'
import { icons } from './parts/icons.ts'
import { deliveryWords } from './texts/delivery.ts'
import { languageTag } from './texts/format.ts'
import { texts } from './texts/texts.ts'

const idPrefix = 'delivery'
const streetLengthMax = 255
const cityLengthMax = 100
const postalcodeLengthMax = 20
const countryDefault = 'PT'

/** Id of one of its inputs, for the error summary to link to. */
export function deliveryFieldId(name: PageField): string {
  return fieldId(idPrefix, name)
}

/** The form in place of the methods. */
export function deliveryForm(page: CheckoutPage): string {
  const { checkoutId, locale, filledIn } = page
  const words = deliveryWords[locale]
  const shared = { page, idPrefix, showErrors: true } as const
  return html`<section class="method-only" aria-labelledby="delivery-title"><h2 id="delivery-title">${words.title}</h2>
<form method="post" action="${checkoutPath(checkoutId, locale, 'delivery')}" data-checked-form data-busy="${texts[locale].submitting}">
!${field({
    ...shared,
    name: 'street',
    autocomplete: 'shipping address-line1',
    autocapitalize: 'words',
    value: filledIn.street,
    maxLength: streetLengthMax,
  })}
<div class="field-pair postal">!${field({
    ...shared,
    name: 'postalcode',
    autocomplete: 'shipping postal-code',
    value: filledIn.postalcode,
    placeholder: '1000-001',
    maxLength: postalcodeLengthMax,
    // Some countries have none, and without JavaScript the browser cannot know which was chosen.
    optional: true,
  })}!${field({
    ...shared,
    name: 'city',
    autocomplete: 'shipping address-level2',
    autocapitalize: 'words',
    value: filledIn.city,
    maxLength: cityLengthMax,
  })}</div>
!${countryField(page)}
<button type="submit" class="primary" data-submit>${texts[locale].proceed}</button>
<p class="visually-hidden" role="status" data-status></p>
</form></section>`
}

/** Native, so that every phone shows its own list, and typing finds a name. */
function countryField(page: CheckoutPage): string {
  const { locale, filledIn } = page
  const chosen = filledIn.country ?? countryDefault
  const options = countriesIn(locale).map(
    ({ code, name }) => html`<option value="${code}"!${code === chosen ? ' selected' : ''}>${name}</option>`,
  )
  return fieldFrame(
    { page, idPrefix, showErrors: true, name: 'country' },
    ({ id, describedBy, invalid }) =>
      html`<select id="${id}" name="country" autocomplete="shipping country" aria-describedby="${describedBy}" !${invalid}>!${options}</select>`,
  )
}

interface Country {
  readonly code: string
  readonly name: string
}

const countryLists = new Map<Locale, readonly Country[]>()

/** All countries by their names, in the order in which people of the language look for them. */
function countriesIn(locale: Locale): readonly Country[] {
  const made = countryLists.get(locale)
  if (made !== undefined) return made
  const { compare } = new Intl.Collator(languageTag(locale))
  const list = countryCodes
    .map((code) => ({ code, name: nameOf(code, locale) }))
    .sort((a, b) => compare(a.name, b.name))
  countryLists.set(locale, list)
  return list
}

const namesIn: Readonly<Record<Locale, Intl.DisplayNames>> = {
  pt: new Intl.DisplayNames(languageTag('pt'), { type: 'region' }),
  en: new Intl.DisplayNames(languageTag('en'), { type: 'region' }),
}

function nameOf(code: string, locale: Locale): string {
  return namesIn[locale].of(code) ?? code
}

/** Where it goes, with a link to change it. */
export function deliveryLine({ checkoutId, locale, delivery }: CheckoutPage): string {
  if (delivery === undefined) return ''
  const { deliverTo, change } = deliveryWords[locale]
  const { address: street, postalcode, city, country = '' } = delivery
  const place = `${postalcode === undefined ? '' : `${postalcode} `}${city}, ${nameOf(country, locale)}`
  return html`<p class="delivery">!${icons.parcel}<span><span class="quiet">${deliverTo}</span><br> ${street},<br> ${place}</span> <a href="${checkoutPath(checkoutId, locale, 'delivery')}" aria-label="${change.whole}">${change.short}</a></p>`
}
