// The tables of the driver: references, files and payments.
import { column, table } from '../../src/storage/tables/table.ts'

export const multibancoReferences = table('multibanco_references', {
  connectionId: column.bigint(),
  ref: column.text(),
  amountMin: column.cents(),
  amountMax: column.cents(),
  /** Days in Portugal, `yyyy-mm-dd`, both included. */
  firstDay: column.text(),
  lastDay: column.text(),
  withdrawn: column.boolean(),
  published: column.boolean(),
  /** Whether the next file must contain the reference. */
  pending: column.boolean(),
})

export const multibancoFiles = table('multibanco_files', {
  connectionId: column.bigint(),
  kind: column.text<'AEPS' | 'MEPS'>(),
  fileId: column.text(),
  name: column.text(),
  content: column.text(),
  lines: column.integer(),
  total: column.cents(),
  fees: column.cents(),
  vat: column.cents(),
  createdAt: column.instant(),
  writtenAt: column.instant().optional(),
})

export const multibancoPayments = table('multibanco_payments', {
  id: column.uuid(),
  connectionId: column.bigint(),
  fileId: column.text(),
  ref: column.text(),
  amount: column.cents(),
  fee: column.cents(),
  paidAt: column.instant(),
  handledAt: column.instant().optional(),
})
