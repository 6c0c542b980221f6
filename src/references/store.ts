// The SQL of references: opening them, finding them by what a payer types, ending them.
import { type Claim, claimParts } from '../idempotency/index.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type NewOperation, openOperationsSql, operationColumns, operationRow } from '../operations/index.ts'
import { type ColumnType, type Executor, rowSet, statement } from '../storage/index.ts'
import type { BankReference, ReferenceKind, ReferenceNumber } from './model.ts'
import { numberFreeAt, overAt } from './rules.ts'

/** Columns that {@link openReferencesSql} reads beside `wallet_id`. */
export const referenceColumns = {
  reference_id: 'uuid',
  reference_kind: 'text',
  reference_entity: 'text',
  reference_number: 'integer',
  reference_ref: 'text',
  reference_operation_id: 'uuid',
  reference_amount_min: 'bigint',
  reference_amount_max: 'bigint',
  reference_starts: 'timestamptz',
  reference_expires: 'timestamptz',
  reference_created_at: 'timestamptz',
  reference_number_free_at: 'timestamptz',
} as const satisfies Record<string, ColumnType>

/** A common table expression that opens the references of `source`; the network is to be told at once. */
export function openReferencesSql(
  source: string,
  externalIds: 'with_external_ids' | 'bare' = 'bare',
): string {
  const ids = externalIds === 'bare' ? '' : ', ext_invoiceid, ext_email, ext_customerid'
  return `
    opened_references as (
      insert into bank_references (
        wallet_id, id, kind, entity, number, ref, operation_id, amount_min, amount_max, starts, expires,
        created_at, due_at, number_free_at${ids}
      )
      select wallet_id, reference_id, reference_kind, reference_entity, reference_number, reference_ref,
        reference_operation_id, reference_amount_min, reference_amount_max, reference_starts, reference_expires,
        reference_created_at, reference_created_at, reference_number_free_at${ids}
      from ${source}
      returning id
    )`
}

/** The values of {@link referenceColumns}. */
export function referenceRow(reference: BankReference): Record<keyof typeof referenceColumns, unknown> {
  const { starts, expires } = reference
  return {
    reference_id: reference.id,
    reference_kind: reference.kind,
    reference_entity: reference.entity,
    reference_number: reference.number,
    reference_ref: reference.ref,
    reference_operation_id: reference.operationId ?? null,
    reference_amount_min: reference.amountMin,
    reference_amount_max: reference.amountMax,
    reference_starts: starts === undefined ? null : toTimestamp(starts),
    reference_expires: expires === undefined ? null : toTimestamp(expires),
    reference_created_at: toTimestamp(reference.createdAt),
    reference_number_free_at: expires === undefined ? null : toTimestamp(numberFreeAt(overAt(expires))),
  }
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

const newRecurring = rowSet({
  wallet_id: 'bigint',
  created_at: 'timestamptz',
  ext_invoiceid: 'text',
  ext_email: 'text',
  ext_customerid: 'text',
  ...referenceColumns,
  ...claimParts.columns,
})

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
    wallet_id: reference.walletId,
    created_at: toTimestamp(reference.createdAt),
    ext_invoiceid: reference.extInvoiceId ?? null,
    ext_email: reference.extEmail ?? null,
    ext_customerid: reference.extCustomerId ?? null,
    ...referenceRow(reference),
    ...claimParts.row(claim),
  }))
  const written = new Set(
    (await db.run(insertRecurring, newRecurring.parameters(values))).map(({ id }) => id),
  )
  return rows.map(({ reference }) => written.has(reference.id))
}

/** A row of `bank_references` as the drivers bring it. */
export interface ReferenceRow {
  wallet_id: bigint
  id: string
  kind: ReferenceKind
  entity: string
  number: ReferenceNumber
  ref: string
  operation_id: string | null
  amount_min: bigint
  amount_max: bigint
  ext_invoiceid: string | null
  ext_email: string | null
  ext_customerid: string | null
  starts: Instant | null
  expires: Instant | null
  created_at: Instant
  told_at: Instant | null
  deleted_at: Instant | null
}

export function referenceOf(row: ReferenceRow): BankReference {
  return {
    id: row.id,
    walletId: row.wallet_id,
    kind: row.kind,
    entity: row.entity,
    number: row.number,
    ref: row.ref,
    operationId: row.operation_id ?? undefined,
    amountMin: row.amount_min as Cents,
    amountMax: row.amount_max as Cents,
    extInvoiceId: row.ext_invoiceid ?? undefined,
    extEmail: row.ext_email ?? undefined,
    extCustomerId: row.ext_customerid ?? undefined,
    starts: row.starts ?? undefined,
    expires: row.expires ?? undefined,
    createdAt: row.created_at,
    toldAt: row.told_at ?? undefined,
    deletedAt: row.deleted_at ?? undefined,
  }
}

const selectById = statement<ReferenceRow>('select * from bank_references where wallet_id = $1 and id = $2')

/** The wallet's reference, if it has one with that id. */
export async function findReference(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<BankReference | undefined> {
  const [row] = await db.run(selectById, [walletId, id])
  return row === undefined ? undefined : referenceOf(row)
}

const selectByNumber = statement<ReferenceRow>(`
  select * from bank_references where entity = $1 and number = $2 and number_held and ref = $3`)

/** The reference that a payer typed, whoever's it is: a payer knows no wallet. */
export async function findReferenceForPayer(
  db: Executor,
  { entity, number, ref }: Pick<BankReference, 'entity' | 'number' | 'ref'>,
): Promise<BankReference | undefined> {
  const [row] = await db.run(selectByNumber, [entity, number, ref])
  return row === undefined ? undefined : referenceOf(row)
}

const markDeleted = statement<{ id: string }>(`
  update bank_references set deleted_at = $3, due_at = $3, number_free_at = coalesce(number_free_at, $4)
  where wallet_id = $1 and id = $2 and deleted_at is null
  returning id`)

/** Ends a reference before its time; the network is to be told. False when that had happened before. */
export async function deleteReferenceRow(
  db: Executor,
  { walletId, id }: BankReference,
  now: Instant,
): Promise<boolean> {
  const freeAt = toTimestamp(numberFreeAt(now))
  return (await db.run(markDeleted, [walletId, id, toTimestamp(now), freeAt])).length === 1
}
