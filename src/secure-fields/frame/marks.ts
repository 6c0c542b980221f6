// Inline icons of the frame.
import { html } from 'ghtml'

/** The security code: on the back, or on the front (American Express). */
export const codeOnBack = cardSketch(
  '<rect x="1" y="5" width="30" height="4" fill="currentColor"/><rect class="code-spot" x="19" y="12" width="9" height="6" rx="1.5"/>',
)
export const codeOnFront = cardSketch(
  '<rect x="4" y="12" width="12" height="2" fill="currentColor"/><rect class="code-spot" x="19" y="6" width="9" height="6" rx="1.5"/>',
)

/** Other brands work and show no mark. */
export const brandMarks = [
  brandMark('visa', '#1a3a8f', markText('VISA', 11, 'italic')),
  brandMark(
    'mastercard',
    '#26262b',
    '<circle cx="14.5" cy="12" r="6.5" fill="#e3412b"/><circle cx="21.5" cy="12" r="6.5" fill="#f5a623"/><path d="M18 6.5a6.5 6.5 0 0 1 0 11a6.5 6.5 0 0 1 0-11z" fill="#f0752a"/>',
  ),
  brandMark('amex', '#1f6fb8', markText('AMEX', 9.5, 'normal')),
]

function cardSketch(body: string): string {
  return html`<svg width="32" height="22" viewBox="0 0 32 22" fill="none" aria-hidden="true" focusable="false"><rect x="1" y="1" width="30" height="20" rx="3" stroke="currentColor" stroke-width="1.5"/>!${body}</svg>`
}

function brandMark(brand: string, background: string, body: string): string {
  return html`<svg class="brand" data-brand="${brand}" width="36" height="24" viewBox="0 0 36 24" aria-hidden="true" focusable="false"><rect width="36" height="24" rx="4" fill="${background}"/>!${body}</svg>`
}

function markText(text: string, size: number, style: 'italic' | 'normal'): string {
  return html`<text x="18" y="16" text-anchor="middle" font-family="Arial, Helvetica, sans-serif" font-weight="700" font-style="${style}" font-size="${size}" fill="#fff">${text}</text>`
}
