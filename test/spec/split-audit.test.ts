// Audit checks of shares and refunds: each row breaks one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgres } from '../../src/storage/index.ts'
import { declaredChecks as operationChecks } from '../audit-checks.ts'
import { authorizing } from '../authorizing.ts'
import { findingsAfter } from '../broken-books.ts'
import { openWorld } from '../gateway-here.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'

let world: World
let database: Database

beforeAll(async () => {
  world = await openWorld('postgres')
  database = openPostgres({ url: world.databaseUrl as string })
  const token = await storeCard(world, cards.frictionless.number)
  const split = [
    { merchant_wallet: world.merchant('Sub Shop A').public_id, amount_fraction: '0.5' },
    { merchant_wallet: world.merchant('Sub Shop B').public_id, amount_fraction: '1/4' },
  ]
  const divided = await payByToken(world, token, { split })
  await world.shop.post(`/api/v2/operations/${divided.id}/refund`, { amount: 4 })
  const byHand = await payByToken(world, token)
  await world.shop.post(`/api/v2/operations/${byHand.id}/split`, { split })
  const { authorize, capture } = authorizing(() => world)
  const held = await authorize(token, 10, { split })
  for (const amount of [3, 4]) await capture(held.id, { amount })
})
afterAll(async () => {
  await database.close()
  await world.stop()
})

const shareOfA = 'merchant_wallet_id = (select min(merchant_wallet_id) from shares)'
const accountOf = (wallet: string) =>
  `(select id from accounts where kind = 'merchant' and wallet_id = (${wallet}))`

it.each([
  ['a split that was not made', 'delete from shares', 'asked_splits_were_made'],
  ['shares of nothing divided', 'update operations set split_at = null', 'asked_splits_were_made'],
  [
    'a capture that was not divided',
    `delete from shares where operation_id in (select id from operations where type = 'CAPTURE')`,
    'asked_splits_were_made',
  ],
  [
    'a capture divided otherwise than its authorization says',
    `update operations set split = jsonb_set(split, '{0,fraction}', '"1/3"') where type = 'CAPTURE'`,
    'captures_are_divided_as_agreed',
  ],
  [
    'captures that gave a share two cents too much',
    `update shares set amount = amount + 2 where position = 0 and operation_id in (
       select min(id::text)::uuid from operations where type = 'CAPTURE'
     )`,
    'captures_give_no_share_too_much',
  ],
  [
    'a share that shows more',
    `update shares set amount = amount + 1 where ${shareOfA}`,
    'shares_match_the_books',
  ],
  [
    'an owner who lost a cent',
    `update postings set amount = amount - 1
     where credit_account = ${accountOf('select max(wallet_id) from shares')} and debit_account < 0`,
    'owners_got_the_rest',
  ],
  [
    'a share that its owner cannot see',
    `delete from operations where type = 'USERTRANSFER' and amount > 0`,
    'shares_are_seen',
  ],
  [
    'a take that its owner cannot see',
    `delete from operations where type = 'USERTRANSFER' and amount < 0`,
    'takes_are_seen',
  ],
  ['a share refunded by nobody', 'update shares set refunded = refunded + 1', 'refunds_within_shares'],
  [
    'a refund that failed and kept what it reserved',
    `update operations set status = 'FAIL' where type = 'REFUND'`,
    'refunds_within_shares',
  ],
  [
    'a refund that gave back more than was booked',
    `update operations set amount = amount - 1 where type = 'REFUND'`,
    'refunds_match_the_books',
  ],
])('%s', async (_, broken, name) => {
  expect(await findings(broken)).toContain(name)
})

it('and nothing where nothing was broken', async () => {
  expect(await findings('select 1')).toEqual([])
})

const findings = (broken: string) => findingsAfter(database, operationChecks, broken)
