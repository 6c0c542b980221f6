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

const csvHead = [
  'id',
  'date',
  'type',
  'status',
  'method',
  'channel',
  'amount',
  'fee',
  'refunded',
  'currency',
  'store',
  'customer_name',
  'customer_email',
  'customer_phone',
  'card_brand',
  'card_last4',
  'mb_entity',
  'mb_ref',
  'ext_invoiceid',
  'ext_customerid',
  'ext_email',
  'parent',
  'error',
]

/** Reads the next page when the one before is sent. */
export async function* csvOf(
  pages: (after: string | undefined) => Promise<{
    readonly operations: readonly FoundOperation[]
    readonly next: string | undefined
  }>,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  const csvLine = csvLines(separator)
  // The byte order mark, by which spreadsheets recognize UTF-8.
  yield `\u{feff}${csvLine(csvHead)}`
  let after: string | undefined
  do {
    const { operations, next } = await pages(after)
    if (operations.length > 0) yield operations.map((operation) => csvLine(csvCells(operation))).join('')
    after = next
  } while (after !== undefined)
}

function csvCells(operation: FoundOperation) {
  const { client, card, mb, store } = operation
  return [
    operation.id,
    dateOnWire(operation.createdAt),
    operation.type,
    operation.status,
    operation.method,
    operation.channel,
    csvNumber(decimalText(operation.amount)),
    csvNumber(decimalText(operation.fee)),
    csvNumber(decimalText(operation.refunded)),
    operation.currency,
    store === undefined ? undefined : Number(store),
    client?.name,
    client?.email,
    client?.phone ?? operation.phone,
    card?.type,
    card?.last4,
    mb?.entity,
    mb?.ref,
    operation.extInvoiceId,
    operation.extCustomerId,
    operation.extEmail,
    operation.parentId,
    operation.error,
  ]
}
