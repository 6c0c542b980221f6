// A payment in lists and exports.
import { amountOnWire, type CsvSeparator, csvLines, csvNumber, dateOnWire } from '../../http/index.ts'
import { decimalText } from '../../kernel/money.ts'
import type { FoundOperation } from '../../operations/index.ts'
import type { ListedPayment } from '../contract/payments.ts'

export function listedPayment(operation: FoundOperation): ListedPayment {
  const { id, type, status, method, channel, currency, extInvoiceId, error } = operation
  const { store, client, extEmail, phone } = operation
  return present({
    ...{ id, type, status, method, channel, currency, error },
    date: dateOnWire(operation.createdAt),
    amount: amountOnWire(operation.amount),
    refunded: amountOnWire(operation.refunded),
    store: store === undefined ? undefined : Number(store),
    customer: client?.name ?? client?.email ?? extEmail ?? client?.phone ?? phone,
    by: meansOf(operation),
    invoice: extInvoiceId,
  })
}

function meansOf({ card, mb, phone }: FoundOperation): string | undefined {
  if (card !== undefined) return `${card.type} ···· ${card.last4}`
  return mb === undefined ? phone : `${mb.entity} ${mb.ref}`
}

type Present<Value> = { [Name in keyof Value]: Exclude<Value[Name], undefined> }

function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as Present<Value>
}

type CsvCell = Parameters<ReturnType<typeof csvLines>>[0][number]

const csvColumns: readonly (readonly [name: string, cellOf: (operation: FoundOperation) => CsvCell])[] = [
  ['id', ({ id }) => id],
  ['date', ({ createdAt }) => dateOnWire(createdAt)],
  ['type', ({ type }) => type],
  ['status', ({ status }) => status],
  ['method', ({ method }) => method],
  ['channel', ({ channel }) => channel],
  ['amount', ({ amount }) => csvNumber(decimalText(amount))],
  ['fee', ({ fee }) => csvNumber(decimalText(fee))],
  ['refunded', ({ refunded }) => csvNumber(decimalText(refunded))],
  ['currency', ({ currency }) => currency],
  ['store', ({ store }) => (store === undefined ? undefined : Number(store))],
  ['customer_name', ({ client }) => client?.name],
  ['customer_email', ({ client }) => client?.email],
  ['customer_phone', ({ client, phone }) => client?.phone ?? phone],
  ['card_brand', ({ card }) => card?.type],
  ['card_last4', ({ card }) => card?.last4],
  ['mb_entity', ({ mb }) => mb?.entity],
  ['mb_ref', ({ mb }) => mb?.ref],
  ['ext_invoiceid', ({ extInvoiceId }) => extInvoiceId],
  ['ext_customerid', ({ extCustomerId }) => extCustomerId],
  ['ext_email', ({ extEmail }) => extEmail],
  ['parent', ({ parentId }) => parentId],
  ['error', ({ error }) => error],
]

/** Reads the next page only after the one before was sent. */
export async function* csvOf(
  pages: (after: string | undefined) => Promise<{
    readonly operations: readonly FoundOperation[]
    readonly next: string | undefined
  }>,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  const csvLine = csvLines(separator)
  // Spreadsheets recognize UTF-8 by the byte order mark.
  yield `\u{feff}${csvLine(csvColumns.map(([name]) => name))}`
  let after: string | undefined
  do {
    const { operations, next } = await pages(after)
    const lines = operations.map((operation) => csvLine(csvColumns.map(([, cellOf]) => cellOf(operation))))
    if (lines.length > 0) yield lines.join('')
    after = next
  } while (after !== undefined)
}
