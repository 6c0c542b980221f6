// What somebody reads whose answer came from a page that was out of date: what became of it, and of the payment.
import { html } from '../frame/html.ts'
import type { MerchantFrame } from '../model.ts'
import type { LateTexts } from '../texts/shape.ts'
import { texts } from '../texts/texts.ts'
import { icons } from './icons.ts'

/** The note above a page that shows where things stand; empty for everybody else. */
export function lateNote(page: MerchantFrame, textOf: (words: LateTexts) => string): string {
  if (page.late !== true) return ''
  return html`<div class="note" role="status"><span class="note-icon">!${icons.alert}</span><p>${textOf(texts[page.locale].late)}</p></div>`
}
