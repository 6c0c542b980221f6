// Payment links and their form.

import { amountIn } from '../../i18n/amount.ts'
import { endOfLisbonDay } from '../../i18n/lisbon.ts'
import type { Mistakes } from '../../kit/use-form.ts'

export interface PaymentLink {
  readonly id: string
  readonly url: string
  readonly qr_url: string
  readonly status: 'ACTIVE' | 'USED' | 'EXPIRED' | 'CLOSED'
  readonly description: string
  readonly amount?: number
  readonly amount_min?: number
  readonly amount_max?: number
  readonly currency: string
  readonly uses_max?: number
  readonly uses: number
  readonly amount_paid: number
  readonly date: string
}

export interface LinkForm {
  readonly description: string
  readonly kind: 'fixed' | 'chosen'
  readonly amount: string
  readonly least: string
  readonly most: string
  readonly how: 'once' | 'many' | 'limited'
  readonly limit: string
  /** A day as `yyyy-mm-dd`, or empty. */
  readonly expires: string
  readonly methods: readonly string[]
  readonly invoice: string
  readonly language: '' | 'pt' | 'en'
}

export const newLink = (methods: readonly string[]): LinkForm => ({
  ...{ description: '', kind: 'fixed', amount: '', least: '', most: '', how: 'once', limit: '' },
  ...{ expires: '', methods, invoice: '', language: '' },
})

type LinkMistake = 'description' | 'amount' | 'bounds' | 'limit' | 'expires' | 'methods'

/** @param today `yyyy-mm-dd` in Lisbon */
export function mistakesOf(form: LinkForm, today: string): Mistakes<LinkForm, LinkMistake> {
  const chosen = form.kind === 'chosen'
  const checks: readonly [keyof LinkForm, LinkMistake, boolean][] = [
    ['description', 'description', form.description.trim() === ''],
    ['amount', 'amount', !chosen && !isAmount(form.amount)],
    ['least', 'amount', chosen && !isAmount(form.least)],
    ['most', 'bounds', chosen && !(isAmount(form.most) && euros(form.most) > euros(form.least))],
    ['limit', 'limit', form.how === 'limited' && !isLimit(form.limit)],
    ['expires', 'expires', form.expires !== '' && form.expires < today],
    ['methods', 'methods', form.methods.length === 0],
  ]
  return Object.fromEntries(checks.filter(([, , wrong]) => wrong).map(([field, kind]) => [field, kind]))
}

const euros = (text: string) => amountIn(text) ?? 0

const isAmount = (text: string) => euros(text) >= 0.01 && euros(text) <= 99_999.99

const isLimit = (text: string) =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= 2 && Number(text) <= 100_000

export function bodyOf(form: LinkForm): Record<string, unknown> {
  const text = (typed: string) => euros(typed).toFixed(2)
  return {
    description: form.description.trim(),
    ...(form.kind === 'fixed'
      ? { amount: text(form.amount) }
      : { amount_min: text(form.least), amount_max: text(form.most) }),
    ...(form.how !== 'many' && { uses_max: form.how === 'once' ? 1 : Number(form.limit) }),
    ...(form.expires !== '' && { expires: endOfLisbonDay(form.expires) }),
    methods: form.methods,
    ...(form.invoice.trim() !== '' && { ext_invoiceid: form.invoice.trim() }),
    ...(form.language !== '' && { language: form.language }),
  }
}
