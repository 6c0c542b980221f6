// Rules of cards: valid numbers, dates and codes, and the parts to show.
import creditCardType from 'credit-card-type'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import type { Instant } from '../../kernel/time.ts'
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import { holdsCardNumber, isCardNumber } from '../../kernel/values/card-numbers.ts'
import { withoutMarks } from '../../kernel/values/pasted.ts'
import type { CardDetails, CardExpiry } from './model.ts'

export interface TypedCard {
  readonly number?: string | undefined
  readonly name?: string | undefined
  readonly expiry?: string | undefined
  readonly vcode?: string | undefined
}

export type CardField = 'number' | 'name' | 'expiry' | 'vcode'
export type CardProblem = 'missing' | 'invalid' | 'expired'

export type ReadCard =
  | { readonly ok: true; readonly card: CardDetails }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<CardField, CardProblem>>> }

const nameLengthMax = 100
const validYearsMax = 20

/** Spaces and dashes are allowed. Each field is checked alone. */
export function readCard(typed: TypedCard, now: Instant): ReadCard {
  const number = withoutMarks(typed.number ?? '').replace(/[\s-]/g, '')
  const name = (typed.name ?? '').trim()
  const vcode = withoutMarks(typed.vcode ?? '').trim()
  const expiry = parseExpiry(typed.expiry ?? '')
  const problems: Partial<Record<CardField, CardProblem>> = {}
  if (number === '') problems.number = 'missing'
  else if (!isCardNumber(number)) problems.number = 'invalid'
  if (name === '') problems.name = 'missing'
  else if (name.length > nameLengthMax || mayHoldNumber(name)) problems.name = 'invalid'
  if ((typed.expiry ?? '').trim() === '') problems.expiry = 'missing'
  else if (expiry === undefined) problems.expiry = 'invalid'
  else if (isExpired(expiry, now)) problems.expiry = 'expired'
  if (vcode === '') problems.vcode = 'missing'
  else if (!isSecurityCode(vcode, number)) problems.vcode = 'invalid'
  if (expiry === undefined || Object.keys(problems).length > 0) return { ok: false, problems }
  return { ok: true, card: { number, name, expiry, vcode } }
}

function isSecurityCode(vcode: string, number: string): boolean {
  const [brand] = creditCardType(number)
  const length = brand?.code.size ?? 3
  return /^\d+$/.test(vcode) && vcode.length === length
}

/** No name has thirteen digits. A card number in this field would be stored unencrypted and shown. */
function mayHoldNumber(name: string): boolean {
  return holdsCardNumber(name) || /\d{13}/.test(name.replace(/[\s().-]/g, ''))
}

const monthFirst = /^(?<month>\d{1,2})\s*[/.-]?\s*(?<year>\d{4}|\d{2})$/
/** Browsers and password managers fill in dates such as `2030-12`, `2030/12` or `203012`. */
const yearFirst = /^(?<year>20\d{2})(?:\s*[/.-]\s*(?=\d)|(?=\d{2}$))(?<month>\d{1,2})$/

export function parseExpiry(text: string): CardExpiry | undefined {
  const written = withoutMarks(text).trim()
  const { groups } = yearFirst.exec(written) ?? monthFirst.exec(written) ?? {}
  if (groups === undefined) return undefined
  const month = Number(groups.month)
  const year = Number(groups.year)
  if (month < 1 || month > 12) return undefined
  return { month, year: year < 100 ? 2000 + year : year }
}

/** A year too far in the future counts as expired too. The month ends in Portuguese time. */
function isExpired({ month, year }: CardExpiry, now: Instant): boolean {
  const today = lisbonDayOf(now)
  const thisYear = Number(today.slice(0, 4))
  const thisMonth = Number(today.slice(5, 7))
  if (year > thisYear + validYearsMax) return true
  return year < thisYear || (year === thisYear && month < thisMonth)
}

const brandNames: Readonly<Record<string, string>> = { 'american-express': 'amex', 'diners-club': 'diners' }

export function brandOf(number: string): string {
  const type = creditCardType(number)[0]?.type ?? 'card'
  return brandNames[type] ?? type
}

/** Only these digits of a card number may be shown (PCI DSS 3.4.1). */
export function summaryOf(card: Pick<CardDetails, 'number' | 'expiry'>): CardSummary {
  return {
    last4: card.number.slice(-4),
    bin: card.number.slice(0, 6),
    type: brandOf(card.number),
    valdate: `${String(card.expiry.month).padStart(2, '0')}/${card.expiry.year}`,
  }
}
