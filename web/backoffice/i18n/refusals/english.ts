// Reasons of the gateway as people read them in English: fields by the names that forms give them, and plain words.

/** What forms call the fields of the API, where that is not the name with spaces. */
const names: Readonly<Record<string, string>> = {
  amount_max: 'Largest amount',
  amount_min: 'Least amount',
  callback_url: 'Callback address',
  card_callback_url: 'Address for stored cards',
  currentPassword: 'Password you have',
  day_limit: 'Payments a day',
  email: 'E-mail',
  ext_customerid: 'Customer',
  ext_email: 'E-mail of the customer',
  ext_invoiceid: 'Invoice number',
  iban: 'IBAN',
  keep: 'Stays on the balance',
  max_amount: 'Largest amount',
  merchant_wallet: 'Public id of the wallet',
  min_amount: 'Least amount',
  minimum: 'At the least',
  newPassword: 'New password',
  payment_limit: 'Largest payment',
  payout_day_limit: 'Payouts a day',
  secure_field_origins: 'Origins of secure form fields',
  split_fee_fixed: 'Fee of a split share, fixed',
  split_fee_percent: 'Fee of a split share, in percent',
  split_fee_variable: 'Fee of a split share, in percent',
  url: 'Address',
}

/** Of a field, whose name stands before them. */
const rules: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^is not (?:yours|that of your account)/, 'this is not yours; try again'],
  [/^is wrong, or its half minute is over/, 'not right, or its half minute is over: write the one shown now'],
  [/^was used: wait for the next one/, 'this one was used already: wait for the next one that the app shows'],
  [/^must be a valid IBAN/, 'this is no IBAN; check its letters and digits'],
  [/^must be an absolute (\S+(?: or \S+)?) /, 'write the whole address, which begins with https://'],
  [/^a fee is written/, 'write it as 1.5%, 0.30 or 1%+0.15'],
  [/^must be euros/, 'write euros, such as 0.30'],
  [/^is required/, 'fill this in'],
]

/** @param path such as `payment.amount` or `fees.CC` */
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

/** @param path of the field; @param rest what is said of it */
export function englishOfField(path: string, rest: string): string {
  const rule = rules.find(([pattern]) => pattern.test(rest))
  const name = nameOf(path)
  return rule === undefined ? `${name} ${rest.replace(/\.$/, '')}.` : `${name}: ${rule[1]}.`
}
