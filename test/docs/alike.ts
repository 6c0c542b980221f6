// Whether an answer is as the documentation shows it: ids, moments, references and tokens are others each time.

/** Sample values of the documentation, by the values of this run. */
export type Stand = Map<string, string>

/** Parts that differ between runs; all other text must be equal. */
const changing =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[+-]\d{4})?)?|(?<=\/l\/|\/refund\/[0-9a-f-]{36}\/)[\w-]+|(?<!\d)\d{9}(?!\d)|v1,[\w+/=]+/gi

/** Any value, and as a key: other fields too. */
const anything = '…'

/** Paths at which `actual` differs from the sample. Adds pairs of sample and actual values to `stand`. */
export function unlike(shown: unknown, actual: unknown, stand: Stand, path = '$'): string[] {
  if (shown === anything) return []
  if (Array.isArray(shown)) return unlikeList(shown, actual, stand, path)
  if (typeof shown === 'object' && shown !== null) return unlikeObject(shown, actual, stand, path)
  if (typeof shown === 'string' && typeof actual === 'string') return unlikeText(shown, actual, stand, path)
  return Object.is(shown, actual)
    ? []
    : [`${path}: shown ${JSON.stringify(shown)}, is ${JSON.stringify(actual)}`]
}

function unlikeList(shown: readonly unknown[], actual: unknown, stand: Stand, path: string): string[] {
  const isOpen = shown.at(-1) === anything
  const listed = isOpen ? shown.slice(0, -1) : shown
  if (!Array.isArray(actual) || (isOpen ? actual.length < listed.length : actual.length !== listed.length))
    return [`${path}: shown a list of ${listed.length}, is ${JSON.stringify(actual)}`]
  return listed.flatMap((one, index) => unlike(one, actual[index], stand, `${path}[${index}]`))
}

function unlikeObject(shown: object, actual: unknown, stand: Stand, path: string): string[] {
  if (typeof actual !== 'object' || actual === null) return [`${path}: is ${JSON.stringify(actual)}`]
  const { [anything]: rest, ...fields } = shown as Record<string, unknown>
  const missing = rest === undefined ? Object.keys(actual).filter((name) => !(name in fields)) : []
  return [
    ...missing.map((name) => `${path}.${name}: not shown`),
    ...Object.entries(fields).flatMap(([name, value]) =>
      name in actual
        ? unlike(value, (actual as Record<string, unknown>)[name], stand, `${path}.${name}`)
        : [`${path}.${name}: is absent`],
    ),
  ]
}

/** Texts are alike when what is around their changing parts is the same; those parts are noted. */
export function unlikeText(shown: string, actual: string, stand: Stand, path: string): string[] {
  const wanted = known(shown, stand)
  if (wanted === actual) return []
  const [parts, others] = [wanted.match(changing) ?? [], actual.match(changing) ?? []]
  const isAlike =
    parts.length === others.length && wanted.replaceAll(changing, '…') === actual.replaceAll(changing, '…')
  if (!isAlike) return [`${path}: shown ${JSON.stringify(wanted)}, is ${JSON.stringify(actual)}`]
  for (const [index, part] of parts.entries()) {
    const other = others[index] as string
    if (!/^\d{4}-/.test(part)) stand.set(part, other)
  }
  return []
}

/** A text of the documentation with the values of this run. */
export function known(text: string, stand: Stand): string {
  return [...stand].reduce((whole, [shown, actual]) => whole.replaceAll(shown, actual), text)
}
