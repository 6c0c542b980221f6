// One line of a list of details: its name, and what it is.
import { html } from '../frame/html.ts'

/** For a `<dl>`; both are text. */
export function detailLine(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}
