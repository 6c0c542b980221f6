// Fields and request of a new reference.

import { amountOf } from '../../../i18n/amount.ts'
import { endOfLisbonDay, withLisbonOffset } from '../../../i18n/lisbon.ts'
import type { Mistakes } from '../../../kit/use-form.ts'

export const referenceKinds = ['fixed', 'time_limited', 'instant', 'recurring'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

export interface ReferenceForm {
  readonly kind: ReferenceKind
  readonly amount: string
  readonly least: string
  readonly most: string
  /** Last day, `yyyy-mm-dd`. */
  readonly day: string
  /** Start in Lisbon time, `yyyy-mm-ddThh:mm`. Empty means now. */
  readonly starts: string
  readonly ends: string
  readonly invoice: string
  readonly email: string
}

export const newReference = (kind: ReferenceKind): ReferenceForm => ({
  kind,
  ...{ amount: '', least: '', most: '', day: '', starts: '', ends: '', invoice: '', email: '' },
})

type ReferenceMistake = 'amount' | 'bounds' | 'day' | 'lastDay' | 'ends' | 'starts' | 'email'

export interface Clock {
  /** The earliest day on which a time-limited reference may end. */
  readonly firstDay: string
  readonly today: string
  /** `yyyy-mm-ddThh:mm`. */
  readonly now: string
}

const emailPattern = /^[^\s@<>"]+@[^\s@<>"]+$/

export function mistakesOf(form: ReferenceForm, clock: Clock): Mistakes<ReferenceForm, ReferenceMistake> {
  const { kind, day, starts, ends, email } = form
  const [least, most] = [amountOf(form.least), amountOf(form.most)]
  const isRecurring = kind === 'recurring'
  const isInstant = kind === 'instant'
  const checks: readonly [keyof ReferenceForm, ReferenceMistake, boolean][] = [
    ['amount', 'amount', !isRecurring && amountOf(form.amount) === undefined],
    ['least', 'amount', isRecurring && least === undefined],
    ['most', 'bounds', isRecurring && (most === undefined || most < (least ?? 0))],
    ['day', 'day', kind === 'time_limited' && day < clock.firstDay],
    ['day', 'lastDay', isRecurring && day !== '' && day <= clock.today],
    ['ends', 'ends', isInstant && ends <= clock.now],
    ['starts', 'starts', isInstant && starts !== '' && (starts <= clock.now || starts >= ends)],
    ['email', 'email', email.trim() !== '' && !emailPattern.test(email.trim())],
  ]
  return Object.fromEntries(checks.filter(([, , isWrong]) => isWrong).map(([field, kind]) => [field, kind]))
}

export function requestOf(form: ReferenceForm): { readonly path: string; readonly body: object } {
  const ids = {
    ...(form.invoice.trim() !== '' && { ext_invoiceid: form.invoice.trim() }),
    ...(form.email.trim() !== '' && { ext_email: form.email.trim() }),
  }
  if (form.kind !== 'recurring') {
    const asked = { amount: amountOf(form.amount), currency: 'EUR' }
    return { path: '/mb/pay', body: { ...asked, ...timesOf(form), ...ids } }
  }
  const bounds = { min_amount: amountOf(form.least), max_amount: amountOf(form.most), currency: 'EUR' }
  const end = form.day === '' ? {} : { expires: endOfLisbonDay(form.day) }
  return { path: '/mb/reference', body: { ...bounds, op_type: 'PAYMENT', ...end, ...ids } }
}

function timesOf({ kind, day, starts, ends }: ReferenceForm): object {
  if (kind === 'time_limited') return { expires: endOfLisbonDay(day) }
  if (kind !== 'instant') return {}
  const expires = withLisbonOffset(`${ends}:00`)
  return { instant: true, expires, ...(starts !== '' && { starts: withLisbonOffset(`${starts}:00`) }) }
}
