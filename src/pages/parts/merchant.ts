// The merchant on a page: logo, links, way back to the shop.
import { colourPath, logoPath, type Wallet } from '../../wallets/index.ts'
import { html, ownPath, webUrl } from '../html.ts'
import { texts } from '../i18n/index.ts'
import type { LateTexts } from '../i18n/shape.ts'
import type { Brand, CheckoutFrame, Locale, MerchantFrame } from '../model.ts'
import { icons } from './icons.ts'

export function brandOf(wallet: Wallet): Brand {
  const { publicId, logo, brandColour, termsUrl, privacyUrl, supportUrl, supportEmail, supportPhone } = wallet
  return {
    logo: logo === null ? undefined : logoPath(logo, publicId),
    styleSheet: brandColour === null ? undefined : colourPath(brandColour),
    links: { terms: termsUrl, privacy: privacyUrl, support: supportUrl },
    email: supportEmail,
    phone: supportPhone,
  }
}

export function merchantMark({
  merchantName,
  brand,
}: {
  readonly merchantName: string
  readonly brand?: Brand | undefined
}): string {
  if (brand?.logo !== undefined) return html`<img class="logo" src="${ownPath(brand.logo)}" alt="">`
  const [first] = new Intl.Segmenter().segment(merchantName.trim().toUpperCase())
  return html`<span class="monogram" aria-hidden="true">${first?.segment}</span>`
}

const words = {
  pt: {
    label: 'Da loja',
    links: { terms: 'Termos e condições', privacy: 'Privacidade', support: 'Ajuda' },
  },
  en: { label: 'Of the shop', links: { terms: 'Terms', privacy: 'Privacy', support: 'Help' } },
} as const satisfies Record<Locale, object>

const linkNames = ['terms', 'privacy', 'support'] as const

export function merchantLinks({ links, email, phone }: Brand, locale: Locale): string {
  const { label, links: names } = words[locale]
  const items = linkNames.flatMap((name) => {
    const url = links[name]
    return url === null
      ? []
      : [html`<li><a href="${webUrl(url)}" target="_blank" rel="noopener noreferrer">${names[name]}</a></li>`]
  })
  if (email !== null) items.push(html`<li><a href="mailto:${email}">${email}</a></li>`)
  if (phone !== null) items.push(html`<li><a href="tel:${phone}">${phone}</a></li>`)
  return items.length === 0
    ? ''
    : html`<nav class="merchant-links no-print" aria-label="${label}"><ul>!${items}</ul></nav>`
}

export function lateNote(page: MerchantFrame, textOf: (words: LateTexts) => string): string {
  if (page.late !== true) return ''
  return html`<div class="note" role="status"><span class="note-icon">!${icons.alert}</span><p>${textOf(texts[page.locale].late)}</p></div>`
}

/** The link cancels nothing. Empty if the checkout has no shop address. */
export function shopLink(
  { urlConfirm, locale }: Pick<CheckoutFrame, 'urlConfirm' | 'locale'>,
  look: 'primary' | 'secondary',
): string {
  if (urlConfirm === undefined) return ''
  return html`<p class="no-print"><a class="${look}" href="${webUrl(urlConfirm)}" rel="noreferrer">${texts[locale].backToShop}</a></p>`
}
