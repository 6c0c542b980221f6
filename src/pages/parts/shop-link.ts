// The way back to the shop for a customer who does not have to wait.
import { html, webUrl } from '../frame/html.ts'
import type { CheckoutFrame } from '../model.ts'
import { texts } from '../texts/texts.ts'

/** Ends nothing: what waits can still be paid. Empty for a customer who came from no shop. */
export function shopLink(
  { urlConfirm, locale }: Pick<CheckoutFrame, 'urlConfirm' | 'locale'>,
  look: 'primary' | 'secondary',
): string {
  if (urlConfirm === undefined) return ''
  return html`<p class="no-print"><a class="${look}" href="${webUrl(urlConfirm)}" rel="noreferrer">${texts[locale].backToShop}</a></p>`
}
