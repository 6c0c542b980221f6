// Lines of CSV (RFC 4180), safe to be opened in a spreadsheet: no cell of a stranger becomes a formula.
import { Type } from 'typebox'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { oneOfSchema } from './body/fields.ts'

/**
 * What makes a spreadsheet take a text for a formula, at its start and behind each sign at which one of some language
 * divides a line again; a tab or a line break before it is skipped by some.
 */
const formulaStart = /(^|[;\t\r\n])(?=\s*[=+\-@])/g

/** `semicolon` has a decimal comma as well: so spreadsheets in Portuguese and most of Europe read files. */
export const csvSeparators = ['comma', 'semicolon'] as const
export type CsvSeparator = (typeof csvSeparators)[number]

/** The parameter of every route that answers a file; {@link readSeparator} reads it. */
export const csvQuery = {
  separator: Type.Optional(
    oneOfSchema(
      csvSeparators,
      'comma (the default): commas between cells and a point before decimals. semicolon: semicolons between cells and a comma before decimals, as spreadsheets in Portuguese read a file.',
    ),
  ),
}

/** Refusals: invalid_parameter for any other word. */
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

/**
 * What writes a line with its end. Texts get an apostrophe where they would be a formula; numbers are to be passed as
 * numbers or {@link csvNumber}.
 */
export function csvLines(separator: CsvSeparator): (cells: readonly CsvCell[]) => string {
  const sign = separator === 'comma' ? ',' : ';'
  const point = separator === 'comma' ? '.' : ','
  return (cells) => `${cells.map((cell) => cellOf(cell, sign, point)).join(sign)}\r\n`
}

type CsvCell = string | number | undefined | CsvNumber

/** A number in its own digits, which may begin with a minus. */
export interface CsvNumber {
  readonly digits: string
}

/** A cell of digits, such as an amount. */
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
