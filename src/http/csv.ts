// Lines of CSV (RFC 4180), safe to be opened in a spreadsheet: no cell of a stranger becomes a formula.

/**
 * What makes a spreadsheet take a text for a formula, at its start and behind each sign at which one of some language
 * divides a line again; a tab or a line break before it is skipped by some.
 */
const formulaStart = /(^|[;\t\r\n])(?=\s*[=+\-@])/g

/** A line with its end. Texts get an apostrophe where they would be a formula; numbers are to be passed as numbers or {@link csvNumber}. */
export function csvLine(cells: readonly (string | number | undefined | CsvNumber)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** A number in its own digits, which may begin with a minus. */
export interface CsvNumber {
  readonly digits: string
}

/** A cell of digits, such as an amount. */
export function csvNumber(digits: string): CsvNumber {
  return { digits }
}

function cellOf(cell: string | number | undefined | CsvNumber): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.digits
  const safe = cell.replace(formulaStart, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
