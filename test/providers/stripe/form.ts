// Form-encoded bodies as Stripe reads them: `a[b][]=1` is a list in an object.

export type Form = { readonly [name: string]: string | Form | readonly (string | Form)[] | undefined }

export function parseForm(body: string): Form {
  const root: Record<string, unknown> = {}
  for (const [path, value] of new URLSearchParams(body)) {
    const names = path.replaceAll(']', '').split('[')
    let at = root
    for (const name of names.slice(0, -1)) {
      at[name] ??= {}
      at = at[name] as Record<string, unknown>
    }
    const last = names.at(-1) as string
    at[last === '' ? String(Object.keys(at).length) : last] = value
  }
  return listsOf(root) as Form
}

/** Names 0, 1, 2… make a list. */
function listsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, listsOf(one)] as const)
  const isList = entries.length > 0 && entries.every(([name], n) => name === String(n))
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

export function textAt(form: Form, ...path: readonly string[]): string | undefined {
  let at: unknown = form
  for (const name of path) at = (at as Form | undefined)?.[name]
  return typeof at === 'string' ? at : undefined
}

export function wholeAt(form: Form, name: string): number | undefined {
  const text = textAt(form, name)
  return text === undefined ? undefined : Number(text)
}
