// Tables of the reference network.
import { column, table } from '../../src/storage/tables/table.ts'

export const publishedReferences = table('sandbox.published_references', {
  entity: column.text(),
  ref: column.text(),
  payableOnce: column.boolean(),
  amountMin: column.cents(),
  amountMax: column.cents(),
  starts: column.instant().optional(),
  expires: column.instant().optional(),
  limitsFrom: column.instant(),
  /** The reason why the reference is closed. */
  closed: column.text<'duplicatepayment' | 'deleted'>().optional(),
})

export const referencePayments = table(
  'sandbox.reference_payments',
  {
    id: column.uuid(),
    entity: column.text(),
    ref: column.text(),
    amount: column.cents(),
    paidAt: column.instant(),
  },
  {
    state: column.text<'UNANSWERED' | 'ACCEPTED' | 'REFUSED'>(),
    reason: column.text().optional(),
    operationId: column.uuid().optional(),
    tellings: column.integer(),
    dueAt: column.instant().optional(),
  },
)
