// What somebody reads whose answer came from a page that was out of date: what became of it, and of the payment.
import { html } from './html.ts'
import { icons } from './icons.ts'
import type { MerchantFrame } from './model.ts'
import { type LateTexts, texts } from './texts.ts'

/** The note above a page that shows where things stand; empty for everybody else. */
export function lateNote(page: MerchantFrame, told: (words: LateTexts) => string): string {
  if (page.late !== true) return ''
  return html`<div class="note" role="status"><span class="note-icon">!${icons.alert}</span><p>${told(texts[page.locale].late)}</p></div>`
}
