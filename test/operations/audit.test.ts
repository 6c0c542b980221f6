// Checks of the audit that no test of a whole world breaks: on tables of its own rows, each sees what it is for.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { railBooksChecks } from '../../sandbox/audit.ts'
import { referenceNetworkChecks } from '../../sandbox/references/audit.ts'
import { gatewayChecks } from '../../src/compose/audit.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { findingsAfter } from '../broken-books.ts'
import { createPostgresDatabase } from '../database.ts'

let database: Database
beforeAll(async () => {
  database = openPostgres({ url: await createPostgresDatabase() })
})
afterAll(() => database.close())

const [a, b, c] = ['a', 'b', 'c'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
]
const checks = [...gatewayChecks, ...railBooksChecks, ...referenceNetworkChecks]

/** Takes from a table what would keep broken rows out, and says nothing of columns that a check does not look at. */
const loosened = (table: string) => `
  do $$
  declare found record;
  begin
    for found in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c' loop
      execute format('alter table ${table} drop constraint %I', found.conname);
    end loop;
    for found in
      select attname from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and attnotnull and not attisdropped
        and attidentity = '' and attgenerated = '' and not attnum = any (
          select unnest(conkey) from pg_constraint where conrelid = '${table}'::regclass and contype = 'p'
        )
    loop
      execute format('alter table ${table} alter column %I drop not null', found.attname);
    end loop;
  end $$;`

type Value = string | number | boolean

/** SQL that writes a row of these columns alone. */
function row(table: string, columns: Readonly<Record<string, Value>>): string {
  const values = Object.values(columns).map((value) => (typeof value === 'string' ? `'${value}'` : value))
  return `${loosened(table)} insert into ${table} (${Object.keys(columns).join(', ')}) values (${values.join(', ')});`
}

const operation = (columns: Readonly<Record<string, Value>>) =>
  row('operations', { id: b, wallet_id: 7, type: 'PAYMENT', status: 'COMPLETED', amount: 100, ...columns })
const attempt = (columns: Readonly<Record<string, Value>>) =>
  row('attempts', {
    id: a,
    wallet_id: 7,
    operation_id: b,
    method: 'CC',
    owner: 'checkout',
    state: 'APPROVED',
    amount: 100,
    ...columns,
  })
const reference = { id: a, wallet_id: 7, entity: '12345', ref: '123456789', number: 5, amount_max: 100 }

const returnedDebit = attempt({ method: 'SEPA', state: 'RETURNED', ended_at: '2026-01-02' })
const refund = (columns: Readonly<Record<string, Value>>) =>
  operation({
    id: a,
    type: 'REFUND',
    amount: -100,
    parent_id: b,
    created_at: '2026-01-01',
    channel: 'RAIL',
    ...columns,
  })
const paidByWallet = operation({ method: 'PAYPAL', attempt_id: a })
const reversal = (columns: Readonly<Record<string, Value>>) =>
  row('sandbox.wallet_reversals', { key: a, amount: 100, state: 'taken', ...columns })

