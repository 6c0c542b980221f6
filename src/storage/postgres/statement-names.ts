// Names for statements that are prepared, the same for the same text on every connection.

/** Statement texts are written once per function; this only bounds what list filters can add. */
const preparedStatementsMax = 500

const statementNames = new Map<string, string>()

/** The name under which `text` is prepared; undefined when so many are that this one is planned for each use. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= preparedStatementsMax) return known
  const name = `c${statementNames.size}`
  statementNames.set(text, name)
  return name
}
