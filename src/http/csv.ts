// CSV lines (RFC 4180) in which text from other people cannot become a formula.
import { Type } from 'typebox'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { oneOfSchema } from './body/fields.ts'

/** A spreadsheet reads a text as a formula if it begins with `=+-@`, also after a sign that can begin a new cell. */
const formulaStart = /(^|[;\t\r\n])(?=\s*[=+\-@])/g

/** `semicolon` also means a decimal comma, as in spreadsheets of Portugal and most of Europe. */
export const csvSeparators = ['comma', 'semicolon'] as const
export type CsvSeparator = (typeof csvSeparators)[number]

export const csvQuery = {
  separator: Type.Optional(
    oneOfSchema(
      csvSeparators,
      'Separator between cells: `comma` (default) or `semicolon`. `comma` writes decimals with a point. `semicolon` writes them with a comma, for spreadsheets in Portuguese.',
    ),
  ),
}

export function readSeparator({
  separator = 'comma',
}: {
  readonly separator?: string
}): Result<CsvSeparator> {
  const known = csvSeparators.find((word) => word === separator.toLowerCase())
  return known === undefined
    ? refuse('invalid_parameter', `separator must be ${csvSeparators.join(' or ')}`)
    : ok(known)
}

/** A text that looks like a formula gets an apostrophe. Pass numbers as numbers or {@link csvNumber}. */
export function csvLines(separator: CsvSeparator): (cells: readonly CsvCell[]) => string {
  const sign = separator === 'comma' ? ',' : ';'
  const point = separator === 'comma' ? '.' : ','
  return (cells) => `${cells.map((cell) => cellOf(cell, sign, point)).join(sign)}\r\n`
}

type CsvCell = string | number | undefined | CsvNumber

export interface CsvNumber {
  readonly digits: string
}

export function csvNumber(digits: string): CsvNumber {
  return { digits }
}

function cellOf(cell: CsvCell, sign: string, point: string): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.digits.replace('.', point)
  const safe = cell.replace(formulaStart, "$1'")
  return safe.includes(sign) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
