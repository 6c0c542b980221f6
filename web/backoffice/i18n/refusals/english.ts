// English messages of refused fields.

/** Labels of fields that differ from their API name. */
const names: Readonly<Record<string, string>> = {
  amount_max: 'Maximum amount',
  amount_min: 'Minimum amount',
  callback_url: 'Callback address',
  card_callback_url: 'Address for stored cards',
  currentPassword: 'Current password',
  day_limit: 'Payments a day',
  email: 'E-mail',
  embed_origins: 'Origins of the embedded checkout',
  ext_customerid: 'Customer',
  ext_email: 'E-mail of the customer',
  ext_invoiceid: 'Invoice number',
  iban: 'IBAN',
  keep: 'Amount to keep',
  max_amount: 'Maximum amount',
  merchant_wallet: 'Public id of the wallet',
  min_amount: 'Minimum amount',
  minimum: 'Minimum',
  newPassword: 'New password',
  payment_limit: 'Largest payment',
  payout_day_limit: 'Payouts a day',
  secure_field_origins: 'Origins of secure form fields',
  split_fee_fixed: 'Fee of a split share, fixed',
  split_fee_percent: 'Fee of a split share, in percent',
  split_fee_variable: 'Fee of a split share, in percent',
  url: 'Address',
}

/** Reasons that stand after the name of the field. */
const rules: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^is not (?:yours|that of your account)/, 'wrong value; try again'],
  [/^is wrong, or its half minute is over/, 'wrong or expired; enter the code that the app shows now'],
  [/^was used: wait for the next one/, 'already used; wait for the next code of the app'],
  [/^must be a valid IBAN/, 'not a valid IBAN; check its letters and digits'],
  [/^must be an absolute (\S+(?: or \S+)?) /, 'enter the full address, which begins with https://'],
  [/^a fee is written/, 'enter a fee such as 1.5%, 0.30 or 1%+0.15'],
  [/^must be euros/, 'enter an amount in euros, such as 0.30'],
  [/^is required/, 'fill this in'],
]

/** @param path name of a field, such as `payment.amount` or `fees.CC` */
function nameOf(path: string): string {
  const [, method] = /^fees\.(\w+)$/.exec(path) ?? []
  if (method !== undefined) return `Fee of ${method}`
  const last =
    path
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? path
  const words = names[last] ?? last.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function englishOfField(path: string, rest: string): string {
  const rule = rules.find(([pattern]) => pattern.test(rest))
  const name = nameOf(path)
  return rule === undefined ? `${name} ${rest.replace(/\.$/, '')}.` : `${name}: ${rule[1]}.`
}
