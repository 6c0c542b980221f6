// PayPal's bookings of a day, from the transactions report, with our keys.
import type { StatementLine } from '../../src/connections/index.ts'
import { addDays, type Day, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { cents } from '../../src/kernel/money.ts'
import { type Instant, instant } from '../../src/kernel/time.ts'
import { hundredthsOf, keyIn, type Money, type PaypalDeps } from './model.ts'

const pageSize = 500

class ReportProblem extends Error {
  override readonly name = 'ReportProblem'
  readonly code: 'OTHER_CURRENCY' | 'NOT_YET_REPORTED'

  constructor(code: ReportProblem['code'], detail: string) {
    super(`PayPal’s report: ${detail}`)
    this.code = code
  }
}

interface Report {
  readonly transaction_details?: readonly { readonly transaction_info: Booked }[]
  readonly last_refreshed_datetime?: string
  readonly total_pages?: number
}

interface Booked {
  readonly transaction_id: string
  readonly transaction_event_code?: string
  readonly transaction_status?: string
  readonly transaction_amount: Money
  readonly fee_amount?: Money
  readonly custom_field?: string
  readonly paypal_reference_id?: string
  readonly transaction_initiation_date: string
}

/** @throws if a booking is not in EUR, or if PayPal's report, which comes hours late, does not cover the whole day */
export async function statementOf(
  { paypal, requests }: PaypalDeps,
  day: Day,
): Promise<readonly StatementLine[]> {
  const [from, to] = [startOfLisbonDay(day), startOfLisbonDay(addDays(day, 1))]
  const lines: StatementLine[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = new URLSearchParams({
      start_date: timeOf(from),
      end_date: timeOf(instant(to - 1)),
      fields: 'transaction_info',
      page_size: String(pageSize),
      page: String(page),
    })
    const report = await paypal.call<Report>('GET', `/v1/reporting/transactions?${query}`)
    const { last_refreshed_datetime: refreshed = '', total_pages = 1 } = report
    if (!(Date.parse(refreshed) >= to)) throw new ReportProblem('NOT_YET_REPORTED', `it ends at ${refreshed}`)
    pages = total_pages
    for (const { transaction_info: booked } of report.transaction_details ?? []) {
      const line = lineOf(booked)
      if (line === undefined) continue
      // PayPal shows a capture of a hold with the key of the hold. Our records have the capture's own key.
      const own = await requests.findByProviderId(line.id)
      lines.push(own === undefined ? line : { ...line, key: own.key })
    }
  }
  return lines
}

/** PayPal requires a zone in the time. */
function timeOf(moment: Instant): string {
  return new Date(moment).toISOString()
}

/** The kind of a booking by the groups of PayPal's event codes (documentation, "Transaction event codes"). */
function kindOf(code: string): StatementLine['kind'] {
  if (/^T00/.test(code)) return 'payment'
  if (code === 'T1107') return 'refund'
  if (/^(T1106|T1110|T1111|T12)/.test(code)) return 'dispute'
  if (/^T04/.test(code)) return 'payout'
  return /^T01/.test(code) ? 'fee' : 'other'
}

/** Undefined for a denied or pending booking, which moved no money. */
function lineOf(booked: Booked): StatementLine | undefined {
  const { transaction_id: id, transaction_status: status, transaction_amount: gross, custom_field } = booked
  if (status === 'D' || status === 'P') return undefined
  if (gross.currency_code !== 'EUR')
    throw new ReportProblem('OTHER_CURRENCY', `it has bookings in ${gross.currency_code}`)
  const kind = kindOf(booked.transaction_event_code ?? '')
  const key = keyIn(custom_field)
  return {
    ...{ id, kind, key },
    amount: cents(hundredthsOf(gross) ?? 0n),
    // PayPal writes fees as negative amounts.
    fee: cents(-(hundredthsOf(booked.fee_amount) ?? 0n)),
    ...(key === undefined && { providerId: booked.paypal_reference_id ?? id }),
    bookedAt: instant(Date.parse(booked.transaction_initiation_date)),
  }
}
