// AEPS, the file of references that we send: 50 columns, each reference with its days and amounts.
import { compactDay, digits } from './layout.ts'

const width = 50
/** Inserts a reference, or replaces what was said of it. */
const insertOrReplace = '80'
const euro = '978'

export interface AepsHeader {
  /** Of the institutions that send and take the file: 8 digits. */
  readonly source: string
  readonly destination: string
  /** The day and a digit. */
  readonly fileId: string
  /** Of the file before; zeros for the first one. */
  readonly previousId: string
  readonly entity: string
}

export interface AepsLine {
  readonly ref: string
  /** Days `yyyy-mm-dd`, both included. */
  readonly firstDay: string
  readonly lastDay: string
  /** In cents, both included. */
  readonly amountMin: bigint
  readonly amountMax: bigint
}

/** The whole file; every line ends with CR and LF. */
export function renderAeps(header: AepsHeader, references: readonly AepsLine[]): string {
  const lines = [
    `0AEPS${digits(header.source, 8)}${digits(header.destination, 8)}${digits(header.fileId, 9)}` +
      `${digits(header.previousId, 9)}${digits(header.entity, 5)}${euro}`,
    ...references.map(
      ({ ref, firstDay, lastDay, amountMin, amountMax }) =>
        `1${insertOrReplace}${digits(ref, 9)}${compactDay(lastDay)}${digits(amountMax, 10)}` +
        `${compactDay(firstDay)}${digits(amountMin, 10)}`,
    ),
    `9${digits(references.length, 8)}`,
  ]
  return lines.map((line) => `${line.padEnd(width)}\r\n`).join('')
}
