// Shared parts of the phone's pages.
import { html } from 'ghtml'
import type { Day } from '../../../src/kernel/lisbon.ts'
import { type Cents, decimalText } from '../../../src/kernel/money.ts'
import type { Language } from '../../issuer/messages.ts'
import type { PhoneWords } from './messages.ts'

export const languageTags = { pt: 'pt-PT', en: 'en-IE' } as const

/** An amount such as `12,34 €` or `€12.34`. */
export function euros(amount: Cents, lang: Language): string {
  const text = decimalText(amount) as `${number}`
  return new Intl.NumberFormat(languageTags[lang], { style: 'currency', currency: 'EUR' }).format(text)
}

export function dayInWords(day: Day, lang: Language): string {
  return new Intl.DateTimeFormat(languageTags[lang], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )
}

/** A number such as `+351 912 345 678`. */
export function spaced(phone: string): string {
  return phone.replace(/^(\+351)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')
}

export function termsFields(key: string, text: PhoneWords, limit: string, day: Day, today: Day): string {
  return html`
    <div class="app-pair">
      <div>
        <label for="limit-${key}">${text.limit}</label>
        <input id="limit-${key}" name="amount_limit" value="${limit}" inputmode="decimal" autocomplete="off" required>
      </div>
      <div>
        <label for="day-${key}">${text.lastDay}</label>
        <input id="day-${key}" name="expiry_date" type="date" value="${day}" min="${today}" required>
      </div>
    </div>`
}

/** An amount as a customer types it, such as `250,00` or `250.00`. */
export function typedAmount(amount: Cents, lang: Language): string {
  return lang === 'pt' ? decimalText(amount).replace('.', ',') : decimalText(amount)
}
