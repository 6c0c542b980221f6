// What is kept and shown of an error whose text may hold a secret or a card.

/** The kind of an error: its text may quote what was sent. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is not an error'
  const { code } = ((error.cause ?? error) as { code?: unknown }) ?? {}
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : error.name
}
