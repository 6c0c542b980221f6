// The SQL of the list of mandates.
import { type RawBuilder, sql } from 'kysely'
import type { Day } from '../../../kernel/lisbon.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { type Database, type PageOfList, selectPage } from '../../../storage/index.ts'
import { type Mandate, type MandateState, type MandateType, mandatesWithUse } from './model.ts'

export interface MandateFilter {
  readonly states?: readonly MandateState[] | undefined
  readonly type?: MandateType | undefined
  readonly phone?: string | undefined
  readonly createdFrom?: Instant | undefined
  readonly createdUntil?: Instant | undefined
  readonly expiringFrom?: Day | undefined
  readonly expiringUntil?: Day | undefined
  readonly walletIds?: readonly bigint[] | undefined
}

export interface MandatePage {
  readonly total: number
  readonly mandates: readonly Mandate[]
}

export async function listMandates(
  database: Database,
  walletId: bigint,
  filter: MandateFilter,
  page: PageOfList,
  month: string,
): Promise<MandatePage> {
  const conditions = conditionsOf(walletId, filter)
  const used = sql`(
    select used from mandate_allowances
    where mandate_allowances.wallet_id = mandates.wallet_id and mandate_id = mandates.id and month = ${month}
  )`
  const { total, rows } = await selectPage(database, mandatesWithUse, conditions, page, { also: { used } })
  return { total, mandates: rows }
}

function conditionsOf(walletId: bigint, filter: MandateFilter): RawBuilder<unknown>[] {
  const conditions = [sql`mandates.wallet_id = ${walletId}`]
  if (filter.walletIds !== undefined) conditions.push(sql`mandates.wallet_id = any(${filter.walletIds})`)
  if (filter.states !== undefined) conditions.push(sql`state = any(${filter.states})`)
  if (filter.type !== undefined) conditions.push(sql`type = ${filter.type}`)
  if (filter.phone !== undefined) conditions.push(sql`phone = ${filter.phone}`)
  if (filter.createdFrom !== undefined) conditions.push(sql`created_at >= ${toTimestamp(filter.createdFrom)}`)
  if (filter.createdUntil !== undefined)
    conditions.push(sql`created_at < ${toTimestamp(filter.createdUntil)}`)
  if (filter.expiringFrom !== undefined) conditions.push(sql`expiry_date >= ${filter.expiringFrom}`)
  if (filter.expiringUntil !== undefined) conditions.push(sql`expiry_date <= ${filter.expiringUntil}`)
  return conditions
}
