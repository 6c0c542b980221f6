// Address fields, for delivery or billing.
import { countryCodes } from '../../kernel/values/countries.ts'
import { checkoutPath, html } from '../html.ts'
import { deliveryWords } from '../i18n/delivery.ts'
import { languageTag } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import type { CheckoutPage, Locale, PageField } from '../model.ts'
import { field, fieldFrame, fieldId } from './field.ts'
import { icons } from './icons.ts'

const streetLengthMax = 255
const cityLengthMax = 100
const postalcodeLengthMax = 20

export interface AddressFields {
  readonly page: CheckoutPage
  readonly idPrefix: string
  readonly kind: 'shipping' | 'billing'
  readonly showErrors?: boolean
  readonly countryDefault: string
}

export function addressFields(options: AddressFields): string {
  const { page, idPrefix, kind, showErrors = true } = options
  const { filledIn } = page
  const shared = { page, idPrefix, showErrors } as const
  return html`!${field({
    ...shared,
    name: 'street',
    autocomplete: `${kind} address-line1`,
    autocapitalize: 'words',
    value: filledIn.street,
    maxLength: streetLengthMax,
  })}
<div class="field-pair postal">!${field({
    ...shared,
    name: 'postalcode',
    autocomplete: `${kind} postal-code`,
    value: filledIn.postalcode,
    placeholder: '1000-001',
    maxLength: postalcodeLengthMax,
    // Optional: some countries have no codes, and without JavaScript the country is not known here.
    optional: true,
  })}!${field({
    ...shared,
    name: 'city',
    autocomplete: `${kind} address-level2`,
    autocapitalize: 'words',
    value: filledIn.city,
    maxLength: cityLengthMax,
  })}</div>
!${countryField(options)}`
}

function countryField({ page, idPrefix, kind, showErrors = true, countryDefault }: AddressFields): string {
  const { locale, filledIn } = page
  const chosen = filledIn.country ?? countryDefault
  const options = countriesIn(locale).map(
    ({ code, name }) => html`<option value="${code}"!${code === chosen ? ' selected' : ''}>${name}</option>`,
  )
  return fieldFrame(
    { page, idPrefix, showErrors, name: 'country' },
    ({ id, describedBy, invalid }) =>
      html`<select id="${id}" name="country" autocomplete="${kind} country" aria-describedby="${describedBy}" !${invalid}>!${options}</select>`,
  )
}

interface Country {
  readonly code: string
  readonly name: string
}

const countryLists = new Map<Locale, readonly Country[]>()

function countriesIn(locale: Locale): readonly Country[] {
  const made = countryLists.get(locale)
  if (made !== undefined) return made
  const { compare } = new Intl.Collator(languageTag(locale))
  const list = countryCodes
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((a, b) => compare(a.name, b.name))
  countryLists.set(locale, list)
  return list
}

const namesIn: Readonly<Record<Locale, Intl.DisplayNames>> = {
  pt: new Intl.DisplayNames(languageTag('pt'), { type: 'region' }),
  en: new Intl.DisplayNames(languageTag('en'), { type: 'region' }),
}

function countryName(code: string, locale: Locale): string {
  return namesIn[locale].of(code) ?? code
}

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
