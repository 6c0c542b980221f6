// The SQL of references: opening them, finding them by what a payer types, ending them.
import { type Claim, claimParts } from '../idempotency/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type NewOperation, openOperationsSql, operationColumns, operationRow } from '../operations/index.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../storage/index.ts'
import { type BankReference, bankReferences } from './model.ts'
import { numberFreeAt, overAt } from './rules.ts'

const newReferences = bankReferences.whole.pick(
  'id',
  'kind',
  'entity',
  'number',
  'ref',
  'operationId',
  'amountMin',
  'amountMax',
  'starts',
  'expires',
  'createdAt',
  'numberFreeAt',
)
/** With a prefix, because they share a row with the columns of an operation. */
const prefixed = newReferences.prefixed('reference_')

/** Columns that {@link openReferencesSql} reads, apart from `wallet_id`. */
export const referenceColumns = prefixed.types

/** A common table expression that opens the references of `source`, due at once to be published. */
export function openReferencesSql(
  source: string,
  externalIds: 'with_external_ids' | 'bare' = 'bare',
): string {
  const ids = externalIds === 'bare' ? '' : ', ext_invoiceid, ext_email, ext_customerid'
  return `
    opened_references as (
      insert into bank_references (wallet_id, due_at, ${newReferences.list()}${ids})
      select wallet_id, reference_created_at, ${prefixed.list()}${ids}
      from ${source}
      returning id
    )`
}

/** The values of {@link referenceColumns}. */
export function referenceRow(reference: BankReference): Record<keyof typeof referenceColumns, unknown> {
  const { expires } = reference
  return prefixed.write({
    ...reference,
    numberFreeAt: expires === undefined ? undefined : numberFreeAt(overAt(expires)),
  })
}

export interface NewReferencePayment {
  readonly operation: NewOperation
  readonly reference: BankReference
  readonly claim: Claim | undefined
}

const newPayments = rowSet({ ...operationColumns, ...referenceColumns, ...claimParts.columns })

const insertPayments = statement<{ id: string }>(`
  with input as (${newPayments.source}),
  ${claimParts.sql('input')},
  ${openOperationsSql('admitted')},
  ${openReferencesSql('admitted')}
  select id from opened_references`)

/** Opens operations with their references; answers per row whether it is new (false: its idempotency key was used). */
export async function insertReferencePayments(
  db: Executor,
  rows: readonly NewReferencePayment[],
): Promise<boolean[]> {
  const values = rows.map(({ operation, reference, claim }) => ({
    ...operationRow(operation),
    ...referenceRow(reference),
    ...claimParts.row(claim),
  }))
  const written = new Set((await db.run(insertPayments, newPayments.parameters(values))).map(({ id }) => id))
  return rows.map(({ reference }) => written.has(reference.id))
}

export interface NewRecurringReference {
  readonly reference: BankReference
  readonly claim: Claim | undefined
}

const recurring = bankReferences.pick('walletId', 'createdAt', 'extInvoiceId', 'extEmail', 'extCustomerId')
const newRecurring = rowSet({ ...recurring.types, ...referenceColumns, ...claimParts.columns })

const insertRecurring = statement<{ id: string }>(`
  with input as (${newRecurring.source}),
  ${claimParts.sql('input')},
  ${openReferencesSql('admitted', 'with_external_ids')}
  select id from opened_references`)

/** Opens recurring references; answers per row whether it is new (false: its idempotency key was used). */
export async function insertRecurringReferences(
  db: Executor,
  rows: readonly NewRecurringReference[],
): Promise<boolean[]> {
  const values = rows.map(({ reference, claim }) => ({
    ...recurring.write(reference),
    ...referenceRow(reference),
    ...claimParts.row(claim),
  }))
  const written = new Set(
    (await db.run(insertRecurring, newRecurring.parameters(values))).map(({ id }) => id),
  )
  return rows.map(({ reference }) => written.has(reference.id))
}

/** A row of `bank_references` as the drivers bring it. */
export type ReferenceRow = StoredRowOf<typeof bankReferences>

const selectById = statement<ReferenceRow>('select * from bank_references where wallet_id = $1 and id = $2')

/** The wallet's reference, if it has one with that id. */
export async function findReference(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<BankReference | undefined> {
  return bankReferences.first(await db.run(selectById, [walletId, id]))
}

const selectByNumber = statement<ReferenceRow>(`
  select * from bank_references where entity = $1 and number = $2 and number_held and ref = $3`)

/** The reference that a payer typed, of any wallet: a payer knows none. */
export async function findReferenceForPayer(
  db: Executor,
  { entity, number, ref }: Pick<BankReference, 'entity' | 'number' | 'ref'>,
): Promise<BankReference | undefined> {
  return bankReferences.first(await db.run(selectByNumber, [entity, number, ref]))
}

const markDeleted = statement<{ id: string }>(`
  update bank_references set deleted_at = $3, due_at = $3, number_free_at = coalesce(number_free_at, $4)
  where wallet_id = $1 and id = $2 and deleted_at is null
  returning id`)

/** Deletes a reference, due at once to be withdrawn from the network. False when it was deleted before. */
export async function deleteReferenceRow(
  db: Executor,
  { walletId, id }: BankReference,
  now: Instant,
): Promise<boolean> {
  const freeAt = toTimestamp(numberFreeAt(now))
  return (await db.run(markDeleted, [walletId, id, toTimestamp(now), freeAt])).length === 1
}
