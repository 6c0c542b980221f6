// Settings of a merchant as typed by an operator.
import { type Cents, readTypedEuros } from '../../kernel/money.ts'
import { deny } from '../../kernel/result.ts'
import { defaultFeeSchedule, type FeeMethod, type FeeSchedule, feeMethods } from '../../methods/list.ts'
import { parseFeeRate, type SettingsChanges } from '../../wallets/index.ts'
import type { MerchantChange } from '../contract/operator/merchants.ts'

const basisPointsOfWhole = 10_000

/** Reads the given settings. The wallets module checks texts. Throws invalid_parameter naming the field. */
export function settingsOf(body: MerchantChange): SettingsChanges {
  const settings = {
    name: body.name,
    email: body.email,
    phone: body.phone,
    iban: body.iban,
    rights: body.rights,
    methods: body.methods,
    subscriptionMethods: body.subscription_methods,
    fees: body.fees && feesOf(body.fees),
    splitFeeFixed: named(body.split_fee_fixed, (text) => centsOf('split_fee_fixed', text)),
    splitFeeVariableBp: named(body.split_fee_variable, basisPointsOf),
    paymentLimit: limitOf('payment_limit', body.payment_limit),
    dayLimit: limitOf('day_limit', body.day_limit),
    payoutDayLimit: limitOf('payout_day_limit', body.payout_day_limit),
    bankChargesPassedOn: body.bank_charges_passed_on,
    mbRefunds: body.mb_refunds,
    callbackUrl: body.callback_url,
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as SettingsChanges
}

/** An empty price restores the default. */
function feesOf(typed: Readonly<Record<string, string>>): Partial<FeeSchedule> {
  const fees: Partial<Record<FeeMethod, FeeSchedule[FeeMethod]>> = {}
  for (const [name, text] of Object.entries(typed)) {
    const method =
      feeMethods.find((known) => known === name) ??
      deny('invalid_parameter', `fees may name ${feeMethods.join(', ')}; not ${JSON.stringify(name)}`)
    const rate = text.trim() === '' ? undefined : parseFeeRate(text)
    if (rate?.ok === false) deny('invalid_parameter', `fees.${method}: ${rate.refusal.reason}`)
    fees[method] = rate?.ok ? rate.value : defaultFeeSchedule[method]
  }
  return fees
}

function named<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : read(text.trim())
}

/** An empty limit removes the limit. */
function limitOf(field: string, text: string | null | undefined): Cents | null | undefined {
  if (text === undefined) return undefined
  return text === null || text.trim() === '' ? null : centsOf(field, text.trim())
}

/** Reads euros with at most 2 decimals. Throws invalid_parameter naming the field. */
export function centsOf(field: string, text: string): Cents {
  const reason = `${field} must be euros with at most 2 decimals, such as 0.30`
  return readTypedEuros(text) ?? deny('invalid_parameter', reason)
}

function basisPointsOf(text: string): number {
  const [, whole, decimals = ''] = /^([01])(?:\.(\d{1,4}))?$/.exec(text) ?? []
  const points = Number(`${whole}${decimals.padEnd(4, '0')}`)
  if (whole === undefined || points > basisPointsOfWhole)
    deny('invalid_parameter', 'split_fee_variable must be from 0 to 1, with at most 4 decimals')
  return points
}
