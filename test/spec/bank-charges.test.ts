// Charges of the bank within an entry.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bankFileChecks } from '../../src/bank-files/audit.ts'
import { statementByFile } from '../../src/bank-files/index.ts'
import { type Database, openPostgres, statement as sql } from '../../src/storage/index.ts'
import { bankOf, endToEndId, type Line } from '../bank-statements.ts'
import { findingsAfter } from '../broken-books.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'

let world: World
let money: Money
let database: Database
let wallet: string
let references = 0

beforeAll(async () => {
  world = await openWorld('postgres')
  money = moneyOf(world)
  database = openPostgres({ url: world.databaseUrl as string })
  wallet = String(world.shop.wallet_id)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await database.close()
  await world.stop()
})

const bank = bankOf(() => world)
const statement = async (...lines: Line[]): Promise<Json> => (await bank.statement(...lines)).json
const funds = async () => Math.round(Number((await money.funds()).balance) * 100)
const balanceSql = sql<{ balance: bigint }>(`
  select coalesce(sum(case when credit.kind = 'bank_charges' then amount else -amount end), 0)::bigint as balance
  from postings
  join accounts as debit on debit.id = debit_account
  join accounts as credit on credit.id = credit_account
  where 'bank_charges' in (debit.kind, credit.kind)`)
const charges = async () => Number((await database.run(balanceSql))[0]?.balance)
const bearing = (value: 'on' | 'off') => world.cli('merchant', 'set', wallet, '--bank-charges', value)

async function debits(count: number, isPaid = true): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await bank.ordered())
  await bank.exported()
  for (const id of isPaid ? ids : []) await statement(line('10.00', [id]))
  return ids
}

function line(amount: string, ids: readonly string[], charge?: string, each?: string): Line {
  return {
    ...{ amount, reference: `C-${references++}-${amount}` },
    ...(charge !== undefined && { charge }),
    details: ids.map((id) => ({
      ...{ endToEndId: endToEndId(id), amount: '10.00' },
      ...(amount.startsWith('-') && { reason: 'MD06' }),
      ...(each !== undefined && { charge: each }),
    })),
  }
}

describe('a returned debit that is booked with its charge', () => {
  it('is returned, and the gateway bears the charge; reported again it changes nothing', async () => {
    const ids = await debits(1)
    const [before, charged] = [await funds(), await charges()]
    const returned = line('-13.50', ids, '3.50')
    expect(await statement(returned)).toMatchObject({ entries: 1, matched: 1, returned: 1, unmatched: 0 })
    expect(await funds()).toBe(before - 1000)
    expect(await charges()).toBe(charged - 350)
    // In the other kind of file, the charge or the order is missing.
    const { charge: _, details, ...plain } = returned
    expect((await bank.notification(plain)).json).toMatchObject({ repeated: 1 })
    expect(await statement(returned)).toMatchObject({ repeated: 1 })
    expect(await charges()).toBe(charged - 350)
    expect(details).toHaveLength(1)
    // The reconciliation treats the charge as a fee.
    const lines = await statementByFile(database, '2026-11-24')
    expect(lines.filter(({ fee }) => fee > 0n)).toMatchObject([
      { kind: 'dispute', amount: -1000n, fee: 350n },
    ])
  })

  it('is paid by a merchant that bears charges, and is a fee on its statement', async () => {
    expect((await bearing('on')).json).toMatchObject({ bank_charges_passed_on: true })
    const ids = await debits(1)
    const [before, charged] = [await funds(), await charges()]
    await statement(line('-13.50', ids, undefined, '3.50'))
    expect(await funds()).toBe(before - 1350)
    expect(await charges()).toBe(charged)
    const { body } = await world.shop.get('/api/v2/statement')
    const { day } = body.days.at(-1)
    const { elements } = (await world.shop.get(`/api/v2/statement/${day}?limit=100`)).body
    expect(elements.filter(({ kind }: Json) => kind === 'bank_charge')).toMatchObject([
      { operation_id: ids[0], amount: 0, fee: -3.5, amount_net: -3.5 },
    ])
    expect(Math.round(body.closing * 100)).toBe(before - 1350)
    await bearing('off')
  })

  it('is one of several of an entry, each with its own charge; of one for all nobody but the gateway bears it', async () => {
    await bearing('on')
    const [first, second] = [await debits(2), await debits(2)]
    const [before, charged] = [await funds(), await charges()]
    expect(await statement(line('-27.00', first, undefined, '3.50'))).toMatchObject({ returned: 2 })
    expect(await funds()).toBe(before - 2700)
    expect(await charges()).toBe(charged)
    expect(await statement(line('-24.00', second, '4.00'))).toMatchObject({ returned: 2 })
    expect(await funds()).toBe(before - 4700)
    expect(await charges()).toBe(charged - 400)
    await bearing('off')
  })

  it('that was settled by hand with that charge is booked once; with another one it is the operator’s', async () => {
    const ids = await debits(2)
    const charged = await charges()
    for (const id of ids)
      await world.cli('bank', 'settle', id, '--returned', '--fee', '3.50', '--reason', 'letter')
    expect(await charges()).toBe(charged - 700)
    const [first, second] = ids as [string, string]
    expect(await statement(line('-13.50', [first], '3.50'))).toMatchObject({ matched: 1, unmatched: 0 })
    expect(await statement(line('-12.50', [second], '2.50'))).toMatchObject({ matched: 0, unmatched: 1 })
    expect(await charges()).toBe(charged - 700)
    const { entries } = (await world.cli('bank', 'unmatched')).json
    expect(entries[0].problem).toContain('was settled by hand with a charge of 3.50, not 2.50')
    await world.cli('bank', 'resolve', entries[0].entry_id, '--note', 'the letter was wrong')
  })
})

it('a debit that is paid with its charge kept is paid whole', async () => {
  const ids = await debits(1, false)
  const charged = await charges()
  expect(await statement(line('9.50', ids, '0.50'))).toMatchObject({ paid: 1, unmatched: 0 })
  expect(await world.operation(ids[0] as string)).toMatchObject({ status: 'COMPLETED', amount: 10 })
  expect(await charges()).toBe(charged - 50)
})

it('the setting is the operator’s', async () => {
  const { json } = await world.cli('merchant', 'set', wallet, '--bank-charges', 'much')
  expect(json).toMatchObject({ error: { kind: 'usage' } })
})

it.each([
  [
    'a charge that was not booked',
    `delete from postings where purpose = 'charge' and wallet_id = 0`,
    'bank_charges_are_booked',
  ],
  ['a charge that no bank made', `update bank_entries set charge = null`, 'bank_charges_are_booked'],
  ['another charge', `update bank_settlements set fee = fee + 1 where fee > 0`, 'bank_charges_are_booked'],
  [
    'a merchant who bears more',
    `update postings set amount = amount + 1 where purpose = 'charge' and wallet_id <> 0`,
    'postings_of_bank_charges_are_of_a_charge',
  ],
  [
    'a merchant who bears the charge of another',
    `update postings set wallet_id = 1001 where purpose = 'charge' and wallet_id <> 0`,
    'postings_of_bank_charges_are_of_a_charge',
  ],
  [
    'a posting of something else on that account',
    `update postings set credit_account = (select id from accounts where kind = 'bank_charges')
     where credit_account = (select id from accounts where kind = 'fees')`,
    'postings_of_bank_charges_are_of_a_charge',
  ],
])('the audit sees %s', async (_, broken, check) => {
  expect(await findingsAfter(database, bankFileChecks, 'select 1')).toEqual([])
  expect(await findingsAfter(database, bankFileChecks, broken)).toContain(check)
})
