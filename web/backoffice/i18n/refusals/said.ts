// What the gateway refused, in the language of the page. Pure.
import type { Language } from '../language.ts'
import { portugueseOfCode } from './codes.ts'
import { englishOfField } from './english.ts'
import { portugueseOfField } from './fields.ts'
import { rulesOfFields, rulesOfReasons } from './rules.ts'

/** What a refusal says: `reason` is in English, and names a field first where it is about one. */
export interface Said {
  readonly code: number
  readonly message: string
}

/** `payment.amount` or `split[0].merchant_wallet`, and what is said of it. */
const aboutField = /^([A-Za-z_]+(?:\[\d+\])?(?:\.[A-Za-z_]+(?:\[\d+\])?)*)[ :]+(.+)$/s

/**
 * The reason in Portuguese where it is known, else what its code means with the reason behind it; in English with the
 * names that forms give to fields. For codes that are not known, the reason as it is.
 */
export function saidIn(language: Language, { code, message }: Said): string {
  if (language === 'en') return inEnglish(message)
  const known = filled(rulesOfReasons, message)
  if (known !== undefined) return known
  const [, path = '', rest = ''] = aboutField.exec(message) ?? []
  const field = fieldNamed(path)
  const rule = field === undefined ? undefined : filled(rulesOfFields, rest)
  if (rule !== undefined) return `${field}: ${rule}.`
  const meant = portugueseOfCode[code]
  if (meant === undefined) return message
  return saysWhat.has(code) && message !== '' ? `${meant} (${message})` : meant
}

/** A reason that begins with a field has its name for people in front; any other is a sentence already. */
function inEnglish(message: string): string {
  const [, path = '', rest = ''] = aboutField.exec(message) ?? []
  const isField = fieldNamed(path) !== undefined || path.startsWith('fees.') || path.includes('_')
  if (isField && /^(?:must|is|was|a fee) /.test(rest)) return englishOfField(path, rest)
  // A name of a file or a field stays as it is written.
  return /^[a-z]+[ ,]/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message
}

/** Those whose reason says more than the code does. */
const saysWhat: ReadonlySet<number> = new Set([10001, 10002, 10013, 20002, 40017, 40018])

function fieldNamed(path: string): string | undefined {
  const name =
    path
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? ''
  return Object.hasOwn(portugueseOfField, name) ? portugueseOfField[name] : undefined
}

function filled(
  rules: readonly (readonly [pattern: RegExp, portuguese: string])[],
  text: string,
): string | undefined {
  for (const [pattern, portuguese] of rules) {
    const found = pattern.exec(text)
    if (found === null) continue
    // Cents stand behind a comma.
    return portuguese.replace(/\$(\d)/g, (_, n: string) =>
      (found[Number(n)] ?? '').replace(/^(\d+)\.(\d+)$/, '$1,$2'),
    )
  }
  return undefined
}
