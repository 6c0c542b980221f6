// Paying a checkout from a consumer's balance: e-mail and PIN on the page, and the money moves at once.
import type { Balances } from '../balances/index.ts'
import { isEmailAddress } from '../kernel/email-address.ts'
import { customerOf, customerProblems } from './customer-contact.ts'
import type { CheckoutsDeps } from './deps.ts'
import { type FilledIn, type Locale, otherTexts } from './pages/index.ts'
import { addCustomerData } from './store.ts'
import type { PostedForm, Started, WayToPay } from './ways.ts'

const pinPattern = /^\d{4,8}$/

/** The way to pay by WALLET. */
export function balanceWay(
  { database, clock }: Pick<CheckoutsDeps, 'database' | 'clock'>,
  balances: Balances,
): WayToPay {
  return {
    async start({ checkout, locale, ip }, form) {
      const filledIn = { fullname: form.fullname, email: form.email, phone: form.phone }
      const problems = { ...customerProblems(checkout, form), ...logInProblems(form) }
      if (Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems, filledIn }
      await addCustomerData(database, checkout, customerOf(form), ip, clock.now())
      const consumer = { email: (form.email ?? '').trim(), pin: (form.pin ?? '').trim() }
      const paid = await balances.pay(checkout.operation, consumer)
      if (!paid.ok) {
        const why = paid.refusal.kind === 'pin_retries_exhausted' ? 'locked' : 'wrongPin'
        return refused(why, locale, filledIn)
      }
      if (paid.value === 'insufficient_funds') return refused('notEnough', locale, filledIn)
      return { kind: paid.value === 'paid' ? 'started' : 'too_late' }
    },

    // Whoever is here has paid nothing: what is paid is over.
    standing: async () => ({ kind: 'open' }),
  }
}

function logInProblems({ email = '', pin = '' }: PostedForm) {
  const typedEmail = email.trim()
  const typedPin = pin.trim()
  return {
    ...(typedEmail === '' ? ({ email: 'missing' } as const) : {}),
    ...(typedEmail !== '' && !isEmailAddress(typedEmail) ? ({ email: 'invalid' } as const) : {}),
    ...(typedPin === '' ? ({ pin: 'missing' } as const) : {}),
    ...(typedPin !== '' && !pinPattern.test(typedPin) ? ({ pin: 'invalid' } as const) : {}),
  }
}

function refused(why: 'locked' | 'wrongPin' | 'notEnough', locale: Locale, filledIn: FilledIn): Started {
  return { kind: 'refused', notice: { kind: 'told', ...otherTexts[locale].balance[why] }, filledIn }
}
