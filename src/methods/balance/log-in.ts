// Login with the e-mail and PIN of a wallet.
import { deny, type Refusal } from '../../kernel/result.ts'
import { isEmailAddress } from '../../kernel/values/web-address.ts'
import type { FilledIn, Locale } from '../../pages/index.ts'
import { customerOf, customerProblems } from '../contact.ts'
import type { PaidCheckout, PostedForm, Started, SubscribingCheckout, Visit } from '../method.ts'
import { balanceTexts } from './i18n.ts'

const pinPattern = /^\d{4,8}$/

export type LogIn =
  | { readonly kind: 'typed'; readonly consumer: { readonly email: string; readonly pin: string } }
  | Extract<Started, { kind: 'wrong_fields' }>

export async function readLogIn(
  visit: Visit<PaidCheckout | SubscribingCheckout>,
  form: PostedForm,
): Promise<LogIn> {
  const problems = { ...customerProblems(visit.checkout, form), ...problemsOf(form) }
  if (Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems, filledIn: filledInOf(form) }
  await visit.keepCustomer(customerOf(form))
  return { kind: 'typed', consumer: { email: (form.email ?? '').trim(), pin: (form.pin ?? '').trim() } }
}

export function logInRefused(refusal: Refusal, locale: Locale, form: PostedForm): Started {
  const { kind } = refusal
  if (kind === 'service_unavailable') deny(refusal)
  return refusedWith(kind === 'pin_retries_exhausted' ? 'locked' : 'wrongPin', locale, form)
}

export function refusedWith(
  why: 'locked' | 'wrongPin' | 'notEnough',
  locale: Locale,
  form: PostedForm,
): Started {
  const notice = { kind: 'message', ...balanceTexts[locale][why] } as const
  return { kind: 'refused', notice, filledIn: filledInOf(form) }
}

function filledInOf({ fullname, email, phone }: PostedForm): FilledIn {
  return { fullname, email, phone }
}

function problemsOf({ email = '', pin = '' }: PostedForm) {
  const typedEmail = email.trim()
  const typedPin = pin.trim()
  return {
    ...(typedEmail === '' ? ({ email: 'missing' } as const) : {}),
    ...(typedEmail !== '' && !isEmailAddress(typedEmail) ? ({ email: 'invalid' } as const) : {}),
    ...(typedPin === '' ? ({ pin: 'missing' } as const) : {}),
    ...(typedPin !== '' && !pinPattern.test(typedPin) ? ({ pin: 'invalid' } as const) : {}),
  }
}
