// List of open references at the ATM.
import { html } from 'ghtml'
import { type Cents, decimalText } from '../../src/kernel/money.ts'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { referenceWords } from './messages.ts'
import type { KnownReference } from './store.ts'

export const openListedMax = 20

export interface OpenReference extends KnownReference {
  readonly beneficiary: string | undefined
}

export interface OpenList {
  readonly lang: Language
  readonly path: string
  readonly references: readonly OpenReference[]
  readonly find: string
}

/** Shows nothing if there is no open reference and nobody searches. */
export function openListOf({ lang, path, references, find }: OpenList): string {
  const words = referenceWords[lang].open
  if (references.length === 0 && find === '') return ''
  const entities = [...new Set(references.map(({ entity }) => entity))]
  return html`
    <section aria-labelledby="open">
      <h2 id="open">${words.title}</h2>
      <form method="get" action="${path}" role="search">
        <input type="hidden" name="lang" value="${lang}">
        <label for="find">${words.find}</label>
        <div class="row">
          <div class="grow"><input id="find" name="find" value="${find}" inputmode="decimal" autocomplete="off" maxlength="20"></div>
          <button class="quiet" type="submit">${words.search}</button>
        </div>
      </form>
      !${references.length === 0 ? html`<p class="note">${words.nothing}</p>` : ''}
      !${entities.map((entity) => entityList(entity, { lang, path, references, find }))}
      !${references.length < openListedMax ? '' : html`<p class="help">${words.more(openListedMax)}</p>`}
    </section>`
}

function entityList(entity: string, { lang, path, references }: OpenList): string {
  const items = references
    .filter((reference) => reference.entity === entity)
    .map((reference) => html`<li>!${itemOf(reference, path, lang)}</li>`)
  return html`<h3>${referenceWords[lang].entity} ${entity}</h3><ul class="cards">!${items}</ul>`
}

/** If the amount is fixed, the link leads to the confirmation. Otherwise the payer types the amount. */
function itemOf(
  { entity, ref, amountMin, amountMax, beneficiary }: OpenReference,
  path: string,
  lang: Language,
): string {
  const words = referenceWords[lang].open
  const name = html`<strong class="number">${ref.replace(/\d{3}(?=\d)/g, '$& ')}</strong> ${beneficiary ?? ''}`
  if (amountMin !== amountMax) {
    const query = new URLSearchParams({ lang, entity, ref })
    const between = words.between(shown(amountMin, lang), shown(amountMax, lang))
    return html`<a class="card-link" href="${path}?${query}">!${name} <span class="muted">${between}</span></a>`
  }
  return html`
    <form method="post" action="${path}?lang=${lang}">
      <input type="hidden" name="entity" value="${entity}">
      <input type="hidden" name="ref" value="${ref}">
      <input type="hidden" name="amount" value="${decimalText(amountMin)}">
      <button class="card-link" type="submit">!${name} <span class="number">${shown(amountMin, lang)}</span></button>
    </form>`
}

function shown(amount: Cents, lang: Language): string {
  return amountInWords({ amount, currency: 'EUR' }, lang)
}
