// What the driver keeps: references to publish, files either way, payments that were reported.
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
  /** Whether any file has named it to the network. */
  published: column.boolean(),
  /** Whether the next file has to name it, as it is now. */
  pending: column.boolean(),
})

export const multibancoFiles = table('multibanco_files', {
  connectionId: column.bigint(),
  kind: column.text<'AEPS' | 'MEPS'>(),
  fileId: column.text(),
  name: column.text(),
  /** Of a file of ours as it is written; of the network's its digest. */
  content: column.text(),
  lines: column.integer(),
  total: column.cents(),
  /** What the network keeps for the payments, in cents. */
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
