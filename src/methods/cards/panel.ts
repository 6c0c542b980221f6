// The panel of CC: number, expiry, security code, name and contact.

import {
  brandMarks,
  brandName,
  codeOnBack,
  codeOnFront,
  contactFields,
  customerFields,
  field,
  fieldId,
  flag,
  html,
  type MethodPanel,
  type PanelContext,
  submitButton,
  texts,
} from '../../pages/index.ts'

import { cardTexts } from './i18n.ts'

const idPrefix = 'cc'
const savedPrefix = 'saved'
const numberLengthMax = 40

export interface PanelCard {
  readonly atAcquirer?: boolean | undefined
  readonly kept?: { readonly type: string; readonly last4: string } | undefined
  readonly typed?: { readonly name: string; readonly expiry: string } | undefined
  readonly saved?: readonly SavedCard[] | undefined
  /** The posted choice of a saved card. */
  readonly chosen?: string | undefined
  readonly mayBeSaved?: boolean | undefined
  readonly isToBeSaved?: boolean | undefined
}

/** Neither number nor token: `choice` is valid on this page only. */
export interface SavedCard {
  readonly choice: string
  readonly brand: string
  readonly last4: string
  readonly valdate: string
}

export function cardPanel(card: PanelCard): MethodPanel {
  return {
    render: (context) => (card.atAcquirer === true ? onNextPage(context) : cardForms(context, card)),
    fieldId: (name) => fieldId(card.chosen === undefined ? idPrefix : savedPrefix, name),
  }
}

function cardForms(context: PanelContext, card: PanelCard): string {
  const { saved = [], chosen, kept } = card
  if (saved.length === 0) return cardForm(context, card)
  const { locale, errors, filledIn } = context.page
  // Works without JavaScript. It is open if the customer has used it.
  const isOpen = chosen === undefined && (kept !== undefined || Object.keys(errors).length > 0)
  const other = chosen === undefined ? context : withoutErrors(context)
  return html`!${savedForm(chosen === undefined ? withoutErrors(context) : context, saved, chosen)}
<details class="other-choice" !${flag('open', isOpen || filledIn.name !== undefined)}><summary>${cardTexts[locale].otherCard}</summary>
!${cardForm(other, card)}
</details>`
}

/** The errors belong to the other form. */
function withoutErrors(context: PanelContext): PanelContext {
  return { ...context, chosen: false }
}

function savedForm(context: PanelContext, saved: readonly SavedCard[], chosen: string | undefined): string {
  const { page, path } = context
  const { locale } = page
  const words = cardTexts[locale]
  const wanted = saved.find(({ choice }) => choice === chosen) ?? saved[0]
  const choices = saved.map((card, index) => {
    const id = `${savedPrefix}-${index}`
    return html`<p class="saved-card" data-brand="${markOf(card.brand)}"><input type="radio" id="${id}" name="saved" value="${card.choice}" !${flag('checked', card === wanted)}><label for="${id}">!${brandMarks[markOf(card.brand)]}<span>${words.savedCard(brandName(card.brand), card.last4)}</span> <span class="quiet">${words.validUntil(card.valdate)}</span></label></p>`
  })
  return html`<form method="post" action="${path}" data-card-form data-busy="${texts[locale].submitting}">
<input type="hidden" name="attempt" value="${page.attemptToken}">
<fieldset class="saved-cards"><legend>${words.savedCards}</legend>!${choices}</fieldset>
!${codeField(context, savedPrefix)}
!${contactFields(context, savedPrefix)}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

function saveChoice({ page }: PanelContext, isTicked: boolean): string {
  const words = cardTexts[page.locale]
  const id = `${idPrefix}-save`
  return html`<div class="save-card">
<p class="save-choice"><input type="checkbox" id="${id}" name="save" value="yes" aria-describedby="${id}-hint" !${flag('checked', isTicked)}><label for="${id}">${words.save}</label></p>
<p class="hint save-hint" id="${id}-hint">${words.saveHint}</p>
</div>`
}

function cardForm(
  context: PanelContext,
  { kept, typed, mayBeSaved, isToBeSaved = false }: PanelCard,
): string {
  const { page, chosen } = context
  const { locale, filledIn } = page
  const words = texts[locale]
  return html`<form method="post" action="${context.path}" data-card-form data-busy="${words.submitting}" !${keptBrand(kept)}>
<input type="hidden" name="attempt" value="${page.attemptToken}">
!${kept === undefined ? '' : html`<input type="hidden" name="kept" value="${kept.last4}">`}
!${numberField(context, kept)}
<div class="field-pair">!${expiryField(context, filledIn.expiry ?? typed?.expiry)}!${codeField(context, idPrefix)}</div>
!${field({
    page,
    idPrefix,
    showErrors: chosen,
    name: 'name',
    autocomplete: 'cc-name',
    value: filledIn.name ?? typed?.name,
    maxLength: 100,
  })}
!${contactFields(context, idPrefix)}
!${mayBeSaved === true ? saveChoice(context, isToBeSaved) : ''}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

function onNextPage(context: PanelContext): string {
  const { page } = context
  const words = texts[page.locale]
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${words.submitting}">
<input type="hidden" name="attempt" value="${page.attemptToken}">
<p>${cardTexts[page.locale].cardFormExplained}</p>
!${customerFields(context, idPrefix)}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

function keptBrand(kept: PanelCard['kept']): string {
  return kept === undefined
    ? ''
    : html`data-brand="${markOf(kept.type)}" data-kept-brand="${markOf(kept.type)}"`
}

function markOf(type: string): keyof typeof brandMarks {
  return Object.hasOwn(brandMarks, type) ? (type as keyof typeof brandMarks) : 'other'
}

/** Shows the last digits of a stored number, which is used if the customer leaves the field empty. */
function numberField({ page, chosen }: PanelContext, kept: PanelCard['kept']): string {
  const { locale } = page
  return field({
    page,
    idPrefix,
    showErrors: chosen,
    name: 'number',
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    placeholder: kept === undefined ? '1234 5678 9012 3456' : `\u2022\u2022\u2022\u2022 ${kept.last4}`,
    hint: kept && cardTexts[locale].keptCard(brandName(kept.type), kept.last4),
    optional: kept !== undefined,
    maxLength: numberLengthMax,
    attributes: flag('data-kept', kept !== undefined),
    adornment: html`<span class="brands" role="img" aria-label="${cardTexts[page.locale].acceptedBrands}" data-brands>!${Object.values(brandMarks)}</span>`,
  })
}

function expiryField({ page, chosen }: PanelContext, value: string | undefined): string {
  return field({
    page,
    idPrefix,
    showErrors: chosen,
    name: 'expiry',
    autocomplete: 'cc-exp',
    inputMode: 'numeric',
    value,
    placeholder: cardTexts[page.locale].expiryPlaceholder,
    maxLength: 9,
    attributes: html`data-month="${new Date(page.now).toISOString().slice(0, 7)}"`,
  })
}

function codeField({ page, chosen }: PanelContext, idPrefixOfForm: string): string {
  return field({
    page,
    idPrefix: idPrefixOfForm,
    showErrors: chosen,
    name: 'vcode',
    autocomplete: 'cc-csc',
    inputMode: 'numeric',
    placeholder: '123',
    maxLength: 4,
    attributes: html`data-hint-amex="${cardTexts[page.locale].vcodeHintAmex}"`,
    adornment: html`<span class="code-place"><span class="on-back">!${codeOnBack}</span><span class="on-front">!${codeOnFront}</span></span>`,
  })
}
