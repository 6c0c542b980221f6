// The SQL of the network's notices.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../../callbacks/index.ts'
import type { Instant } from '../../../kernel/time.ts'
import {
  type NewOperation,
  openOperationsSql,
  operationColumns,
  operationRow,
} from '../../../operations/index.ts'
import type { ReferencePayment } from '../../../rails/index.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../../storage/index.ts'
import { type BankReference, referenceNotices, type UserError } from '../model.ts'

export type KnownNotice =
  | { readonly kind: 'accepted'; readonly walletId: bigint; readonly operationId: string }
  | { readonly kind: 'refused'; readonly userError: UserError }

const decided = referenceNotices.pick('walletId', 'operationId', 'userError')

const selectNotice = statement<StoredRowOf<typeof decided>>(
  `select ${decided.list()} from bank_reference_notices where payment_id = $1`,
)

export async function findNotice(db: Executor, paymentId: string): Promise<KnownNotice | undefined> {
  const notice = decided.first(await db.run(selectNotice, [paymentId]))
  if (notice === undefined) return undefined
  const { walletId, operationId, userError } = notice
  return operationId === undefined
    ? { kind: 'refused', userError: userError as UserError }
    : { kind: 'accepted', walletId, operationId }
}

export interface AcceptedPayment {
  readonly payment: ReferencePayment
  readonly reference: BankReference
  readonly operation: NewOperation
}

const acceptedSet = rowSet({ ...operationColumns, payment_id: 'uuid', reference_id: 'uuid' })

/** The lock makes a payment and a deletion wait for each other. */
const acceptPayments = statement<{ id: string }>(`
  with input as (${acceptedSet.source}),
  open_references as (
    select bank_references.id
    from bank_references
    join input on bank_references.wallet_id = input.wallet_id and bank_references.id = input.reference_id
    where bank_references.deleted_at is null
    for share of bank_references
  ),
  noticed as (
    insert into bank_reference_notices (payment_id, wallet_id, reference_id, amount, operation_id, decided_at)
    select payment_id, wallet_id, reference_id, amount, id, created_at
    from input
    where reference_id in (select id from open_references)
    on conflict (payment_id) do nothing
    returning operation_id
  ),
  admitted as (select input.* from input where id in (select operation_id from noticed)),
  ${openOperationsSql('admitted')}
  select id from opened_operations`)

export async function insertAcceptedPayments(
  db: Executor,
  rows: readonly AcceptedPayment[],
): Promise<boolean[]> {
  const values = rows.map(({ payment, reference, operation }) => ({
    ...operationRow(operation),
    payment_id: payment.id,
    reference_id: reference.id,
  }))
  const opened = new Set((await db.run(acceptPayments, acceptedSet.parameters(values))).map(({ id }) => id))
  return rows.map(({ operation }) => opened.has(operation.id))
}

export interface RefusedPayment {
  readonly payment: ReferencePayment
  readonly reference: BankReference
  readonly userError: UserError
  readonly event: NewEvent
  readonly decidedAt: Instant
}

const refusals = referenceNotices.omit('operationId')
const refusedSet = rowSet({ ...refusals.types, ...eventColumns })

const refusePayments = statement<{ payment_id: string }>(`
  with input as (${refusedSet.source}),
  noticed as (
    insert into bank_reference_notices (${refusals.list()})
    select ${refusals.list()} from input
    on conflict (payment_id) do nothing
    returning payment_id
  ),
  recorded as (select input.* from input where payment_id in (select payment_id from noticed)),
  ${recordEventsSql('recorded')}
  select payment_id from noticed`)

export async function insertRefusedPayments(
  db: Executor,
  rows: readonly RefusedPayment[],
): Promise<boolean[]> {
  const values = rows.map(({ payment, reference, userError, event, decidedAt }) => ({
    ...refusals.write({
      paymentId: payment.id,
      walletId: reference.walletId,
      referenceId: reference.id,
      amount: payment.amount,
      userError,
      decidedAt,
    }),
    ...eventRow(event),
  }))
  const written = await db.run(refusePayments, refusedSet.parameters(values))
  const ids = new Set(written.map(({ payment_id }) => payment_id))
  return rows.map(({ payment }) => ids.has(payment.id))
}
