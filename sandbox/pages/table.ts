// A table that scrolls by itself where it is wider than the screen.
import { html } from 'ghtml'

export interface Table {
  /** What it lists, for readers who cannot see it. */
  readonly name: string
  /** One per column, in order; numbers stand right. */
  readonly heads: readonly (string | { readonly text: string; readonly right: true })[]
  /** Trusted HTML of the rows. */
  readonly rows: readonly string[]
}

export function tableOf({ name, heads, rows }: Table): string {
  const cells = heads.map((head) =>
    typeof head === 'string'
      ? html`<th scope="col">${head}</th>`
      : html`<th scope="col" class="right">${head.text}</th>`,
  )
  return html`
    <div class="scroller" tabindex="0" role="region" aria-label="${name}">
      <table>
        <thead><tr>!${cells}</tr></thead>
        <tbody>!${rows}</tbody>
      </table>
    </div>`
}
