// Each check of the audit finds its own broken rows.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refundedTwice } from '../../src/bank-files/incoming/model.ts'
import { derivedId } from '../../src/kernel/random.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { refundKeyOf } from '../../src/suspense/hold.ts'
import { declaredChecks as checks } from '../audit-checks.ts'
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

/** Drops the constraints of a table, so that a test can write wrong rows. Columns that no check reads keep theirs. */
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

/** SQL that writes a row with only these columns. */
function row(table: string, columns: Readonly<Record<string, Value>>): string {
  const values = Object.values(columns).map((value) => (typeof value === 'string' ? `'${value}'` : value))
  return `${loosened(table)} insert into ${table} (${Object.keys(columns).join(', ')}) overriding system value values (${values.join(', ')});`
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
const disputed = (columns: Readonly<Record<string, Value>>) =>
  row('rail_shortfalls', { wallet_id: 7, operation_id: b, report_id: c, channel: 'RAIL', ...columns }) +
  operation({})
const withdrawn = (amount: number) => refund({ amount, rail_payment_id: c })
const paidByWallet = operation({ method: 'PAYPAL', attempt_id: a })
const reversal = (columns: Readonly<Record<string, Value>>) =>
  row('sandbox.wallet_reversals', { key: a, amount: 100, state: 'taken', ...columns })

it.each([
  ['a returned debit without a clawback', returnedDebit, 'returned_debits_are_withdrawn'],
  [
    'a returned debit with a clawback above the return',
    returnedDebit +
      refund({ channel: 'BANK', rail_payment_id: c }) +
      refund({ id: c, amount: -1, rail_payment_id: c, channel: 'API' }),
    'returned_debits_are_withdrawn',
  ],
  [
    'a dispute whose clawback was returned since',
    row('rail_shortfalls', { wallet_id: 7, operation_id: b, report_id: c, missing: 100 }) +
      operation({ id: b, type: 'PAYMENT', amount: 100, refunded: 0, came_back: 100 }),
    'what_rails_took_is_withdrawn_when_it_comes_back',
  ],
  [
    'a dispute with a missing amount above the unborne one',
    disputed({ withdrawn: 100, reinstated: 0, missing: 41 }) + withdrawn(-60),
    'disputes_are_borne_or_lack_it',
  ],
  [
    'a dispute with less given back than reinstated, an hour later',
    disputed({ withdrawn: 100, reinstated: 100, missing: 0, noted_at: '2026-01-01' }) + withdrawn(-100),
    'disputes_are_borne_or_lack_it',
  ],
  [
    'a dispute with two clawbacks',
    disputed({ withdrawn: 100, reinstated: 0, missing: 0 }) + withdrawn(-101),
    'disputes_are_borne_or_lack_it',
  ],
  [
    'a returned debit whose refund came back before',
    returnedDebit + refund({}) + refund({ id: c, amount: 1, parent_id: a }),
    'returned_debits_are_withdrawn',
  ],
  [
    'a reversal with a cent missing from its clawback',
    paidByWallet + reversal({}) + refund({ amount: -99 }),
    'reversals_of_the_online_wallet_are_withdrawn',
  ],
  [
    'a reinstated reversal that did not reach its merchant',
    paidByWallet + reversal({ state: 'given_again' }) + refund({}),
    'reversals_of_the_online_wallet_are_withdrawn',
  ],
  [
    'a clawback without a reversal',
    paidByWallet + refund({}),
    'reversals_of_the_online_wallet_are_withdrawn',
  ],
  [
    'an approval by a mandate whose limit does not count it',
    row('sandbox.phone_requests', { key: a, state: 'approved', by_mandate: c }) +
      operation({ method: 'MBWAY', attempt_id: a }),
    'limits_of_mandates_count_what_the_phone_approved_by_them',
  ],
  [
    'an approval by a PIN that the limit of a mandate counts',
    row('sandbox.phone_requests', { key: a, state: 'approved' }) +
      operation({ method: 'MBWAY', attempt_id: a }) +
      row('mandate_reservations', { wallet_id: 7, id: a, amount: 100 }),
    'limits_of_mandates_count_what_the_phone_approved_by_them',
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
    'a payment by transfer without a transfer',
    row('wallets', { id: 7, kind: 'merchant' }) +
      operation({ method: 'BANK', channel: 'BANK' }) +
      row('incoming_transfers', { id: a, wallet_id: 8, operation_id: b, amount: 100 }),
    'payments_by_transfer_have_their_transfer',
  ],
  [
    'a top-up of a consumer without a transfer',
    row('wallets', { id: 7, kind: 'consumer' }) + operation({ method: 'BANK', attempt_id: b }),
    'payments_by_transfer_have_their_transfer',
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
    "a refund by transfer to another account than the debtor's",
    row('bank_orders', { id: a, wallet_id: 7, kind: 'collection', party_iban: 'PT50000201231234567890154' }) +
      row('bank_orders', {
        ...{ id: b, wallet_id: 7, kind: 'transfer', refund_of: a },
        party_iban: 'NL41MOCK0000000001',
      }),
    'refunds_by_transfer_go_back_to_the_debtor',
  ],
  [
    'a refund of a reference to nobody',
    refund({ method: 'MB', channel: 'API', status: 'COMPLETED' }),
    'refunds_of_references_go_to_a_named_account',
  ],
  [
    'a refund of a reference over more than its order',
    refund({ method: 'MB', channel: 'API', status: 'PENDING' }) +
      row('account_refunds', { id: a, wallet_id: 7, named_at: '2026-01-02', send_on: '2026-01-02' }) +
      row('bank_orders', { id: a, wallet_id: 7, amount: 99, refund_of: b, due_on: '2026-01-05' }),
    'refunds_of_references_go_to_a_named_account',
  ],
  [
    'an order before the account is named',
    refund({ method: 'MB', channel: 'API', status: 'PENDING' }) +
      row('account_refunds', { id: a, wallet_id: 7, expires_at: '2026-02-02' }) +
      row('bank_orders', { id: a, wallet_id: 7, amount: 100, refund_of: b, due_on: '2026-01-05' }),
    'refunds_of_references_go_to_a_named_account',
  ],
  [
    'a refund on the day of its payment',
    operation({ method: 'MB', settled_at: '2026-01-02 10:00+00' }) +
      refund({ method: 'MB', channel: 'API' }) +
      row('account_refunds', { id: a, wallet_id: 7, named_at: '2026-01-02', send_on: '2026-01-02' }),
    'refunds_of_references_wait_for_their_money',
  ],
  [
    'an account of no refund',
    row('account_refunds', { id: a, wallet_id: 7, named_at: '2026-01-02', send_on: '2026-01-02' }),
    'accounts_of_refunds_have_a_refund',
  ],
  [
    "a debit that is collected from another account than the signer's",
    row('bank_orders', { id: a, wallet_id: 7, kind: 'collection', party_iban: 'NL41MOCK0000000001' }) +
      attempt({ method: 'SEPA', details: '{"debtor":{"iban":"PT50000201231234567890154"}}' }),
    'collections_are_of_their_debtor',
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
    'a mandate that was paid with, and never arrived',
    attempt({ method: 'MBWAY', details: `{"opensMandateId":"${b}"}` }),
    'mandates_follow_the_payment_they_came_with',
  ],
  ['a card that was kept', attempt({ sealed_card: '\\x00' }), 'ended_attempts_keep_no_card'],
  [
    'a checkout without its subscription',
    row('checkouts', { id: a, wallet_id: 7, subscription_id: b }),
    'checkouts_have_subscriptions',
  ],
  [
    'a capture total without captures',
    operation({ type: 'AUTH', captured: 1, captures: 1 }),
    'taken_of_authorizations',
  ],
  ['a capture without its authorization', operation({ type: 'CAPTURE' }), 'children_have_their_parent'],
  ['an operation that search does not find', operation({}), 'operations_are_searched_as_they_are'],
  [
    'a day that counts an operation that search does not find',
    row('operation_days', { wallet_id: 7, day: '2026-03-02', facet: 1, operations: 1, amount: 100 }),
    'days_count_what_is_searched',
  ],
  [
    'a link that counts a payment of none',
    row('operation_links', { wallet_id: 7, payment_link_id: b, id: a, facet: 1, amount: 100 }),
    'links_have_their_payments',
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

/** Numbers of accounts. Those below zero belong to the gateway, 7 to 9 to merchants, 17 and 18 to consumers. */
const [cc, bank, mb, fees, suspense] = [-1, -2, -3, -4, -5]
const gatewayAccounts = ['clearing:CC', 'clearing:BANK', 'clearing:MB', 'fees', 'suspense']
const accounts = [
  ...gatewayAccounts.map((kind, index) => ({ id: -1 - index, wallet_id: 0, kind })),
  ...[7, 8, 9].map((id) => ({ id, wallet_id: id, kind: 'merchant' })),
  ...[17, 18].map((id) => ({ id, wallet_id: id, kind: 'consumer' })),
]
  .map((account) => row('accounts', account))
  .join('')

/** A posting of operation `b`, of wallet 7. */
const posting = (debit: number, credit: number, columns: Readonly<Record<string, Value>> = {}) =>
  row('postings', {
    ...{ wallet_id: 7, operation_id: b, purpose: 'settle', amount: 100 },
    ...{ debit_account: debit, credit_account: credit, ...columns },
  })
const split = { purpose: 'split' }
const paidBy = (method: string) => operation({ method })
const refunded = (columns: Readonly<Record<string, Value>> = {}) =>
  operation({ type: 'REFUND', method: 'CC', amount: -100, parent_id: a, ...columns })
const payout = operation({ type: 'WALLETFUNDS', method: 'BANK', amount: -100 })
const shareOf8 = row('shares', {
  wallet_id: 7,
  operation_id: b,
  position: 0,
  merchant_wallet_id: 8,
  amount: 40,
})
const takeOf8 = { share_refunds: '[{"position":0,"wallet":"8","amount":40}]' }

it.each([
  ['a merchant pays another, of a payment', paidBy('CC') + posting(8, 9)],
  ['a merchant pays the one that was paid', paidBy('CC') + posting(8, 7)],
  ['the fees are paid out with a payment', paidBy('CC') + posting(fees, 7)],
  ['another rail owes a payment', paidBy('CC') + posting(mb, 7)],
  ['a consumer owes a payment by card', paidBy('CC') + posting(17, 7)],
  ['another merchant is paid', paidBy('CC') + posting(cc, 9)],
  ['a payment by card goes the other way', paidBy('CC') + posting(7, cc)],
  ['a payment is divided, and is not', paidBy('CC') + posting(7, 9, split)],
  ['the fees are divided', paidBy('CC') + shareOf8 + posting(fees, 7, split)],
  [
    'a capture is divided among who has no share',
    operation({ type: 'CAPTURE', method: 'CC' }) + posting(cc, 9, split),
  ],
  ['a share goes to another', paidBy('CC') + shareOf8 + posting(7, 9, { amount: 40 })],
  ['a share is another amount', paidBy('CC') + shareOf8 + posting(7, 8, { ...split, amount: 41 })],
  ['a share does not pass through the owner', paidBy('CC') + shareOf8 + posting(cc, 8, { amount: 40 })],
  ['a hold is booked', operation({ type: 'AUTH', method: 'CC' }) + posting(cc, 7)],
  ['a release is booked', operation({ type: 'RELEASE', method: 'CC' }) + posting(7, cc)],
  [
    "a sub-merchant's operation of a share is booked",
    operation({ type: 'USERTRANSFER', method: 'CC' }) + posting(fees, 7),
  ],
  ['the fees bear a refund', refunded() + posting(fees, cc)],
  ['a refund pays the fees', refunded() + posting(7, fees)],
  ['another merchant bears a refund', refunded() + posting(8, 7)],
  ['a merchant pays another, of a refund', refunded() + posting(8, 9)],
  ['a refund takes more from a share', refunded(takeOf8) + posting(8, 7, { amount: 41 })],
  ['a refund takes from a merchant without a share', refunded(takeOf8) + posting(9, 7, { amount: 40 })],
  ['a refund gives to a share', refunded(takeOf8) + posting(7, 8, { amount: 40 })],
  ['a refund is divided', refunded(takeOf8) + posting(8, 7, { ...split, amount: 40 })],
  [
    'a refund goes to the balance of another',
    refunded({ method: 'WALLET' }) + posting(17, 7, { operation_id: a }) + posting(7, 18),
  ],
  ['a payout goes to another merchant', payout + posting(7, 9)],
  ['a payout moves another amount', payout + posting(7, bank, { amount: 101 })],
  ['a payout takes of the fees', payout + posting(fees, 9)],
  ['an unknown purpose', paidBy('CC') + posting(cc, 7, { purpose: 'gift' })],
])('a posting by which %s does not belong to its operation', async (_, broken) => {
  expect(await findingsAfter(database, checks, accounts + broken)).toContain(
    'postings_are_of_their_operation',
  )
})

const moved = (debit: number, credit: number, columns: Readonly<Record<string, Value>> = {}) =>
  posting(debit, credit, { wallet_id: 0, operation_id: a, purpose: 'suspense', ...columns })
const held = (columns: Readonly<Record<string, Value>> = {}) =>
  row('suspense_entries', {
    id: a,
    wallet_id: 0,
    method: 'MB',
    state: 'OPEN',
    amount: 100,
    refunds: 0,
    ...columns,
  })
const unmatched = (columns: Readonly<Record<string, Value>> = {}) =>
  row('bank_entries', {
    id: a,
    wallet_id: 0,
    state: 'UNMATCHED',
    direction: 'credit',
    amount: 100,
    ...columns,
  })

it.each([
  ['pays the fees out', moved(fees, 7)],
  ['moves money between merchants', moved(7, 9)],
  ['pays a merchant', moved(cc, 9)],
  ['is of no entry', moved(mb, suspense)],
  ['pays a merchant out of suspense', held() + moved(suspense, 9)],
  ['comes over another rail', held() + moved(bank, suspense)],
  ['has another amount', held() + moved(mb, suspense, { amount: 101 })],
  ['is of a wallet', held() + moved(mb, suspense, { wallet_id: 7 })],
  ['gives back what is held', held() + moved(suspense, mb)],
  [
    'gives back under a key of no try',
    held({ refunds: 1 }) + moved(suspense, mb, { operation_id: refundKeyOf(a, 2) }),
  ],
  ['takes away what nobody resolved', unmatched() + moved(suspense, bank)],
  ['is a posting of a bank charge', unmatched({ direction: 'debit' }) + moved(bank, suspense)],
  ['is of a payment', held() + paidBy('MB') + moved(suspense, mb, { operation_id: b })],
])('a posting of suspense that %s has no entry', async (_, broken) => {
  expect(await findingsAfter(database, checks, accounts + broken)).toContain(
    'postings_of_suspense_are_of_an_entry',
  )
})

it.each([
  ['a payment', paidBy('CC') + posting(cc, 7, { amount: 90 }) + posting(cc, fees, { amount: 10 })],
  ['a payment from a balance', paidBy('WALLET') + posting(17, 7) + posting(17, fees)],
  ['a capture', operation({ type: 'CAPTURE', method: 'CC' }) + posting(cc, 7)],
  ['a top-up', operation({ method: 'BANK', wallet_id: 17 }) + posting(bank, 17, { wallet_id: 17 })],
  [
    'a payment that was divided at once',
    paidBy('CC') + shareOf8 + posting(cc, 7) + posting(7, 8, { amount: 40 }),
  ],
  [
    'a payment divided by hand',
    paidBy('CC') + shareOf8 + posting(cc, 7) + posting(7, 8, { ...split, amount: 40 }),
  ],
  ['a refund', refunded(takeOf8) + posting(7, cc) + posting(8, 7, { amount: 40 })],
  [
    'a refund that came back',
    refunded({ ...takeOf8, amount: 100 }) + posting(cc, 7) + posting(7, 8, { amount: 40 }),
  ],
  [
    'a refund to a balance',
    refunded({ method: 'WALLET' }) + posting(17, 7, { operation_id: a }) + posting(7, 17),
  ],
  ['a payout', payout + posting(7, bank)],
  ['a payout that came back', operation({ type: 'WALLETFUNDS', method: 'BANK' }) + posting(bank, 7)],
  ['an entry in suspense', held() + moved(mb, suspense)],
  ['an entry that was assigned', held({ operation_id: b }) + moved(suspense, mb, { operation_id: b })],
  [
    'an entry that was given back by transfer, after its provider could not',
    held({ refunds: 2 }) +
      moved(suspense, mb, { operation_id: refundKeyOf(a, 1) }) +
      moved(mb, suspense, { operation_id: refundKeyOf(a, 1) }) +
      moved(suspense, bank, { operation_id: refundKeyOf(a, 2) }),
  ],
  [
    'an entry that could not be given back forty times',
    held({ refunds: 40 }) +
      Array.from({ length: 40 }, (_, index) => refundKeyOf(a, index + 1))
        .map((key) => moved(suspense, mb, { operation_id: key }) + moved(mb, suspense, { operation_id: key }))
        .join(''),
  ],
  ['an entry of the bank', unmatched() + moved(bank, suspense)],
  [
    'an entry of the bank that was resolved',
    unmatched({ state: 'RESOLVED' }) + moved(bank, suspense) + moved(suspense, bank),
  ],
])('%s posts what it may', async (_, books) => {
  const found = await findingsAfter(database, checks, accounts + books)
  expect(found.filter((name) => name.startsWith('postings_of_') || name.startsWith('postings_are_'))).toEqual(
    [],
  )
})

/** A return of operation `b`. */
const gaveBack = (type: string, columns: Readonly<Record<string, Value>> = {}) =>
  operation({ id: c, type, parent_id: b, channel: 'BANK', ...columns })
const sent = (type: string, answer: string, columns: Readonly<Record<string, Value>> = {}) =>
  operation({ type, amount: -100, ...columns }) +
  row('bank_orders', { id: b, wallet_id: 7, kind: 'transfer', operation_id: b, amount: 100, answer })

it.each([
  ['a payout that was paid', sent('WALLETFUNDS', 'paid') + gaveBack('WALLETFUNDS')],
  [
    'a payout, as if another rail said so',
    sent('WALLETFUNDS', 'paid') + gaveBack('WALLETFUNDS', { channel: 'RAIL' }),
  ],
  ['a refund by transfer that was paid', sent('REFUND', 'paid') + gaveBack('REFUND')],
  ['a payout that failed', sent('WALLETFUNDS', 'returned', { status: 'FAIL' }) + gaveBack('WALLETFUNDS')],
  ['more of a payout', sent('WALLETFUNDS', 'returned') + gaveBack('WALLETFUNDS', { amount: 101 })],
  [
    'a payout, a second time',
    sent('WALLETFUNDS', 'returned') + gaveBack('WALLETFUNDS') + gaveBack('WALLETFUNDS', { id: a }),
  ],
  [
    'a refund by card, a second time',
    refunded() + gaveBack('REFUND', { channel: 'RAIL' }) + gaveBack('REFUND', { id: a, channel: 'RAIL' }),
  ],
  ['a refund that a bank did not send', refunded() + gaveBack('REFUND', { amount: 101, channel: 'RAIL' })],
  ['a payment', paidBy('CC') + gaveBack('REFUND')],
  ['nothing', gaveBack('WALLETFUNDS', { parent_id: a })],
])('a false return is found: %s', async (_, broken) => {
  expect(await findingsAfter(database, checks, broken)).toContain('what_came_back_was_sent')
})

it.each([
  ['a payout', sent('WALLETFUNDS', 'returned') + gaveBack('WALLETFUNDS')],
  ['a refund by transfer', sent('REFUND', 'returned') + gaveBack('REFUND')],
  ['a refund by card', refunded() + gaveBack('REFUND', { channel: 'RAIL' })],
  [
    'a part of a dispute',
    refunded({ channel: 'RAIL' }) + gaveBack('REFUND', { channel: 'RAIL', amount: 40 }),
  ],
])('a right return is accepted: %s', async (_, books) => {
  expect(await findingsAfter(database, checks, books)).not.toContain('what_came_back_was_sent')
})

const order = (columns: Readonly<Record<string, Value>> = {}) =>
  row('bank_orders', { id: a, wallet_id: 7, kind: 'collection', operation_id: b, amount: 100, ...columns })
const transfer = (columns: Readonly<Record<string, Value>> = {}) =>
  order({ kind: 'transfer', operation_id: a, ...columns })
const asked = attempt({ method: 'SEPA' })

it.each([
  ['nothing', transfer()],
  ['a payment', operation({ id: a, amount: -100 }) + transfer()],
  ['a payout of another amount', operation({ id: a, type: 'WALLETFUNDS', amount: -99 }) + transfer()],
  [
    'a refund of another amount',
    refund({ amount: -3 }) + order({ id: c }) + transfer({ amount: 3000, refund_of: c }),
  ],
  ['a refund of another debit', refund({}) + order({ id: c, operation_id: c }) + transfer({ refund_of: c })],
  ['a debit of another amount', attempt({ method: 'SEPA', amount: 99 }) + order()],
  ['a debit of another operation', attempt({ method: 'SEPA', operation_id: c }) + order()],
])('an order of the bank for %s has no reason', async (_, broken) => {
  expect(await findingsAfter(database, checks, broken)).toContain('bank_orders_are_for_something')
})

it.each([
  ['nothing', transfer({ wallet_id: 0 })],
  ['no try', held({ refunds: 1 }) + order({ id: refundKeyOf(a, 2), wallet_id: 0, kind: 'transfer' })],
  [
    'less',
    held({ refunds: 1, amount: 99 }) + order({ id: refundKeyOf(a, 1), wallet_id: 0, kind: 'transfer' }),
  ],
  ['a collection', held({ refunds: 1 }) + order({ id: refundKeyOf(a, 1), wallet_id: 0 })],
])('an order of the gateway for %s refunds no entry in suspense', async (_, broken) => {
  expect(await findingsAfter(database, checks, broken)).toContain('transfers_out_of_suspense_are_of_an_entry')
})

/** The bank's entry for order `a`, in a file. */
const entry = (columns: Readonly<Record<string, Value>> = {}) =>
  row('bank_entries', {
    ...{
      id: b,
      wallet_id: 7,
      order_id: a,
      report_id: c,
      state: 'ORDER',
      direction: 'credit',
      amount: 100,
      ...columns,
    },
  })
const cameBack = (columns: Readonly<Record<string, Value>> = {}) =>
  entry({ id: c, direction: 'debit', ...columns })
const toldOperator = row('bank_entries', {
  ...{
    id: derivedId(c, refundedTwice),
    wallet_id: 0,
    report_id: c,
    state: 'UNMATCHED',
    direction: 'debit',
    amount: 40,
  },
})
const bankReport = (columns: Readonly<Record<string, Value>>) =>
  row('bank_reports', { id: c, kind: 'statement', imported_at: '2026-03-02', ...columns })
const paid = { answer: 'paid', answered_at: '2026-03-02' }
const returned = { answer: 'returned', answered_at: '2026-03-02' }

it.each([
  ['a debit without a paid entry in a file', order(paid)],
  ['a debit that is paid by an outgoing entry', order(paid) + cameBack()],
  ['a transfer that is paid by an incoming entry', transfer(paid) + entry()],
  ['a debit that a file says was paid', order() + entry()],
  ['a debit that was paid twice', order(paid) + entry() + entry({ id: a })],
  ['a debit of which less was paid', order(paid) + entry({ amount: 99 })],
  ['a debit that came back, and is paid', order(paid) + entry() + cameBack()],
  ['a debit that no file says came back', order(returned) + bankReport({})],
  [
    'a debit that was refused at another time',
    order(returned) + bankReport({ kind: 'status', imported_at: '2026-03-03' }),
  ],
  [
    'a debit that was paid, and that no file says came back',
    order(returned) + entry() + bankReport({ kind: 'status' }),
  ],
  ['a debit of which nothing came back', order(returned) + entry() + cameBack({ amount: 0 })],
  [
    'a debit with a return that the operator did not see',
    order(returned) + entry() + cameBack({ amount: 50 }) + toldOperator,
  ],
  ['no order', entry()],
])('the answer of a bank to %s has no entry', async (_, broken) => {
  expect(await findingsAfter(database, checks, broken)).toContain(
    'bank_orders_are_answered_as_the_bank_booked_them',
  )
})

it.each([
  ['more entries', { entries: 2, credited: 100, debited: 0 }],
  ['fewer entries', { entries: 0, credited: 0, debited: 0 }],
  ['other amounts', { entries: 1, credited: 101, debited: 0 }],
  ['entries of the other direction', { entries: 1, credited: 0, debited: 100 }],
  ['entries with other texts', { entries: 1, credited: 100, debited: 0, digest: '00' }],
  ['no entries', { entries: 1, credited: 100, debited: 0, digest: '' }],
])('a file of the bank that had %s has lost entries', async (_, columns) => {
  expect(await findingsAfter(database, checks, bankReport(columns) + entry())).toContain(
    'files_of_the_bank_keep_their_entries',
  )
})

it.each([
  ['a debit on its way', asked + order()],
  ['a debit that was paid', asked + order(paid) + entry()],
  ['a debit that was refused', asked + order(returned) + bankReport({ kind: 'status' })],
  ['a debit that came back at once', asked + order(returned) + cameBack()],
  ['a debit that came back later', asked + order(returned) + entry() + cameBack()],
  [
    'a debit that came back after a refund was sent',
    asked + order(returned) + entry() + cameBack({ amount: 60 }) + toldOperator,
  ],
  [
    'a payout that came back',
    operation({ id: a, type: 'WALLETFUNDS', amount: -100 }) + transfer(returned) + cameBack() + entry(),
  ],
  [
    'a refund',
    refund({}) + attempt({ id: c, method: 'SEPA' }) + order({ id: c }) + transfer({ refund_of: c }),
  ],
  ['a refund of before', refund({}) + transfer()],
  [
    'a second refund from suspense',
    held({ refunds: 2 }) + order({ id: refundKeyOf(a, 2), wallet_id: 0, kind: 'transfer' }),
  ],
  [
    'a file',
    bankReport({ entries: 2, credited: 100, debited: 7 }) +
      order(paid) +
      asked +
      entry() +
      unmatched({ report_id: c, direction: 'debit', amount: 7 }),
  ],
  ['a file of before', bankReport({}) + asked + order(paid) + entry()],
])("%s equals the bank's entry", async (_, books) => {
  const found = await findingsAfter(database, checks, books)
  expect(
    found.filter(
      (name) => name.startsWith('bank_orders_') || /_(out_of_suspense|of_the_bank_keep)_/.test(name),
    ),
  ).toEqual([])
})

/** The operation of merchant 8 for a share of payment `b`, and a refund's part of it. */
const [seen, share] = [
  c,
  { wallet_id: 7, operation_id: b, position: 0, merchant_wallet_id: 8, transfer_id: c },
]
const divided = row('shares', share)
const takes = (take: object = {}) => ({
  share_refunds: JSON.stringify([{ position: 0, wallet: '8', transfer: seen, amount: 40, ...take }]),
})

it.each([
  ['a payment that was not divided', refund(takes())],
  ['another share', divided + refund(takes({ position: 1 }))],
  ['the share of another', divided + refund(takes({ wallet: '9' }))],
  ['a share that was seen otherwise', divided + refund(takes({ transfer: a }))],
  ['a payment, as if it had come back', divided + refund({ ...takes(), amount: 100 })],
  [
    'another payment, which came back',
    divided + refund({ parent_id: seen }) + refund({ ...takes(), id: seen, parent_id: a, amount: 100 }),
  ],
])('a take of %s is of no share', async (_, broken) => {
  expect(await findingsAfter(database, checks, broken)).toContain('takes_are_of_a_share')
})

const shown = (columns: Readonly<Record<string, Value>>) =>
  operation({ id: seen, wallet_id: 8, type: 'USERTRANSFER', ...columns })

it.each([
  ['nothing', shown({ parent_id: b })],
  ['the share of another', divided + shown({ wallet_id: 9 })],
  ['a return of another operation', divided + shown({ id: a, wallet_id: 9, parent_id: seen })],
])('a transfer of a split that shows %s has no share', async (_, broken) => {
  expect(await findingsAfter(database, checks, broken)).toContain('transfers_of_splits_are_of_a_share')
})

it.each([
  ['a share', divided + shown({ parent_id: b })],
  ['a take', divided + refund(takes()) + shown({ id: a, amount: -40, parent_id: seen })],
  [
    'a take that came back',
    divided + refund(takes()) + refund({ ...takes(), id: seen, parent_id: a, amount: 100 }),
  ],
  ['a take of old books', divided + refund(takes({ transfer: null }))],
])('%s has a share', async (_, books) => {
  const found = await findingsAfter(database, checks, books)
  expect(found.filter((name) => name.endsWith('_of_a_share'))).toEqual([])
})

const onDays = (...days: readonly (readonly [string, number])[]) =>
  days
    .map(([day, gross]) =>
      row('account_days', { account_id: 7, day, kind: 'payment', method: 'CC', gross, fee: 3, entries: 1 }),
    )
    .join('')
/** In summer a day begins an hour before midnight UTC. */
const onTwoDays = `${accounts}
  ${posting(cc, 7, { id: 1, operation_id: a, created_at: '2026-06-01T22:59:00Z' })}
  ${posting(cc, 7, { id: 2, created_at: '2026-06-01T23:00:00Z' })}
  ${posting(7, bank, { id: 3, created_at: '2026-06-02T12:00:00Z', amount: 10 })}
  ${posting(cc, 7, { id: 4, operation_id: c, created_at: '2026-06-02T12:00:00Z' })}
  update account_days_upto set upto = 3;`

it.each([
  ['a cent more on one', onDays(['2026-06-01', 104], ['2026-06-02', 93])],
  ['a cent of one on the other', onDays(['2026-06-01', 104], ['2026-06-02', 92])],
  ['only one', onDays(['2026-06-01', 103])],
  ['one of nothing', onDays(['2026-06-01', 103], ['2026-06-02', 93], ['2026-06-03', 4])],
])('days of a statement with %s do not add up', async (_, days) => {
  expect(await findingsAfter(database, checks, onTwoDays + days)).toContain(
    'days_of_accounts_add_up_to_their_postings',
  )
})

it('days of a statement equal their postings, up to their last one', async () => {
  const days = onDays(['2026-06-01', 103], ['2026-06-02', 93])
  expect(await findingsAfter(database, checks, onTwoDays + days)).not.toContain(
    'days_of_accounts_add_up_to_their_postings',
  )
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
