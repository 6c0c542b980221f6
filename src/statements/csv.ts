// The statement as a CSV stream, one line for each entry.

import { type CsvSeparator, csvLines, csvNumber } from '../http/index.ts'
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { toTimestamp } from '../kernel/time.ts'
import type { StatementEntry } from './entries-store.ts'

const columns = [
  'date',
  'kind',
  'method',
  'operation_id',
  'ext_invoiceid',
  'notes',
  'amount',
  'fee',
  'amount_net',
  'balance',
] as const

/** Reads one page of entries at a time. The balance starts at `opening`. */
export async function* csvOf(
  opening: Cents,
  pages: AsyncIterable<readonly StatementEntry[]>,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  const csvLine = csvLines(separator)
  // Without this mark Excel expects an older encoding.
  yield `\uFEFF${csvLine(columns)}`
  let balance: bigint = opening
  for await (const page of pages) {
    let lines = ''
    for (const entry of page) {
      const { gross, fee } = entry
      const net = cents(gross - fee)
      balance += net
      const amounts = [gross, cents(-fee), net, cents(balance)].map((amount) =>
        csvNumber(decimalText(amount)),
      )
      const texts = [entry.kind, entry.method, entry.operationId, entry.extInvoiceId, entry.notes]
      lines += csvLine([toTimestamp(entry.createdAt), ...texts, ...amounts])
    }
    yield lines
  }
}
