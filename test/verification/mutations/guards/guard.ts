// Parts of SQL that protect against races and repetitions, with the tests that fail without them.

export interface Guard {
  readonly text: string
  readonly instead?: string
  readonly place?: number
  /** The reason why no test notices its removal, and why it stays. */
  readonly unnoticed?: string
}

export interface GuardsOfFile {
  readonly file: string
  readonly tests: readonly string[]
  readonly guards: readonly (string | Guard)[]
}

export function guardOf(entry: string | Guard): Guard {
  return typeof entry === 'string' ? { text: entry } : entry
}

export function withoutGuard(source: string, { text, instead = '', place }: Guard): string | undefined {
  const words = text.trim().split(/\s+/).map(RegExp.escape)
  const found = [...source.matchAll(new RegExp(words.join('\\s+'), 'g'))]
  if (place === undefined && found.length !== 1) return undefined
  const guard = found[(place ?? 1) - 1]
  if (guard === undefined) return undefined
  return source.slice(0, guard.index) + instead + source.slice(guard.index + guard[0].length)
}
