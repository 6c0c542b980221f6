// Audit checks: each row breaks the ledger in one way.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { declaredChecks as checks } from '../audit-checks.ts'
import { findingsAfter } from '../broken-books.ts'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import { cards, type World } from '../world.ts'

let world: World
let database: Database

beforeAll(async () => {
  world = await openWorld('postgres')
  await world.payOnPage(await world.createCheckout(), cards.frictionless)
  await world.payOnPage(await world.createCheckout(), cards.declined)
  await world.createCheckout()
  const phone = newPhone(world)
  const { body } = await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })
  await phone.approve(body.mandate_id, { amount_limit: 10 })
  for (const amount of [10, 20]) {
    const mbway = { phone: phone.number }
    await world.shop.post('/api/v2/payment', {
      method: 'MBWAY',
      type: 'PAYMENT',
      amount,
      currency: 'EUR',
      mbway,
    })
  }
  database = openPostgres({ url: world.databaseUrl as string })
})
afterAll(async () => {
  await database.close()
  await world.stop()
})

const paid = `status = 'COMPLETED' and wallet_id = 1000 and method = 'CC'`
const paidByPhone = `status = 'COMPLETED' and wallet_id = 1000 and method = 'MBWAY'`
/** A completed refund without a rail. */
const refundOf = (where: string) => `
  insert into operations (id, wallet_id, type, status, method, amount, currency, channel, parent_id,
    created_at, modified_at, settled_at)
  select gen_random_uuid(), wallet_id, 'REFUND', 'COMPLETED', method, -amount, currency, channel, id,
    created_at, modified_at, settled_at
  from operations where ${where}`
const paidOperation = `(select id from operations where ${paid})`
/** A card that a customer saved, by SQL. */
const savedCard = (customer: string) => `
  insert into stored_cards (wallet_id, token, wrapped_key, sealed_pan, fingerprint, bin, last4, brand, valdate, name,
    verification_status, kept_for, customer_id, created_at, modified_at)
  select 1000, gen_random_uuid(), decode(repeat('01', 80), 'hex'), decode(repeat('01', 80), 'hex'), decode(repeat('01', 32), 'hex'), '417666', '0027', 'visa', '12/2030', 'Ana',
    'VERIFIED', 'customer', ${customer}, now(), now()`
const byCard = `attempts.method = 'CC' and attempts.owner is not null`

it('runs every check that a module declares, and those of the chain', async () => {
  const { json } = await world.cli('audit')
  const ran = Object.keys((json as { checks: Record<string, number> }).checks)
  const names = checks.map(({ name }) => name)
  expect(ran).toEqual(expect.arrayContaining(names))
  expect(ran.filter((name) => !names.includes(name)).length).toBeGreaterThan(0)
})

it('runs every kind of due work when the clock moves', async () => {
  const ran = await world.advance('PT1S')
  expect(Object.keys(ran).toSorted()).toEqual(
    [
      ...[
        'auto_charges',
        'account_days',
        'attempts',
        'authorizations',
        'balance_rollups',
        'bank_entries',
        'callback_endpoints',
        'callbacks',
        'chain',
      ],
      ...['challenges', 'charges', 'checkouts', 'failed_sign_ins', 'mandates', 'online_wallet_notices'],
      ...['live_processes', 'mail', 'mail_about_cards'],
      ...[
        'operation_counts',
        'operation_search',
        'payouts',
        'reference_notices',
        'references',
        'request_log',
      ],
      ...['requests', 'secure_fields', 'statements', 'subscriptions', 'suspense'],
    ].toSorted(),
  )
})

