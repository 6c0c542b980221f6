// Mandates of the customer whom the merchant named: the page offers them, and the phone asks nothing.
import { findCustomer } from '../../customers/index.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import {
  contactFields,
  fieldId,
  flag,
  html,
  type MethodPanel,
  nameField,
  type PanelContext,
  submitButton,
  texts,
} from '../../pages/index.ts'
import type { PaidCheckout } from '../method.ts'
import type { MbwayDeps } from './deps.ts'
import { mbwayTexts } from './i18n.ts'
import { usableMandates } from './mandates/allowances-store.ts'
import { mbwayPanel, phoneForm } from './phone-form.ts'

const idPrefix = 'mandate'

export interface OfferedMandate {
  readonly phone: string
  readonly mandateId: string
}

/** The phone whose mandates replace the PIN. A deleted customer, or one without this phone now, has none. */
export async function vouchedPhone(
  { database }: Pick<MbwayDeps, 'database'>,
  { walletId, customerId, mandatePhone }: PaidCheckout,
): Promise<string | undefined> {
  if (customerId === undefined || mandatePhone === undefined) return mandatePhone
  const customer = await findCustomer(database, walletId, customerId)
  return customer?.phone === mandatePhone ? mandatePhone : undefined
}

/** A mandate of the named customer that covers the amount. A subscription gets its own mandate instead. */
export async function offeredMandate(
  deps: Pick<MbwayDeps, 'database' | 'clock'>,
  checkout: PaidCheckout,
): Promise<OfferedMandate | undefined> {
  const { customerId, subscription, walletId, operation } = checkout
  if (customerId === undefined || subscription !== undefined) return undefined
  const phone = await vouchedPhone(deps, checkout)
  if (phone === undefined) return undefined
  const today = lisbonDayOf(deps.clock.now())
  const [mandateId] = await usableMandates(deps.database, walletId, phone, operation.amount, today)
  return mandateId === undefined ? undefined : { phone, mandateId }
}

/** Other people may see the page: it shows only these digits of a phone that nobody typed on it. */
export function lastDigits(phone: string): string {
  return phone.slice(-3)
}

export function mandatePanel(phone: string, isChosen: boolean): MethodPanel {
  return {
    render(context) {
      const { errors } = context.page
      const isOpen = context.chosen && !isChosen && Object.keys(errors).length > 0
      return html`!${mandateForm(isChosen ? context : withoutErrors(context), phone)}
<details class="other-choice" !${flag('open', isOpen)}><summary>${mbwayTexts[context.page.locale].otherPhone}</summary>
!${phoneForm(isChosen ? withoutErrors(context) : context)}
</details>`
    },
    fieldId: (name) => (isChosen ? fieldId(idPrefix, name) : mbwayPanel.fieldId(name)),
  }
}

/** The errors belong to the other form. */
function withoutErrors(context: PanelContext): PanelContext {
  return { ...context, chosen: false }
}

function mandateForm(context: PanelContext, phone: string): string {
  const { page } = context
  const { locale, requiredFields } = page
  const asked = { ...context, page: { ...page, requiredFields: { ...requiredFields, phone: false } } }
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${texts[locale].submitting}">
<p class="explained">${mbwayTexts[locale].mandate(lastDigits(phone))}</p>
<input type="hidden" name="attempt" value="${page.attemptToken}">
<input type="hidden" name="mandate" value="yes">
!${nameField(asked, idPrefix)}
!${contactFields(asked, idPrefix)}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
