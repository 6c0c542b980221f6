// Shared parts of the button and badge pages.
import { html } from 'ghtml'
import type { BrandPageWords } from './messages.ts'

export const brandHead = '<link rel="stylesheet" href="/sandbox/assets/brand.css">'

export interface Sample {
  readonly caption: string
  /** Trusted HTML, shown on white. */
  readonly onLight: string
  /** Trusted HTML, shown on black. */
  readonly onDark: string
  /** HTML that the merchant copies, as text. */
  readonly snippet: string
}

export function sampleOf(sample: Sample, words: BrandPageWords): string {
  return html`
    <figure class="sample">
      <figcaption>${sample.caption}</figcaption>
      <div class="grounds">
        <div class="ground light" role="group" aria-label="${sample.caption}, ${words.onLight}">!${sample.onLight}</div>
        <div class="ground dark" role="group" aria-label="${sample.caption}, ${words.onDark}">!${sample.onDark}</div>
      </div>
      <pre class="snippet"><code>${sample.snippet}</code></pre>
    </figure>`
}

export function samplesOf(title: string, samples: readonly string[], help = ''): string {
  return html`
    <h2>${title}</h2>
    <p class="muted">${help}</p>
    <div class="samples">!${samples}</div>`
}
