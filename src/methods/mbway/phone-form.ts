// The phone number form, for payments and subscriptions.
import { isUuid } from '../../kernel/random.ts'
import { RefusalError } from '../../kernel/result.ts'
import { parsePhone } from '../../kernel/values/phones.ts'
import {
  type FieldProblem,
  type FilledIn,
  field,
  fieldId,
  html,
  type Locale,
  type MethodPanel,
  type Notice,
  nameField,
  type PageField,
  type PanelContext,
  submitButton,
  texts,
} from '../../pages/index.ts'
import { customerProblems } from '../contact.ts'
import type { PaidCheckout, PostedForm, Started, SubscribingCheckout, Visit } from '../method.ts'
import type { MbwayDeps } from './deps.ts'
import { mbwayTexts } from './i18n.ts'
import { registered } from './mandates/changes/create.ts'

export type PhoneForm =
  | {
      readonly kind: 'read'
      readonly filledIn: FilledIn
      readonly pageToken: string
      readonly phone: string
    }
  | Extract<Started, { kind: 'too_late' | 'wrong_fields' | 'refused' }>

export async function readPhoneForm(
  { mobileWallet }: Pick<MbwayDeps, 'mobileWallet'>,
  visit: Visit<PaidCheckout | SubscribingCheckout>,
  form: PostedForm,
): Promise<PhoneForm> {
  const pageToken = form.attempt
  if (pageToken === undefined || !isUuid(pageToken)) return { kind: 'too_late' }
  const filledIn = { phone: form.phone, fullname: form.fullname, email: form.email }
  const phone = phoneOf(form.phone)
  const problems = { ...otherProblems(visit, form), ...phone.problem }
  if (phone.number === undefined || Object.keys(problems).length > 0)
    return { kind: 'wrong_fields', problems, filledIn }
  const known = await registered(mobileWallet, phone.number, 'phone')
  if (known.ok) return { kind: 'read', filledIn, pageToken: pageToken.toLowerCase(), phone: phone.number }
  return known.refusal.kind === 'invalid_parameter'
    ? { kind: 'wrong_fields', problems: { phone: 'unregistered' }, filledIn }
    : { kind: 'refused', notice: noticeOf(visit.locale, 'failed'), filledIn }
}

function phoneOf(typed: string | undefined): {
  readonly number?: string
  readonly problem?: { readonly phone: FieldProblem }
} {
  const text = (typed ?? '').trim()
  if (text === '') return { problem: { phone: 'missing' } }
  const asWritten = parsePhone(text, 'phone')
  // The page shows +351 in front of the field, so a number may lack it.
  const parsed = asWritten.ok ? asWritten : parsePhone(`+351${text}`, 'phone')
  return parsed.ok ? { number: parsed.value } : { problem: { phone: 'invalid' } }
}

function otherProblems(
  { checkout }: Visit<PaidCheckout | SubscribingCheckout>,
  { fullname, email }: PostedForm,
): Partial<Record<PageField, FieldProblem>> {
  const { phone: _paying, ...problems } = customerProblems(checkout, { fullname, email })
  return problems
}

export type PhoneOutcome = 'refused' | 'expired' | 'insufficient' | 'failed' | 'tooOften' | 'withdrawn'

export async function unlessAskedTooOften(
  locale: Locale,
  filledIn: FilledIn,
  start: () => Promise<Started>,
): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal.kind !== 'too_many_requests') throw error
    const { retrySeconds } = error.refusal
    return { kind: 'refused', notice: noticeOf(locale, 'tooOften'), filledIn, retrySeconds }
  }
}

export function noticeOf(locale: Locale, outcome: PhoneOutcome): Notice {
  return { kind: 'message', calm: outcome === 'withdrawn', ...mbwayTexts[locale][outcome] }
}

export function spaced(phone: string): string {
  return phone.replace(/^(\+351)(\d{3})(\d{3})(\d{3})$/, '$1\u00a0$2\u00a0$3\u00a0$4')
}

const idPrefix = 'mbway'
const phoneLengthMax = 24

export const mbwayPanel: MethodPanel = { render: phoneForm, fieldId: (name) => fieldId(idPrefix, name) }

export function phoneForm(context: PanelContext): string {
  const { page, chosen: showErrors } = context
  const { locale, filledIn, requiredFields } = page
  const words = texts[locale]
  const own = mbwayTexts[locale]
  const common = { page, idPrefix, showErrors }
  const emailField = () =>
    field({
      ...common,
      name: 'email',
      autocomplete: 'email',
      inputMode: 'email',
      value: filledIn.email,
      maxLength: 100,
    })
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${words.submitting}">
<p class="explained">${own.explained}</p>
<input type="hidden" name="attempt" value="${page.attemptToken}">
!${field({
    ...common,
    name: 'phone',
    label: own.phone,
    hint: own.phoneHint,
    autocomplete: 'tel-national',
    inputMode: 'tel',
    value: nationalPart(filledIn.phone),
    placeholder: '912 345 678',
    maxLength: phoneLengthMax,
    adornment: html`<span class="dial-code" aria-hidden="true">+351</span>`,
  })}
!${nameField(context, idPrefix)}
!${requiredFields.email === true ? emailField() : ''}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

function nationalPart(phone: string | undefined): string | undefined {
  const digits = phone?.replace(/[\s().-]/g, '').replace(/^(\+|00)351/, '')
  return digits !== undefined && /^\d{9}$/.test(digits)
    ? digits.replace(/(\d{3})(\d{3})(\d{3})/, '$1 $2 $3')
    : phone
}
