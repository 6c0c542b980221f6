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
const numberLengthMax = 40

export interface PanelCard {
  readonly atAcquirer?: boolean | undefined
  readonly kept?: { readonly type: string; readonly last4: string } | undefined
  readonly typed?: { readonly name: string; readonly expiry: string } | undefined
}

export function cardPanel(card: PanelCard): MethodPanel {
  return {
    render: (context) => (card.atAcquirer === true ? onNextPage(context) : cardForm(context, card)),
    fieldId: (name) => fieldId(idPrefix, name),
  }
}

function cardForm(context: PanelContext, { kept, typed }: PanelCard): string {
  const { page, chosen } = context
  const { locale, filledIn } = page
  const words = texts[locale]
  return html`<form method="post" action="${context.path}" data-card-form data-busy="${words.submitting}" !${keptBrand(kept)}>
<input type="hidden" name="attempt" value="${page.attemptToken}">
!${kept === undefined ? '' : html`<input type="hidden" name="kept" value="${kept.last4}">`}
!${numberField(context, kept)}
<div class="field-pair">!${expiryField(context, filledIn.expiry ?? typed?.expiry)}!${codeField(context)}</div>
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

function markOf(type: string): string {
  return Object.hasOwn(brandMarks, type) ? type : 'other'
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

function codeField({ page, chosen }: PanelContext): string {
  return field({
    page,
    idPrefix,
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
