// SQL of customers.
import { type RawBuilder, sql } from 'kysely'
import { type Claim, idempotencyClaimCte } from '../idempotency/index.ts'
import { isUuid } from '../kernel/random.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { phoneOrText } from '../kernel/values/phones.ts'
import {
  type Database,
  type Executor,
  execute,
  findFirst,
  hasRows,
  lookup,
  type PageOfList,
  rowSet,
  type StoredRowOf,
  selectPage,
} from '../storage/index.ts'
import { type Customer, type CustomerData, customers } from './model.ts'
import { nameKeyOf } from './rules.ts'

const newCustomers = rowSet({ ...customers.whole.types, ...idempotencyClaimCte.columns })

/** False if another customer has the `ext_customerid`, or if the key was used before. */
export const insertCustomer = hasRows((customer: Customer, claim: Claim | undefined) =>
  newCustomers.parameters([
    { ...customers.whole.write(withKey(customer)), ...idempotencyClaimCte.row(claim) },
  ]),
)`
  with input as (${newCustomers.source}),
  ${idempotencyClaimCte.sql('input')}
  insert into customers (${customers.whole.list()})
  select ${customers.whole.list()} from admitted
  on conflict do nothing
  returning id`

function withKey(customer: Customer) {
  return { ...customer, nameKey: customer.name === undefined ? undefined : nameKeyOf(customer.name) }
}

const customerByKey = lookup<StoredRowOf<typeof customers>>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: `select ${customers.list()} from customers where wallet_id = wanted.wallet_id and id = wanted.id`,
})

export async function findCustomer(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Customer | undefined> {
  const row = await db.find(customerByKey, [walletId, id])
  return row && customers.read(row)
}

/** Lets one transaction at a time change the customer's cards. False if the customer was deleted. */
export const lockCustomer = hasRows((walletId: bigint, id: string) => [walletId, id])`
  select id from customers where wallet_id = $1 and id = $2 for no key update`

const uniqueViolation = '23505'

/** Undefined if the customer was deleted, `taken` if another one has the `ext_customerid`. */
export async function changeCustomer(
  database: Database,
  walletId: bigint,
  id: string,
  changes: Partial<CustomerData>,
  now: Instant,
): Promise<{ readonly before: Customer; readonly after: Customer } | 'taken' | undefined> {
  try {
    return await database.transaction(async (tx) => {
      const before = await lockForChange(tx, walletId, id)
      if (before === undefined) return undefined
      const after: Customer = { ...before, ...changes, modifiedAt: now }
      await updateCustomer(tx, withKey(after))
      return { before, after }
    })
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return 'taken'
    throw error
  }
}

const lockForChange = findFirst(customers, (walletId: bigint, id: string) => [walletId, id])`
  select ${customers.list()} from customers where wallet_id = $1 and id = $2 for update`

const updateCustomer = execute(
  ({ walletId, id, extCustomerId, name, nameKey, email, phone, modifiedAt }: ReturnType<typeof withKey>) => [
    ...[walletId, id, extCustomerId ?? null, name ?? null, nameKey ?? null, email ?? null, phone ?? null],
    toTimestamp(modifiedAt),
  ],
)`
  update customers set
    ext_customerid = $3, name = $4, name_key = $5, email = $6, phone = $7, modified_at = $8
  where wallet_id = $1 and id = $2`

export const deleteCustomer = findFirst(customers, (walletId: bigint, id: string) => [walletId, id])`
  delete from customers where wallet_id = $1 and id = $2 returning ${customers.list()}`

export interface CustomerFilter {
  /** Any of the fields, or the beginning of the name. */
  readonly q?: string | undefined
  readonly extCustomerId?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export async function listCustomers(
  database: Database,
  walletId: bigint,
  { q, ...filter }: CustomerFilter,
  page: PageOfList,
): Promise<{ readonly total: number; readonly customers: readonly Customer[] }> {
  const conditions: RawBuilder<unknown>[] = [sql`wallet_id = ${walletId}`, ...conditionsOf(filter)]
  if (q !== undefined) {
    const any = conditionsOf({ extCustomerId: q, name: q, email: q, phone: q })
    if (isUuid(q)) any.push(sql`id = ${q}::uuid`)
    conditions.push(sql`(${sql.join(any, sql` or `)})`)
  }
  const { total, rows } = await selectPage(database, customers, conditions, page)
  return { total, customers: rows }
}

function conditionsOf({ extCustomerId, name, email, phone }: CustomerFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (extCustomerId !== undefined) conditions.push(sql`ext_customerid = ${extCustomerId}`)
  if (name !== undefined) conditions.push(sql`name_key like ${`${escaped(nameKeyOf(name))}%`}`)
  if (email !== undefined) conditions.push(sql`(lower(email) collate "C") = lower(${email}) collate "C"`)
  if (phone !== undefined) conditions.push(sql`phone = ${phoneOrText(phone)}`)
  return conditions
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