it.each([
  [
    'a fee that was not booked',
    `update operations set fee = -1 where ${paid}`,
    'merchants_got_the_net_amount',
  ],
  [
    'the net amount on the account of another',
    `update postings set credit_account = (select max(id) from accounts where wallet_id = 1001)
     where credit_account = (select id from accounts where wallet_id = 1000 and kind = 'merchant')`,
    'merchants_got_the_net_amount',
  ],
  [
    'the net amount kept as a fee',
    `with gone as (
       delete from postings
       where credit_account = (select id from accounts where wallet_id = 1000 and kind = 'merchant')
       returning operation_id, amount
     )
     update postings set amount = postings.amount + gone.amount from gone
     where postings.operation_id = gone.operation_id
       and credit_account = (select id from accounts where kind = 'fees')`,
    'merchants_got_the_net_amount',
  ],
  ['an operation that no total counts', 'delete from operation_counts', 'operations_are_counted'],
  ['lost postings', 'delete from postings', 'settled_operations_are_posted'],
  [
    'a lost posting of two',
    `delete from postings where credit_account = (select id from accounts where kind = 'fees')`,
    'merchants_got_the_net_amount',
  ],
  [
    'a posting without a completed operation',
    `update postings set operation_id = (select id from operations where status = 'NEW')
     where operation_id = ${paidOperation}`,
    'postings_have_settled_operations',
  ],
  [
    'a posting from an account that nobody has',
    'update postings set debit_account = -999',
    'postings_name_accounts',
  ],
  [
    'a posting to an account that nobody has',
    'update postings set credit_account = 999 where credit_account > 0',
    'postings_name_accounts',
  ],
  [
    'a posting between two currencies',
    `update accounts set currency = 'USD' where kind = 'merchant'`,
    'postings_name_accounts',
  ],
  [
    'a balance rolled up too high',
    `insert into balance_rollups
     select credit_account, max(id), sum(amount) + 1 from postings where credit_account > 0 group by 1`,
    'rolled_up_balances_are_what_was_written',
  ],
  [
    'a consumer who owes',
    `update postings set debit_account = (select min(id) from accounts where kind = 'consumer'), amount = 1000000
     where debit_account = (select id from accounts where kind = 'clearing:CC')`,
    'consumers_never_owe',
  ],
  ['a lost event', 'delete from events', 'settled_operations_have_one_event'],
  ['an event without its change', `update events set event = 'FAIL'`, 'events_tell_what_happened'],
  ['a refund of nothing', `update operations set refunded = 5 where ${paid}`, 'refunds_within_payments'],
  ['a refund that was not counted', refundOf(paid), 'refunds_within_payments'],
  [
    'a payment that the acquirer took and we failed',
    `update operations set status = 'FAIL' where ${paid}`,
    'payments_of_the_acquirer_are_ours',
  ],
  [
    'a payment that the acquirer did not take',
    'delete from sandbox.authorizations',
    'completed_operations_are_approved_by_the_acquirer',
  ],
  [
    'a payment that the acquirer reversed',
    'update sandbox.authorizations set reversed_by = gen_random_uuid() where decline is null',
    'completed_operations_are_approved_by_the_acquirer',
  ],
  [
    'another amount at the acquirer',
    'update sandbox.authorizations set amount = amount + 1',
    'payments_of_the_acquirer_are_ours',
  ],
  [
    'a refund that the acquirer gave and we did not',
    `insert into sandbox.follow_ups (key, original, kind, amount, reference, decided_at)
     select gen_random_uuid(), key, 'refund', 1, 'R', decided_at from sandbox.authorizations`,
    'movements_of_the_acquirer_are_ours',
  ],
  [
    'a refund that the acquirer did not give',
    refundOf(paid),
    'completed_operations_are_approved_by_the_acquirer',
  ],
  [
    'a payment that the phone network took and we failed',
    `update operations set status = 'FAIL' where ${paidByPhone}`,
    'payments_of_the_phone_are_ours',
  ],
  [
    'a payment that the phone network did not take',
    'delete from sandbox.phone_requests',
    'completed_operations_are_approved_by_the_phone',
  ],
  [
    'a refund that the phone network gave and we did not',
    `insert into sandbox.phone_follow_ups (key, payment, kind, amount, reference, moved_at)
     select gen_random_uuid(), key, 'refund', 1, 'R', created_at from sandbox.phone_requests
     where state = 'approved' and kind = 'payment'`,
    'movements_of_the_phone_are_ours',
  ],
  [
    'a refund that the phone network did not give',
    refundOf(paidByPhone),
    'completed_operations_are_approved_by_the_phone',
  ],
  [
    'a late approval that the rail has not reversed',
    `insert into attempts (id, wallet_id, operation_id, type, method, state, due_at)
     select id, wallet_id, id, type, method, 'TO_REVERSE', created_at from operations where ${paid}`,
    'late_approvals_are_reversed',
  ],
  [
    'an approved attempt whose operation failed',
    `update operations set status = 'FAIL' where ${paid}`,
    'approved_attempts_completed_their_operation',
  ],
  [
    'an approved attempt over another amount',
    `update attempts set amount = amount + 1 where ${byCard}`,
    'approved_attempts_completed_their_operation',
  ],
  [
    'a completed operation whose attempt was declined',
    `update attempts set state = 'DECLINED', failure = 'do_not_honour' where operation_id = ${paidOperation}`,
    'operations_agree_with_their_attempt',
  ],
  [
    'a completed operation whose attempt is lost',
    `delete from attempts where operation_id = ${paidOperation}`,
    'operations_agree_with_their_attempt',
  ],
  [
    'more cards tried than are allowed',
    `insert into attempts select (jsonb_populate_record(attempts, jsonb_build_object(
       'id', gen_random_uuid(), 'page_token', gen_random_uuid(), 'three_ds_id', gen_random_uuid()))).*
     from attempts, generate_series(1, 21) where operation_id = ${paidOperation} and ${byCard}`,
    'cards_tried_within_the_limit',
  ],
  [
    'a saved card whose customer was deleted',
    savedCard('gen_random_uuid()'),
    'saved_cards_have_their_customer',
  ],
  [
    'a card that a customer saved twice',
    `insert into customers (wallet_id, id, created_at, modified_at) values (1000, gen_random_uuid(), now(), now());
     ${savedCard('(select id from customers)')}; ${savedCard('(select id from customers)')}`,
    'customers_save_a_card_once',
  ],
  [
    'an operation that waits for an attempt which is over',
    `update operations set under_approval = true where status = 'PENDING'`,
    'operations_agree_with_their_attempt',
  ],
  [
    'a checkout without its operation',
    `delete from operations where status = 'NEW'`,
    'checkouts_have_operations',
  ],
  [
    'an allowance counted too low',
    'update mandate_allowances set used = used - 1',
    'allowances_count_their_reservations',
  ],
  [
    'an allowance that was forgotten',
    'delete from mandate_allowances',
    'allowances_count_their_reservations',
  ],
  [
    'a mandate whose approval was never reported',
    `delete from events where kind = 'mandate'`,
    'mandates_have_their_event',
  ],
  [
    'a mandate that nothing looks after',
    `alter table mandates drop constraint mandates_check2; update mandates set due_at = null`,
    'open_mandates_are_looked_after',
  ],
  [
    'an approved payment by phone whose operation waits',
    `update attempts set state = 'APPROVED', reference = 'R', due_at = null where method = 'MBWAY' and state = 'ASKED'`,
    'approved_mobile_payments_completed_their_operation',
  ],
  [
    'a completed payment by phone that was declined',
    `update attempts set state = 'DECLINED', failure = 'refused' where method = 'MBWAY' and state = 'APPROVED'`,
    'operations_agree_with_their_mobile_payment',
  ],
  [
    'a declined payment by phone that keeps its allowance',
    `update attempts set state = 'DECLINED', failure = 'refused' where method = 'MBWAY' and state = 'APPROVED'`,
    'declined_mobile_payments_gave_their_allowance_back',
  ],
  [
    'a refund under approval that nothing looks after',
    `insert into operations (id, wallet_id, type, status, method, amount, currency, channel, parent_id, attempt_id,
       under_approval, created_at, modified_at)
     select refund.id, wallet_id, 'REFUND', 'PENDING', method, -amount, currency, channel, operations.id, refund.id,
       true, created_at, modified_at
     from operations cross join (select gen_random_uuid() as id) as refund where ${paid}`,
    'undecided_movements_are_looked_after',
  ],
  [
    'an authorization that nothing will end',
    `insert into operations (id, wallet_id, type, status, method, amount, currency, channel, expires, created_at,
       modified_at, settled_at)
     select gen_random_uuid(), wallet_id, 'AUTH', 'COMPLETED', method, amount, currency, channel, now(), created_at,
       modified_at, settled_at
     from operations where ${paid}`,
    'authorizations_lapse_once',
  ],
  [
    'a payment link that was paid too often',
    `insert into payment_links (id, wallet_id, code, description, amount, currency, uses_max, created_at)
     select gen_random_uuid(), wallet_id, 'code', 'lamp', 100, 'EUR', 1, created_at from operations where ${paid} limit 1;
     insert into operations (id, wallet_id, type, status, amount, currency, channel, payment_link_id, created_at, modified_at)
     select gen_random_uuid(), wallet_id, 'PAYMENT', 'NEW', 100, 'EUR', 'WEBSITE', payment_links.id, created_at, created_at
     from payment_links, generate_series(1, 2)`,
    'payment_links_are_paid_within_their_limit',
  ],
  ['a checkout that nothing will end', 'update checkouts set due_at = null', 'open_checkouts_end'],
  [
    'a payment by an unknown method',
    `update operations set method = 'GOLD' where ${paid}`,
    'methods_are_known',
  ],
  ['an attempt by an unknown method', `update attempts set method = 'GOLD'`, 'methods_are_known'],
  [
    'a wallet with an unknown method',
    `update wallets set methods = methods || array['GOLD'] where id = 1000`,
    'methods_are_known',
  ],
  [
    'a checkout that begins with an unknown method',
    `update checkouts set default_method = 'GOLD'`,
    'checkouts_name_known_methods',
  ],
  [
    'a checkout that excludes an unknown method',
    `update checkouts set exclude = '["MB", "GOLD"]'`,
    'checkouts_name_known_methods',
  ],
])('%s', async (_, broken, name) => {
  expect(await findings(broken)).toContain(name)
})

it('and nothing where nothing was broken', async () => {
  expect(await findings('select 1')).toEqual([])
})

const findings = (broken: string) => findingsAfter(database, checks, broken)
