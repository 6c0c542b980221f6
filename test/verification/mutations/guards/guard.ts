// What keeps the books right when two things happen at once, or when one happens twice: a text in a source, and who notices without it.

/** A lock, a condition, a key or a bound. */
export interface Guard {
  /** The text that is taken away; any white space stands for any other. */
  readonly text: string
  /** What stands in its place, where taking it away would leave nothing that runs. */
  readonly instead?: string
  /** Which one it is, where the file has several of the same text: 1 is the first. */
  readonly place?: number
  /** Why nothing can notice, where it is kept all the same. */
  readonly unnoticed?: string
}

/** The guards of one file, and the test files that are run without each of them. */
export interface GuardsOfFile {
  readonly file: string
  readonly tests: readonly string[]
  readonly guards: readonly (string | Guard)[]
}

export function guardOf(entry: string | Guard): Guard {
  return typeof entry === 'string' ? { text: entry } : entry
}

/** `source` without the guard; undefined where it is not in it, or in more places than one and none is named. */
export function withoutGuard(source: string, { text, instead = '', place }: Guard): string | undefined {
  const words = text.trim().split(/\s+/).map(RegExp.escape)
  const found = [...source.matchAll(new RegExp(words.join('\\s+'), 'g'))]
  if (place === undefined && found.length !== 1) return undefined
  const guard = found[(place ?? 1) - 1]
  if (guard === undefined) return undefined
  return source.slice(0, guard.index) + instead + source.slice(guard.index + guard[0].length)
}
