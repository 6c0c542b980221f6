// Patterns of secrets: forms of keys, card numbers, random text.

export interface Finding {
  readonly kind: string
  readonly text: string
}

const forms: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  'API key': /\bcmp_(?:test|live)_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\b/g,
  'signing secret': /\bwhsec_[0-9A-Za-z+/]{32,}/g,
  'key of Stripe': /\b[sr]k_(?:live|test)_[0-9A-Za-z]{16,}/g,
  'key of AWS': /\bA(?:KIA|SIA)[0-9A-Z]{16}\b/g,
  'token of GitHub': /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_\w{40,})/g,
  'token of npm': /\bnpm_[0-9A-Za-z]{36}\b/g,
  'token of Slack': /\bxox[abposr]-[0-9A-Za-z-]{10,}/g,
  'key of Google': /\bAIza[0-9A-Za-z_-]{35}/g,
  'key of a model': /\bsk-(?:ant|proj|or)-[\w-]{20,}/g,
  'signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  'password in an address': /\b[a-z][a-z+]{2,}:\/\/[^\s/:@'"`$<{]+:[^\s/@'"`$<{]{3,}@[\w.-]+/g,
}

const cardLike = /(?<![\w.+-])(?:\d[ -]?){13,18}\d(?![\w.-])/g
const cardForm =
  /^(?:4(?:\d{12}|\d{15})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|6(?:011|5\d\d)\d{12})$/

const wordLike = /(?<=['"`=:\s])[A-Za-z0-9+/_-]{32,}={0,2}(?=['"`,;\s]|$)/g
/** Bits of entropy per letter. A random base64 text of 32 letters has more, and words and names have less. */
const entropyMin = 4.3

export function findingsIn(line: string): Finding[] {
  const byForm = Object.entries(forms).flatMap(([kind, form]) =>
    [...line.matchAll(form)].map(([text]) => ({ kind, text })),
  )
  const cards = [...line.matchAll(cardLike)]
    .map(([text]) => text.replaceAll(/[ -]/g, ''))
    .filter((number) => cardForm.test(number) && hasCheckDigit(number))
    .map((text) => ({ kind: 'card number', text }))
  const words = [...line.matchAll(wordLike)]
    .map(([text]) => text)
    .filter((text) => isMixed(text) && entropyOf(text) >= entropyMin)
    .filter((text) => !byForm.some((one) => one.text.includes(text)))
    .map((text) => ({ kind: 'random text', text }))
  return [...byForm, ...cards, ...words]
}

function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** A random text of this length has capital letters, small letters and digits. A path rarely has all of them. */
function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text) && !/\/[a-z]+\//.test(text)
}

function entropyOf(text: string): number {
  const counts = Object.values(Object.groupBy([...text], (letter) => letter)).map((some = []) => some.length)
  return counts.reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
