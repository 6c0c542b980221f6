// The SQL of operation lists and their filters.
import { type RawBuilder, sql } from 'kysely'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { phoneMethods } from '../../methods/list.ts'
import { type Columns, type Database, type Fields, type PageOfList, selectPage } from '../../storage/index.ts'
import { type Operation, type OperationType, operations } from '../model.ts'
import { searchedText } from '../search/texts.ts'
import { countOfOperations } from './counts.ts'
import { type ShownOperation, shownOperations } from './store.ts'

export interface OperationFilter {
  readonly id?: string | undefined
  readonly parentId?: string | undefined
  readonly method?: string | undefined
  readonly types?: readonly OperationType[] | undefined
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
  readonly last4?: string | undefined
  readonly mbRef?: string | undefined
  readonly phone?: string | undefined
  readonly extInvoiceId?: string | undefined
}

export interface OperationPage<Listed = Operation> {
  readonly total: number
  readonly operations: readonly Listed[]
}

export async function listOperations(
  database: Database,
  walletId: bigint,
  filter: OperationFilter,
  page: PageOfList,
): Promise<OperationPage> {
  return selectOperations(database, operations, walletId, filter, page)
}

/** Lists operations with the 31 of 50 columns that merchants see. */
export async function listShownOperations(
  database: Database,
  walletId: bigint,
  filter: OperationFilter,
  page: PageOfList,
): Promise<OperationPage<ShownOperation>> {
  return selectOperations(database, shownOperations, walletId, filter, page)
}

async function selectOperations<F extends Fields>(
  database: Database,
  columns: Columns<F>,
  walletId: bigint,
  filter: OperationFilter,
  page: PageOfList,
): Promise<OperationPage<ReturnType<Columns<F>['read']>>> {
  const conditions = conditionsOf(walletId, filter)
  const known = isWhole(filter) ? countOfOperations(walletId, filter.types) : undefined
  const { total, rows } = await selectPage(database, columns, conditions, page, { total: known })
  return { total, operations: rows }
}

function isWhole(filter: OperationFilter): boolean {
  return Object.entries(filter).every(([name, value]) => name === 'types' || value === undefined)
}

function conditionsOf(walletId: bigint, filter: OperationFilter): RawBuilder<unknown>[] {
  const conditions = [sql`wallet_id = ${walletId}`]
  if (filter.id !== undefined) conditions.push(sql`id = ${filter.id}`)
  if (filter.parentId !== undefined) conditions.push(sql`parent_id = ${filter.parentId}`)
  if (filter.method !== undefined) conditions.push(sql`method = ${filter.method}`)
  if (filter.types !== undefined) conditions.push(ofTypes(filter.types))
  if (filter.from !== undefined) conditions.push(sql`created_at >= ${toTimestamp(filter.from)}`)
  if (filter.until !== undefined) conditions.push(sql`created_at < ${toTimestamp(filter.until)}`)
  if (filter.last4 !== undefined) conditions.push(sql`card ->> 'last4' = ${filter.last4}`)
  if (filter.mbRef !== undefined) conditions.push(sql`${searchedText('mb_ref')} = ${filter.mbRef}`)
  // An operation keeps its phone after the customer has chosen another method, and must not be found by it.
  if (filter.phone !== undefined)
    conditions.push(sql`${searchedText('phone')} = ${filter.phone} and method = any(${phoneMethods})`)
  if (filter.extInvoiceId !== undefined)
    conditions.push(
      sql`${searchedText('ext_invoiceid')} = left(lower(${filter.extInvoiceId}), 100) and ext_invoiceid = ${filter.extInvoiceId}`,
    )
  return conditions
}

/** A single type is written into the SQL, so the planner can use the index of payouts. */
function ofTypes(types: readonly OperationType[]): RawBuilder<unknown> {
  const [type] = types
  return types.length === 1 ? sql`type = ${sql.lit(type)}` : sql`type = any(${types})`
}
