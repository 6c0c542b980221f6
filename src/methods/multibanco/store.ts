// The SQL of references.
import { type Claim, idempotencyClaimCte } from '../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  type NewOperation,
  openOperationsSql,
  operationColumns,
  operationRow,
} from '../../operations/index.ts'
import type { ReferenceName, ReferenceNetwork } from '../../rails/index.ts'
import {
  type Executor,
  findFirst,
  hasRows,
  rowSet,
  type StoredRowOf,
  statement,
} from '../../storage/index.ts'
import { type BankReference, bankReferences } from './model.ts'
import { numberOf } from './numbers.ts'
import { firstDueAt, numberFreeAt, overAt } from './rules.ts'

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
  'publishedAt',
  'dueAt',
  'numberFreeAt',
)
const prefixed = newReferences.prefixed('reference_')

/** Columns for {@link openReferencesSql}, without `wallet_id`. */
export const referenceColumns = prefixed.types

export function openReferencesSql(
  source: string,
  externalIds: 'with_external_ids' | 'bare' = 'bare',
): string {
  const ids = externalIds === 'bare' ? '' : ', ext_invoiceid, ext_email, ext_customerid'
  return `
    opened_references as (
      insert into bank_references (wallet_id, ${newReferences.list()}${ids})
      select wallet_id, ${prefixed.list()}${ids}
      from ${source}
      returning id
    )`
}

export function referenceRow(reference: BankReference): Record<keyof typeof referenceColumns, unknown> {
  const { expires } = reference
  return prefixed.write({
    ...reference,
    dueAt: firstDueAt(reference),
    numberFreeAt: expires === undefined ? undefined : numberFreeAt(overAt(expires)),
  })
}

export type Numbering = ReferenceNetwork['numbering']

interface ReferenceSource {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Only requests that were not abandoned become references. They are deleted. */
const ofProviders: ReferenceSource = {
  name: 'wanted',
  before: `
    wanted as (
      select input.*
      from input
      join bank_reference_requests on bank_reference_requests.wallet_id = input.wallet_id
        and bank_reference_requests.id = input.reference_id
      where bank_reference_requests.withdrawn_at is null
      for update of bank_reference_requests
    ),`,
  after: `,
    finished as (
      delete from bank_reference_requests using opened_references
      where bank_reference_requests.id = opened_references.id
    )`,
}

export function byNumbering(sqlOf: (source: ReferenceSource) => string) {
  return {
    ours: statement<{ id: string }>(sqlOf({ name: 'input', before: '', after: '' })),
    theirs: statement<{ id: string }>(sqlOf(ofProviders)),
  }
}

/** Returns for each row whether it was written. */
function inserting<Row extends { readonly reference: BankReference }>(
  statements: ReturnType<typeof byNumbering>,
  set: { parameters(rows: readonly never[]): readonly unknown[] },
  valuesOf: (row: Row) => object,
) {
  return async (db: Executor, rows: readonly Row[], numbering: Numbering): Promise<boolean[]> => {
    const parameters = set.parameters(rows.map(valuesOf) as never[])
    const written = new Set((await db.run(statements[numbering], parameters)).map(({ id }) => id))
    return rows.map(({ reference }) => written.has(reference.id))
  }
}

export interface NewReferencePayment {
  readonly operation: NewOperation
  readonly reference: BankReference
  readonly claim: Claim | undefined
}

const newPayments = rowSet({ ...operationColumns, ...referenceColumns, ...idempotencyClaimCte.columns })

const insertPayments = byNumbering(
  (source) => `
  with input as (${newPayments.source}),${source.before}
  ${idempotencyClaimCte.sql(source.name)},
  ${openOperationsSql('admitted')},
  ${openReferencesSql('admitted')}${source.after}
  select id from opened_references`,
)

export const insertReferencePayments = inserting<NewReferencePayment>(
  insertPayments,
  newPayments,
  ({ operation, reference, claim }) => ({
    ...operationRow(operation),
    ...referenceRow(reference),
    ...idempotencyClaimCte.row(claim),
  }),
)

export interface NewRecurringReference {
  readonly reference: BankReference
  readonly claim: Claim | undefined
}

const recurring = bankReferences.pick('walletId', 'createdAt', 'extInvoiceId', 'extEmail', 'extCustomerId')
const newRecurring = rowSet({ ...recurring.types, ...referenceColumns, ...idempotencyClaimCte.columns })

const insertRecurring = byNumbering(
  (source) => `
  with input as (${newRecurring.source}),${source.before}
  ${idempotencyClaimCte.sql(source.name)},
  ${openReferencesSql('admitted', 'with_external_ids')}${source.after}
  select id from opened_references`,
)

export const insertRecurringReferences = inserting<NewRecurringReference>(
  insertRecurring,
  newRecurring,
  ({ reference, claim }) => ({
    ...recurring.write(reference),
    ...referenceRow(reference),
    ...idempotencyClaimCte.row(claim),
  }),
)

export type ReferenceRow = StoredRowOf<typeof bankReferences>

export const findReference = findFirst(bankReferences, (walletId: bigint, id: string) => [walletId, id])`
  select * from bank_references where wallet_id = $1 and id = $2`

const findByNumber = findFirst(bankReferences, (entity: string, number: number, ref: string) => [
  ...[entity, number, ref],
])`
  select * from bank_references where entity = $1 and number = $2 and number_held and ref = $3`

const findByName = findFirst(bankReferences, (entity: string, ref: string) => [entity, ref])`
  select * from bank_references where entity = $1 and ref = $2 and number_held and number is null`

export async function findReferenceForPayer(
  db: Executor,
  { entity, ref }: ReferenceName,
): Promise<BankReference | undefined> {
  const number = numberOf(ref)
  if (number === undefined) return undefined
  return (await findByNumber(db, entity, number, ref)) ?? findByName(db, entity, ref)
}

export const findReferenceOfProvider = findFirst(bankReferences, (key: string) => [key])`
  select * from bank_references where id = $1 and number is null`

/** Makes the reference due at once, so that a timer withdraws it. Returns false if it was deleted before. */
export const deleteReferenceRow = hasRows(({ walletId, id }: BankReference, now: Instant) => [
  ...[walletId, id, toTimestamp(now), toTimestamp(numberFreeAt(now))],
])`
  update bank_references set deleted_at = $3, due_at = $3, number_free_at = coalesce(number_free_at, $4)
  where wallet_id = $1 and id = $2 and deleted_at is null
  returning id`
