// Appearance options of the secure form fields.
import type { Appearance } from '../messages.ts'

type Property = keyof Appearance

const color = /^(#[\da-f]{3,4}|#[\da-f]{6}|#[\da-f]{8}|(rgb|hsl)a?\([\d\s.,%/deg-]{3,40}\)|[a-z]{3,25})$/i
const size = /^\d{1,2}(\.\d{1,3})?(px|rem|em)$/

interface Rule {
  readonly variable: string
  readonly form: RegExp
  readonly accepts: string
}

const colorRule = (variable: string): Rule => ({ variable, form: color, accepts: 'a colour such as #0b5563' })

const rules: Readonly<Record<Property, Rule>> = {
  colorText: colorRule('--ink'),
  colorMuted: colorRule('--quiet'),
  colorBackground: colorRule('--ground'),
  colorField: colorRule('--field'),
  colorBorder: colorRule('--field-line'),
  colorAccent: colorRule('--accent'),
  colorDanger: colorRule('--bad'),
  // The style sheet uses at least 16 px, because phones zoom in on smaller fields.
  fontSize: { variable: '--size', form: size, accepts: 'a length such as 16px or 1.125rem' },
  radius: { variable: '--radius', form: size, accepts: 'a length such as 8px' },
}

/** Returns the CSS variables to set, and a message for each rejected option. */
export function readAppearance(appearance: unknown): {
  readonly variables: ReadonlyMap<string, string>
  readonly problems: readonly string[]
} {
  const variables = new Map<string, string>()
  const problems: string[] = []
  for (const [name, value] of Object.entries(Object(appearance))) {
    const rule = Object.hasOwn(rules, name) ? rules[name as Property] : undefined
    if (rule === undefined)
      problems.push(`appearance.${name} is unknown. Known options: ${Object.keys(rules).join(', ')}`)
    else if (typeof value !== 'string' || !rule.form.test(value)) {
      problems.push(`appearance.${name} must be ${rule.accepts}`)
    } else variables.set(rule.variable, value)
  }
  return { variables, problems }
}