it.each([
  ['a returned debit of which nothing was withdrawn', returnedDebit, 'returned_debits_are_withdrawn'],
  [
    'a returned debit of which more was withdrawn than came back',
    returnedDebit +
      refund({ channel: 'BANK', rail_payment_id: c }) +
      refund({ id: c, amount: -1, rail_payment_id: c, channel: 'API' }),
    'returned_debits_are_withdrawn',
  ],
  [
    'what a dispute had taken, and came back since',
    row('rail_shortfalls', { wallet_id: 7, operation_id: b, report_id: c, missing: 100 }) +
      operation({ id: b, type: 'PAYMENT', amount: 100, refunded: 0, came_back: 100 }),
    'what_rails_took_is_withdrawn_when_it_comes_back',
  ],
  [
    'a returned debit whose refund came back before',
    returnedDebit + refund({}) + refund({ id: c, amount: 1, parent_id: a }),
    'returned_debits_are_withdrawn',
  ],
  [
    'a reversal of which a cent was not withdrawn',
    paidByWallet + reversal({}) + refund({ amount: -99 }),
    'reversals_of_the_online_wallet_are_withdrawn',
  ],
  [
    'a reversal that was given again, and not to its merchant',
    paidByWallet + reversal({ state: 'given_again' }) + refund({}),
    'reversals_of_the_online_wallet_are_withdrawn',
  ],
  [
    'a withdrawal of what nobody reversed',
    paidByWallet + refund({}),
    'reversals_of_the_online_wallet_are_withdrawn',
  ],
  [
    'a reference of nothing',
    row('bank_references', { ...reference, operation_id: b }),
    'references_pay_their_operation',
  ],
  [
    'a reference that nothing ends',
    operation({ status: 'PENDING', attempt_id: a }) +
      row('bank_references', { ...reference, operation_id: b }),
    'open_references_end',
  ],
  [
    'a number that two references hold',
    `drop index bank_references_by_number;
     ${row('bank_references', { ...reference, number_held: true })}
     ${row('bank_references', { ...reference, id: b, number_held: true })}`,
    'references_of_an_entity_are_unique',
  ],
  [
    'a reference paid without a payment',
    operation({ method: 'MB' }),
    'operations_paid_by_reference_were_paid_once',
  ],
  [
    'a payment of a reference without an operation',
    row('bank_reference_notices', { payment_id: a, wallet_id: 7, operation_id: b, amount: 100 }),
    'taken_payments_became_operations',
  ],
  [
    'a payment that the network accepted, and nobody booked',
    row('sandbox.reference_payments', { id: a, state: 'ACCEPTED', operation_id: b, amount: 100 }),
    'accepted_payments_of_the_network_are_booked',
  ],
  [
    'a payment that no balance paid',
    row('balance_payments', { id: a, wallet_id: 7, operation_id: b, consumer_id: 9, amount: 100 }),
    'balance_payments_debited_their_consumer',
  ],
  [
    'a transfer that topped nothing up',
    row('incoming_transfers', { id: a, wallet_id: 7, operation_id: b, amount: 100 }),
    'transfers_topped_up_their_wallet',
  ],
  [
    'a transfer of the bank that is gone, and belonged to nobody yet',
    row('bank_entries', { id: a, wallet_id: 0, state: 'TRANSFER', amount: 100, currency: 'EUR' }),
    'transfers_of_the_bank_have_arrived',
  ],
  [
    'a transfer that came from another account than the bank says',
    row('bank_entries', {
      ...{ id: a, wallet_id: 0, state: 'TRANSFER', amount: 100, currency: 'EUR' },
      party_iban: 'PT50000201231234567890154',
    }) + row('incoming_transfers', { id: a, amount: 100, currency: 'EUR', iban: 'NL41MOCK0000000001' }),
    'transfers_of_the_bank_have_arrived',
  ],
  [
    'a payout to an IBAN that its wallet has never had',
    operation({ type: 'WALLETFUNDS', amount: -100 }) +
      row('bank_orders', { id: b, wallet_id: 7, kind: 'transfer', party_iban: 'NL41MOCK0000000001' }) +
      row('wallet_ibans', { wallet_id: 7, iban: 'PT50000201231234567890154' }) +
      row('wallet_ibans', { wallet_id: 8, iban: 'NL41MOCK0000000001' }),
    'payouts_go_to_an_iban_of_their_wallet',
  ],
  [
    'a refund by transfer to another than the debtor',
    row('bank_orders', { id: a, wallet_id: 7, kind: 'collection', party_iban: 'PT50000201231234567890154' }) +
      row('bank_orders', {
        ...{ id: b, wallet_id: 7, kind: 'transfer', refund_of: a },
        party_iban: 'NL41MOCK0000000001',
      }),
    'refunds_by_transfer_go_back_to_the_debtor',
  ],
  [
    'a payout without an order',
    operation({ type: 'WALLETFUNDS', amount: -100 }),
    'payouts_left_the_wallet_and_have_an_order',
  ],
  [
    'a transfer that came back to nobody',
    operation({ type: 'REFUND', amount: -100 }) +
      row('bank_orders', { id: b, wallet_id: 7, kind: 'transfer', answer: 'returned' }),
    'transfers_that_came_back_are_given_back',
  ],
  [
    'a file with more than its orders',
    row('bank_files', { id: a, kind: 'transfer', name: 'F', orders: 1, total: 100 }),
    'bank_files_carry_their_orders',
  ],
  [
    'a payment from an online wallet without its operation',
    attempt({ method: 'PAYPAL' }),
    'paid_wallet_attempts_completed_their_operation',
  ],
  [
    'an operation paid from no online wallet',
    operation({ method: 'PAYPAL' }),
    'wallet_payments_have_their_attempt',
  ],
  ['a debit without its operation', attempt({ method: 'SEPA' }), 'debits_agree_with_their_operation'],
  ['an operation paid by no debit', operation({ method: 'SEPA' }), 'sepa_payments_have_a_debit_and_an_order'],
  [
    'a payment that outlives its attempt',
    operation({ status: 'PENDING' }) + attempt({ owner: 'card_api', state: 'DECLINED' }),
    'ended_attempts_ended_their_payment',
  ],
  [
    'a storing that outlives its attempt',
    row('card_storings', { id: a, wallet_id: 7, state: 'PENDING' }),
    'ended_attempts_ended_their_storing',
  ],
  [
    'two cards that paid one operation',
    attempt({}) + attempt({ id: b }),
    'one_approved_attempt_per_operation',
  ],
  [
    'a mandate that was paid with, and never came',
    attempt({ method: 'MBWAY', details: `{"opensMandateId":"${b}"}` }),
    'mandates_follow_the_payment_they_came_with',
  ],
  ['a card that was kept', attempt({ sealed_card: '\\x00' }), 'ended_attempts_keep_no_card'],
  [
    'a checkout without its subscription',
    row('checkouts', { id: a, wallet_id: 7, subscription_id: b }),
    'checkouts_have_subscriptions',
  ],
  ['captured by nothing', operation({ type: 'AUTH', captured: 1, captures: 1 }), 'taken_of_authorizations'],
  ['a capture of nothing', operation({ type: 'CAPTURE' }), 'children_have_their_parent'],
  ['an operation that nobody finds', operation({}), 'operations_are_searched_as_they_are'],
  [
    'a day that counts what nobody finds',
    row('operation_days', { wallet_id: 7, day: '2026-03-02', facet: 1, operations: 1, amount: 100 }),
    'days_count_what_is_searched',
  ],
  [
    'a provider that was not read for a week',
    row('statement_days', { connection_id: 1, day: '2026-03-02', failures: 169, last_error: 'away' }),
    'statements_are_read',
  ],
  [
    'a day of a limit that counts too little',
    row('limit_uses', { wallet_id: 7, day: '2026-03-02', operation_id: b, amount: 100 }) +
      row('limit_days', { wallet_id: 7, day: '2026-03-02', taken: 99 }),
    'days_of_limits_count_their_payments',
  ],
])('%s', async (_, broken, name) => {
  expect(await findingsAfter(database, checks, broken)).toContain(name)
})

it('finds nothing in empty books', async () => {
  expect(await findingsAfter(database, checks, 'select 1')).toEqual([])
})

it('every check is broken by a test', () => {
  const folder = join(import.meta.dirname, '..')
  const texts = globSync('**/*.test.ts', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  const unbroken = checks.filter(({ name }) => !texts.some((text) => text.includes(`'${name}'`)))
  expect(unbroken.map(({ name }) => name)).toEqual([])
})
