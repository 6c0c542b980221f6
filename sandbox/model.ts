// Tables of the clock, the acquirer and refunds.
import { column, table } from '../src/storage/tables/table.ts'

export const clock = table('sandbox.clock', {
  onlyRow: column.boolean(),
  offsetMs: column.bigint(),
})

/** If a key was cancelled before its request arrived, most columns are null. */
export const authorizations = table('sandbox.authorizations', {
  key: column.uuid(),
  merchantId: column.bigint().optional(),
  amount: column.bigint().optional(),
  currency: column.text().optional(),
  intent: column.text<'sale' | 'hold'>().optional(),
  last4: column.text().optional(),
  decline: column.text().optional(),
  reference: column.text(),
  approvalCode: column.text().optional(),
  decidedAt: column.instant(),
  captured: column.bigint(),
  released: column.bigint(),
  refunded: column.bigint(),
  followUpSilent: column.boolean(),
  followUpDecline: column.text().optional(),
  reversedBy: column.uuid().optional(),
})

export const followUps = table('sandbox.follow_ups', {
  key: column.uuid(),
  original: column.uuid().optional(),
  kind: column.text<'capture' | 'release' | 'refund'>().optional(),
  amount: column.bigint().optional(),
  decline: column.text().optional(),
  reference: column.text(),
  decidedAt: column.instant(),
  reversedBy: column.uuid().optional(),
})

export const refunds = table('sandbox.refunds', {
  key: column.uuid(),
  ofKey: column.uuid(),
  amount: column.bigint(),
  decline: column.text().optional(),
  reference: column.text(),
})
