// How a field inside a body is named to people: `payment.items[0].qt`.

/** Longer than any known path; an unknown key may be as long as a body. */
const pathLengthMax = 120
/** An unknown key may be a card number, which no answer repeats. */
const manyDigits = /\d(?:\D?\d){11,}/g

/** The path of a member (text) or an element (number) of what lies at `path`. */
export function pathTo(path: string, place: string | number): string {
  if (typeof place === 'number') return `${path}[${place}]`
  const shown = place.replace(manyDigits, '…')
  const key = /^[\w-]+$/.test(shown) ? shown : JSON.stringify(shown)
  const longer = path === '' ? key : `${path}.${key}`
  return longer.length > pathLengthMax ? `${longer.slice(0, pathLengthMax)}…` : longer
}

/** The path that a JSON pointer (`/payment/items/0/qt`) leads along through `value`. */
export function pathOfPointer(pointer: string, value: unknown): string {
  let path = ''
  let here = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path = pathTo(path, Array.isArray(here) ? Number(key) : key)
    here = (here as Record<string, unknown> | undefined)?.[key]
  }
  return path
}
