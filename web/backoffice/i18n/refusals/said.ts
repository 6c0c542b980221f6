// Refusals in the language of the page.
import type { Language } from '../language.ts'
import { portugueseOfCode } from './codes.ts'
import { englishOfField } from './english.ts'
import { portugueseOfField } from './fields.ts'
import { rulesOfFields, rulesOfReasons } from './rules.ts'

/** A refusal of the gateway. Its English reason may begin with the name of a field. */
export interface Said {
  readonly code: number
  readonly message: string
}

/** Finds a field such as `payment.amount` or `split[0].merchant_wallet` before the reason. */
const aboutField = /^([A-Za-z_]+(?:\[\d+\])?(?:\.[A-Za-z_]+(?:\[\d+\])?)*)[ :]+(.+)$/s

/**
 * The reason in the language of the page. If it has no Portuguese translation, the page shows the meaning of its code
 * and the English reason. If the code is unknown too, it shows only the reason.
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

function inEnglish(message: string): string {
  const [, path = '', rest = ''] = aboutField.exec(message) ?? []
  const isField = fieldNamed(path) !== undefined || path.startsWith('fees.') || path.includes('_')
  if (isField && /^(?:must|is|was|a fee) /.test(rest)) return englishOfField(path, rest)
  // A reason that begins with the name of a file or field keeps its spelling.
  return /^[a-z]+[ ,]/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message
}

/** For these codes, the reason says more than the meaning of the code. */
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
    // Portuguese writes decimals with a comma.
    return portuguese.replace(/\$(\d)/g, (_, n: string) =>
      (found[Number(n)] ?? '').replace(/^(\d+)\.(\d+)$/, '$1,$2'),
    )
  }
  return undefined
}
