// AEPS, our file of references: 50 columns.
import { compactDay, digits } from './layout.ts'

const width = 50
const insertOrReplace = '80'
const euro = '978'

export interface AepsHeader {
  readonly source: string
  readonly destination: string
  readonly fileId: string
  readonly previousId: string
  readonly entity: string
}

export interface AepsLine {
  readonly ref: string
  /** Days `yyyy-mm-dd`, both included. Amounts in cents, both included. */
  readonly firstDay: string
  readonly lastDay: string
  readonly amountMin: bigint
  readonly amountMax: bigint
}

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
