// Table with horizontal scrolling.
import { html } from 'ghtml'

export interface Table {
  /** Name for screen readers. */
  readonly name: string
  /** One title per column. A column with numbers is aligned to the right. */
  readonly heads: readonly (string | { readonly text: string; readonly right: true })[]
  /** Trusted HTML. */
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
