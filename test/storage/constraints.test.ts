// Constraints of the database itself.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type Executor, migrate, openPostgres, statement } from '../../src/storage/index.ts'
import { createEmptyPostgresDatabase } from '../database.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

const now = '2026-03-02T12:00:00Z'
const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()]

/** A valid row of each table. */
const rows: Readonly<Record<string, Row>> = {
  operations: {
    id: one,
    wallet_id: 7,
    type: 'PAYMENT',
    status: 'NEW',
    amount: 1000,
    currency: 'EUR',
    channel: 'API',
    created_at: now,
    modified_at: now,
  },
  accounts: { id: 5, wallet_id: 7, kind: 'merchant' },
  postings: {
    wallet_id: 7,
    operation_id: one,
    purpose: 'settle',
    debit_account: -1,
    credit_account: 5,
    amount: 10,
    created_at: now,
  },
  shares: {
    wallet_id: 7,
    operation_id: one,
    position: 0,
    merchant_wallet_id: 8,
    fraction: '1/2',
    fee_fixed: 0,
    fee_variable_bp: 0,
    amount: 10,
    transfer_id: other,
    created_at: now,
  },
  balance_payments: {
    id: one,
    wallet_id: 7,
    operation_id: one,
    consumer_id: 9,
    amount: 10,
    created_at: now,
  },
  charges: {
    id: one,
    wallet_id: 7,
    subscription_id: one,
    operation_id: one,
    status: 'NEW',
    amount: 10,
    currency: 'EUR',
    cycle: 0,
    created_at: now,
    modified_at: now,
    due_at: now,
  },
  attempts: {
    id: one,
    wallet_id: 7,
    operation_id: one,
    type: 'PAYMENT',
    method: 'CC',
    state: 'ASKED',
    due_at: now,
    owner: 'checkout',
    page_token: one,
    amount: 10,
    currency: 'EUR',
    merchant_name: 'Shop',
    details: '{}',
    three_ds_id: one,
    created_at: now,
    modified_at: now,
  },
  limit_days: { wallet_id: 7, day: '2026-03-02', taken: 0 },
  mandate_allowances: { wallet_id: 7, mandate_id: one, month: '2026-03', used: 0 },
}

let database: Database
beforeAll(async () => {
  database = openPostgres({ url: await createEmptyPostgresDatabase() })
  await migrate(database)
})
afterAll(() => database.close())

async function insert(tx: Executor, table: string, row: Row): Promise<void> {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  await tx.run(
    statement(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`),
    Object.values(row),
  )
}

async function refusalOf(table: string, first: Row | undefined, second: Row): Promise<string | undefined> {
  let refusal: string | undefined
  const tried = database.transaction(async (tx) => {
    await tx.run(statement('set local session_replication_role = replica'))
    if (first !== undefined) await insert(tx, table, first)
    await insert(tx, table, second).catch((error: { constraint?: string; message: string }) => {
      refusal = error.constraint ?? error.message
    })
    throw new Error('taken back')
  })
  await expect(tried).rejects.toThrow()
  return refusal
}

const baseOf = (table: string): Row => rows[table] ?? {}

it.each(Object.keys(rows))('takes a row of %s as it should be', async (table) => {
  expect(await refusalOf(table, undefined, baseOf(table))).toBeUndefined()
})

describe('refuses', () => {
  const ended = { settled_at: now }
  const paid = { status: 'COMPLETED', ...ended }
  it.each<[string, string, Row, string]>([
    ['an unknown type', 'operations', { type: 'GIFT' }, 'operations_hold'],
    ['an unknown status', 'operations', { status: 'LOST' }, 'operations_hold'],
    ['an end without its time', 'operations', { status: 'COMPLETED' }, 'operations_hold'],
    ['a time without an end', 'operations', ended, 'operations_hold'],
    ['a rail that decides about nothing', 'operations', { under_approval: true }, 'operations_hold'],
    ['an operation of nothing', 'operations', { amount: 0 }, 'operations_hold'],
    ['a fee that is given', 'operations', { fee: 1 }, 'operations_hold'],
    ['more refunded than paid', 'operations', { ...paid, refunded: 1001 }, 'operations_hold'],
    ['less refunded than nothing', 'operations', { ...paid, refunded: -1 }, 'operations_hold'],
    ['a refund of an unpaid operation', 'operations', { refunded: 1 }, 'operations_hold'],
    [
      'more captured and released than held',
      'operations',
      { ...paid, type: 'AUTH', captured: 600, released: 401 },
      'operations_hold',
    ],
    ['an eleventh capture', 'operations', { ...paid, type: 'AUTH', captures: 11 }, 'operations_hold'],
    ['a capture of a payment', 'operations', { ...paid, captured: 1 }, 'operations_hold'],
    ['a posting of nothing', 'postings', { amount: 0 }, 'postings_amount_check'],
    ['a posting the wrong way', 'postings', { amount: -1 }, 'postings_amount_check'],
    ['a posting to itself', 'postings', { credit_account: -1 }, 'postings_check'],
    ['an unknown purpose', 'postings', { purpose: 'gift' }, 'postings_purpose_check'],
    ['an account of the gateway among those of wallets', 'accounts', { wallet_id: 0 }, 'accounts_check'],
    ['more refunded than a share had', 'shares', { refunded: 11 }, 'shares_check1'],
    ['a share of the owner', 'shares', { merchant_wallet_id: 7 }, 'shares_check'],
    ['a day with less than nothing', 'limit_days', { taken: -1 }, 'limit_days_taken_check'],
    [
      'an allowance with less than nothing',
      'mandate_allowances',
      { used: -1 },
      'mandate_allowances_used_check',
    ],
    ['a charge that nothing looks after', 'charges', { due_at: null }, 'charges_due'],
    ['a charge paid by nothing', 'charges', { status: 'SUCCESS', due_at: null }, 'charges_check2'],
    ['an attempt that nothing looks after', 'attempts', { due_at: null }, 'attempts_due_check'],
    [
      'a card after its last use',
      'attempts',
      { state: 'APPROVED', sealed_card: '\\x00' },
      'attempts_card_check',
    ],
  ])('%s', async (_, table, changed, constraint) => {
    expect(await refusalOf(table, undefined, { ...baseOf(table), ...changed })).toBe(constraint)
  })

  it.each<[string, string, Row, string]>([
    ['an account of a wallet', 'accounts', { id: 6 }, 'accounts_wallet_id_kind_currency_key'],
    ['a posting of an operation', 'postings', { amount: 20 }, 'postings_pkey'],
    [
      'a share of a merchant',
      'shares',
      { position: 1 },
      'shares_wallet_id_operation_id_merchant_wallet_id_key',
    ],
    ['a payment from a balance', 'balance_payments', { id: third }, 'balance_payments_paid'],
    ['a charge of a payment', 'charges', { id: third }, 'charges_by_operation'],
    ['an attempt of a page', 'attempts', { id: third, three_ds_id: third }, 'attempts_by_page'],
    ['an attempt of a key', 'attempts', { wallet_id: 8, three_ds_id: third }, 'attempts_by_key'],
    ['an authentication', 'attempts', { id: third, page_token: third }, 'attempts_by_three_ds_id'],
  ])('a second %s', async (_, table, changed, constraint) => {
    const base = baseOf(table)
    expect(await refusalOf(table, base, { ...base, ...changed })).toBe(constraint)
  })

  it.each(['postings', 'events'])('that a row of %s is changed or goes', async (table) => {
    for (const change of [`delete from ${table}`, `update ${table} set wallet_id = 8`, `truncate ${table}`])
      await expect(database.run(statement(change))).rejects.toThrow()
  })
})
