// Inline icons, all decorative.
import { type PageMethod, pageOf } from '../../methods/list.ts'
import { html } from '../html.ts'

function icon(body: string, size = 20): string {
  return html`<svg class="icon" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">!${body}</svg>`
}

export const icons = {
  lock: icon('<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>', 14),
  alert: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5"/><path d="M12 16.5v.01"/>'),
  check: icon('<path d="M5 12.5l4.5 4.5L19 7.5"/>', 40),
  cross: icon('<path d="M7 7l10 10M17 7L7 17"/>', 32),
  hourglass: icon('<path d="M7 4h10M7 20h10M8 4c0 5 8 5 8 8s-8 3-8 8M16 4c0 5-8 5-8 8s8 3 8 8"/>', 32),
  question: icon('<path d="M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4"/><path d="M12 18v.01"/>', 32),
  bank: icon('<path d="M4 9.5L12 5l8 4.5"/><path d="M5 19.5h14M7 10v6.5M12 10v6.5M17 10v6.5"/>', 32),
  parcel: icon('<path d="M4 8.5L12 4l8 4.5v7L12 20l-8-4.5z"/><path d="M4 8.5l8 4.5 8-4.5M12 13v7"/>'),
  chevron: icon('<path d="M7 10l5 5 5-5"/>', 16),
} as const

export function methodIcon(method: PageMethod): string {
  return icon(pageOf(method).icon, 24)
}

/** Drawings of the security code: on the back, or on the front (American Express). */
export const codeOnBack = cardSketch(
  '<rect x="1" y="5" width="30" height="4" fill="currentColor"/><rect class="code-spot" x="19" y="12" width="9" height="6" rx="1.5"/>',
)
export const codeOnFront = cardSketch(
  '<rect x="4" y="12" width="12" height="2" fill="currentColor"/><rect class="code-spot" x="19" y="6" width="9" height="6" rx="1.5"/>',
)

function cardSketch(body: string): string {
  return html`<svg width="32" height="22" viewBox="0 0 32 22" fill="none" aria-hidden="true" focusable="false"><rect x="1" y="1" width="30" height="20" rx="3" stroke="currentColor" stroke-width="1.5"/>!${body}</svg>`
}

/** The last mark is for all other brands. */
export const brandMarks = {
  visa: brandMark('visa', '#1a3a8f', markText('VISA', 11, 'italic')),
  mastercard: brandMark(
    'mastercard',
    '#26262b',
    '<circle cx="14.5" cy="12" r="6.5" fill="#e3412b"/><circle cx="21.5" cy="12" r="6.5" fill="#f5a623"/><path d="M18 6.5a6.5 6.5 0 0 1 0 11a6.5 6.5 0 0 1 0-11z" fill="#f0752a"/>',
  ),
  amex: brandMark('amex', '#1f6fb8', markText('AMEX', 9.5, 'normal')),
  other: brandMark(
    'other',
    '#5b6770',
    '<path d="M18 7v10M13 12h10" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>',
  ),
} as const

function brandMark(brand: string, background: string, body: string): string {
  return html`<svg class="brand" data-brand="${brand}" width="36" height="24" viewBox="0 0 36 24" aria-hidden="true" focusable="false"><rect width="36" height="24" rx="4" fill="${background}"/>!${body}</svg>`
}

function markText(text: string, size: number, style: 'italic' | 'normal'): string {
  return html`<text x="18" y="16" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-weight="700" font-style="${style}" font-size="${size}" fill="#fff">${text}</text>`
}
