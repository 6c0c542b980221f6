// Audit checks of subscriptions and charges: each row breaks one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceChecks } from '../../src/methods/balance/audit.ts'
import { mbwayChecks } from '../../src/methods/mbway/audit.ts'
import { paypalChecks } from '../../src/methods/paypal/audit.ts'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { subscriptionChecks } from '../../src/subscriptions/audit.ts'
import { findingsAfter } from '../broken-books.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { moneyOf } from '../money.ts'
import { newPhone } from '../phone.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type World } from '../world.ts'

let world: World
let database: Database

beforeAll(async () => {
  world = await openWorld('postgres')
  const subscribers = subscribersOf(world)
  const money = moneyOf(world)

  const unit = await subscribers.checkout({}, { payment: { amount: 5, currency: 'EUR' } })
  await world.payOnPage(unit, cards.frictionless)
  const byBalance = await subscribers.checkout()
  const { email, pin } = await money.consumer(50)
  await money.pay(byBalance, 'wallet', { email, pin })
  const byPhone = await subscribers.checkout()
  const phone = newPhone(world)
  await money.pay(byPhone, 'mbway', { phone: phone.number })
  await phone.approve((await phone.pending()).id, { amount_limit: 50 })
  const byAccount = await subscribers.checkout()
  await money.pay(byAccount, 'paypal')
  await money.sandbox(`online-wallet/${byAccount.subscription.id}/approve`)
  const declined = await subscribers.accepted({}, cards.insufficientFunds)
  const tomorrow = new Date((await subscribers.now()).getTime() + 86_400_000).toISOString().slice(0, 10)
  const auto = await subscribers.accepted({ start_date: tomorrow, auto_charge: { amount: 3 } })
  await world.advance('P1DT12H')
  await world.eventually(async () => (await subscribers.read(auto.id)).auto_charge.latest?.result === 'PAID')
  const refused = await subscribers.checkout()
  const page = await openPage(refused.url_redirect)
  await submit(page, formTo(page, '/cancel'), {}, { within: world.baseUrl })

  const others = [unit, byBalance, byPhone, byAccount].map(({ subscription }) => subscription)
  for (const { id } of [...others, declined]) {
    await world.eventually(async () => (await subscribers.read(id)).status === 'APPROVED')
    const { body } = await subscribers.charge(id, 7)
    await subscribers.processed(id, body.id)
  }
  database = openPostgres({ url: world.databaseUrl as string })
})
afterAll(async () => {
  await database.close()
  await world.stop()
})

const checks = [...subscriptionChecks, ...mbwayChecks, ...balanceChecks, ...paypalChecks]
const findings = (broken: string) => findingsAfter(database, checks, broken)
const unit = 'operation_id is not null'

it.each([
  [
    'an allowance exceeded',
    `update charges set amount = 3000 where status = 'SUCCESS'`,
    'charges_within_allowance',
  ],
  [
    'an allowance that forgot a charge',
    `update subscriptions set cycle_charged = 0 where ${unit}`,
    'allowances_count_their_charges',
  ],
  [
    'a charge in a cycle yet to come',
    `update charges set cycle = 3 where status = 'SUCCESS'`,
    'allowances_count_their_charges',
  ],
  [
    'a charge that failed, with its payment completed',
    `update charges set status = 'FAIL', error = 'x' where status = 'SUCCESS'`,
    'charges_ended_with_their_payments',
  ],
  [
    'a charge that succeeded, with its payment failed',
    `update charges set status = 'SUCCESS', error = null where status = 'FAIL'`,
    'charges_ended_with_their_payments',
  ],
  [
    'a charge of another amount than its payment',
    'update charges set amount = amount + 1',
    'charges_ended_with_their_payments',
  ],
  ['a payment whose charge is lost', 'delete from charges', 'payments_of_subscriptions_belong'],
  [
    'a payment without the subscription that was accepted with it',
    `update subscriptions set status = 'NEW' where ${unit}`,
    'subscriptions_accepted_with_their_payment',
  ],
  [
    'an approved attempt whose subscription waits',
    `update subscriptions set status = 'NEW' where method = 'CC'`,
    'acceptances_agree_with_their_attempt',
  ],
  [
    'a charge to the balance of somebody else',
    `update subscriptions set consumer_id = consumer_id - 1 where method = 'WALLET'`,
    'balances_paid_for_what_they_allowed',
  ],
  [
    'a failed charge that keeps its part of the mandate',
    `update charges set status = 'FAIL', error = 'x' where status = 'SUCCESS'`,
    'failed_charges_gave_their_mandate_back',
  ],
  ['a charge without an event', `delete from events where event = 'SUCCESS'`, 'ended_charges_have_one_event'],
  [
    'a charge with two events',
    `insert into events select (jsonb_populate_record(events, jsonb_build_object('id', gen_random_uuid()))).*
     from events where event = 'FAIL' and kind = 'charge'`,
    'ended_charges_have_one_event',
  ],
  ...['APPROVED', 'FAILED'].map((event) => [
    `a subscription without its event ${event}`,
    `delete from events where event = '${event}' and kind = 'subscription'`,
    'subscription_events_tell_what_happened',
  ]),
  [
    'an end at another moment than that of its last day',
    `update subscriptions set ends_at = ends_at + interval '1 hour'`,
    'subscriptions_end_with_their_last_day',
  ],
  [
    'a card that is in no vault',
    `update subscriptions set card_token = gen_random_uuid() where method = 'CC'`,
    'subscriptions_have_their_card',
  ],
  [
    'a cycle that the gateway charged twice',
    `insert into charges select (jsonb_populate_record(charges, jsonb_build_object('id', gen_random_uuid(),
       'operation_id', gen_random_uuid(), 'attempt', 2))).* from charges where attempt is not null`,
    'cycles_are_charged_once',
  ],
  ['an automatic charge without its key', 'delete from charged_cycles', 'cycles_are_charged_once'],
  ['a schedule that nobody looks after', 'update auto_charges set due_at = null', 'automatic_charges_go_on'],
  [
    'a schedule that calls a paid charge failed',
    `update auto_charges set outcome = 'FAILED'`,
    'automatic_charges_go_on',
  ],
  [
    'a schedule that stays active after its subscription',
    `update subscriptions set auto_charged = false`,
    'automatic_charges_go_on',
  ],
  [
    'a subscription by PAYPAL without a saved account',
    `update subscriptions set attempt_id = gen_random_uuid() where method = 'PAYPAL'`,
    'wallet_subscriptions_have_their_account',
  ],
  [
    'a subscription by PAYPAL whose order saved no account',
    `update attempts set details = details - 'saves' where method = 'PAYPAL'`,
    'wallet_subscriptions_have_their_account',
  ],
])('%s', async (_, broken, name) => {
  expect(await findings(broken)).toContain(name)
})

it('and nothing where nothing was broken', async () => {
  expect(await findings('select 1')).toEqual([])
})
