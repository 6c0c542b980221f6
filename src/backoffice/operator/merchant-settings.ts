// Settings of a merchant as typed by an operator.
import { type Cents, readTypedEuros } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { defaultFeeSchedule, type FeeMethod, type FeeSchedule, feeMethods } from '../../methods/list.ts'
import { parseFeeRate, type SettingsChanges } from '../../wallets/index.ts'
import type { MerchantChange } from '../contract/operator/merchants.ts'

const basisPointsOfWhole = 10_000

/** Only the given settings; the wallets module checks the texts. Refusals: invalid_parameter naming the field. */
export function settingsOf(body: MerchantChange): Result<SettingsChanges> {
  const fees = feesOf(body.fees ?? {})
  if (!fees.ok) return fees
  const fixed = whenNamed(body.split_fee_fixed, (text) => centsOf('split_fee_fixed', text))
  if (!fixed.ok) return fixed
  const variable = whenNamed(body.split_fee_variable, basisPointsOf)
  if (!variable.ok) return variable
  const limits = limitsOf(body)
  if (!limits.ok) return limits
  const settings = {
    ...limits.value,
    name: body.name,
    email: body.email,
    phone: body.phone,
    iban: body.iban,
    rights: body.rights,
    methods: body.methods,
    subscriptionMethods: body.subscription_methods,
    fees: body.fees === undefined ? undefined : fees.value,
    splitFeeFixed: fixed.value,
    splitFeeVariableBp: variable.value,
    bankChargesPassedOn: body.bank_charges_passed_on,
    callbackUrl: body.callback_url,
  }
  const named = Object.entries(settings).filter(([, value]) => value !== undefined)
  return ok(Object.fromEntries(named) as SettingsChanges)
}

/** An empty price means the default. */
function feesOf(typed: Readonly<Record<string, string>>): Result<Partial<FeeSchedule>> {
  const fees: Partial<Record<FeeMethod, FeeSchedule[FeeMethod]>> = {}
  for (const [name, text] of Object.entries(typed)) {
    const method = feeMethods.find((known) => known === name)
    if (method === undefined)
      return refuse(
        'invalid_parameter',
        `fees may name ${feeMethods.join(', ')}; not ${JSON.stringify(name)}`,
      )
    const rate = text.trim() === '' ? ok(defaultFeeSchedule[method]) : parseFeeRate(text)
    if (!rate.ok) return refuse('invalid_parameter', `fees.${method}: ${rate.refusal.reason}`)
    fees[method] = rate.value
  }
  return ok(fees)
}

function whenNamed<Value>(
  text: string | undefined,
  read: (text: string) => Result<Value>,
): Result<Value | undefined> {
  return text === undefined ? ok(undefined) : read(text.trim())
}

/** An empty limit means no limit. */
function limitsOf(
  body: MerchantChange,
): Result<Pick<SettingsChanges, 'paymentLimit' | 'dayLimit' | 'payoutDayLimit'>> {
  const read: Record<string, Cents | null> = {}
  const fields = { payment_limit: 'paymentLimit', day_limit: 'dayLimit', payout_day_limit: 'payoutDayLimit' }
  for (const [field, setting] of Object.entries(fields)) {
    const text = body[field as keyof typeof fields]
    if (text === undefined) continue
    const limit = text === null || text.trim() === '' ? ok(null) : centsOf(field, text.trim())
    if (!limit.ok) return limit
    read[setting] = limit.value
  }
  return ok(read)
}

/** Reads euros with at most 2 decimals. Refusals: invalid_parameter naming the field. */
export function centsOf(field: string, text: string): Result<Cents> {
  const amount = readTypedEuros(text)
  return amount === undefined
    ? refuse('invalid_parameter', `${field} must be euros with at most 2 decimals, such as 0.30`)
    : ok(amount)
}

function basisPointsOf(text: string): Result<number> {
  const [, whole, decimals = ''] = /^([01])(?:\.(\d{1,4}))?$/.exec(text) ?? []
  const points = Number(`${whole}${decimals.padEnd(4, '0')}`)
  return whole === undefined || points > basisPointsOfWhole
    ? refuse('invalid_parameter', 'split_fee_variable must be from 0 to 1, with at most 4 decimals')
    : ok(points)
}
