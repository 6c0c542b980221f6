// Every option and field in which people type an amount: noise of floating point and a comma are read, other decimals are not.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands/commands.ts'
import { openWorld } from '../gateway-here.ts'
import { type SignedIn, signIn } from '../people.ts'
import { peoplePrefix, type Route, withRoutes } from '../security/routes.ts'
import type { Answer, World } from '../world.ts'

let world: World
let routes: Route[]
let owner: SignedIn
let operator: SignedIn
let shop: string

beforeAll(async () => {
  ;[world, routes] = await withRoutes(() => openWorld('postgres'))
  shop = String(world.shop.wallet_id)
  owner = await signIn(world, 'owner@demo.example')
  operator = await signIn(world, 'operator@demo.example')
})
afterAll(() => world?.stop())

const readable = ['10.5', '10,5', '10,50', '10.299999999999999', '10,300000000000001']
/** The last ones may be thousands. */
const unreadable = ['10.005', '10,005', '10.3001', '-1.00', '1e1', '1.000', '1,000', '1.000,50']

describe('of the command line', () => {
  const order = randomUUID()
  const nothing = randomUUID()
  const set = (option: string) => (amount: string) => ['merchant', 'set', shop, option, amount]
  /** Options for amounts, by their command. */
  const options: Readonly<Record<string, (amount: string) => readonly string[]>> = {
    'merchant create --fee': (amount) => ['merchant', 'create', '--fee', `CC=${amount}`],
    'merchant create --split-fee-fixed': (amount) => ['merchant', 'create', '--split-fee-fixed', amount],
    'merchant create --payment-limit': (amount) => ['merchant', 'create', '--payment-limit', amount],
    'merchant create --day-limit': (amount) => ['merchant', 'create', '--day-limit', amount],
    'merchant create --payout-day-limit': (amount) => ['merchant', 'create', '--payout-day-limit', amount],
    'merchant set --fee': (amount) => ['merchant', 'set', shop, '--fee', `CC=1%+${amount}`],
    'merchant set --split-fee-fixed': set('--split-fee-fixed'),
    'merchant set --payment-limit': set('--payment-limit'),
    'merchant set --day-limit': set('--day-limit'),
    'merchant set --payout-day-limit': set('--payout-day-limit'),
    'payout --amount': (amount) => ['payout', '--wallet', shop, '--amount', amount],
    'bank settle --fee': (amount) => ['bank', 'settle', order, '--paid', '--reason', 'x', '--fee', amount],
    'payments refund --amount': (amount) => ['payments', 'refund', nothing, '--amount', amount],
    'payments capture --amount': (amount) => ['payments', 'capture', nothing, '--amount', amount],
    'checkout create --amount': (amount) => ['checkout', 'create', '--amount', amount],
  }

  it('the table has every option that takes an amount', () => {
    const found = commands.flatMap(({ name, options }) =>
      Object.entries(options)
        .filter(([, { value = '' }]) => /euros|RATE/.test(value))
        .map(([option]) => `${name} --${option}`),
    )
    expect(found.sort()).toEqual(Object.keys(options).sort())
    // An amount that does not say so would be left out.
    const named = commands.flatMap(({ name, options }) =>
      Object.keys(options).flatMap((option) =>
        /amount|fee|limit|price/.test(option) ? `${name} --${option}` : [],
      ),
    )
    const others = ['callbacks list --limit', 'payments list --limit', 'merchant create --split-fee-variable']
    expect(named.filter((one) => !found.includes(one)).sort()).toEqual(
      [...others, 'merchant set --split-fee-variable'].sort(),
    )
  })

  it.each(Object.entries(options))('%s', async (option, line) => {
    const name = option.split(' ').at(-1) as string
    const prefix = option.startsWith('merchant create') ? ['--name', 'A', '--email', 'a@b.example'] : []
    for (const amount of readable) {
      const { code, text } = await world.cli(...line(amount), ...prefix)
      // For a command line that cannot be read, the exit code is 2.
      expect([amount, code, text]).not.toEqual([amount, 2, expect.anything()])
    }
    for (const amount of unreadable) {
      const { code, json } = await world.cli(...line(amount), ...prefix)
      expect([amount, code]).toEqual([amount, 2])
      const remedy = name === '--fee' && option.startsWith('merchant') ? 'a fee is written' : 'takes euros'
      // A dash makes it another option, which names this one too.
      if (!amount.startsWith('-')) expect(json.error.reason).toContain(remedy)
      expect(json.error.reason).toContain(name)
    }
  })

  it('reads noise and commas as the whole cent', async () => {
    const { json } = await world.cli('merchant', 'set', shop, '--day-limit', '10,299999999999999')
    expect(json.day_limit).toBe('10.30')
    await world.cli('merchant', 'set', shop, '--day-limit', 'none', '--payment-limit', 'none')
    await world.cli('merchant', 'set', shop, '--payout-day-limit', 'none', '--fee', 'CC=default')
  })
})

describe('of the backoffice', () => {
  const merchant = { name: 'B', email: 'b@b.example' }
  const change = (body: object) => operator.send('PATCH', `/operator/merchants/${shop}`, body)
  const make = (body: object) => operator.send('POST', '/operator/merchants', { ...merchant, ...body })
  const settle = (fee: string) =>
    operator.send('POST', `/operator/bank/orders/${randomUUID()}/settle`, {
      ...{ answer: 'paid', reason: 'x', fee },
    })
  /** By route and field; the status that answers an amount that is read. */
  const fields: Readonly<Record<string, readonly [number, (amount: string) => Promise<Answer>]>> = {
    'POST operator/merchants fees': [200, (amount) => make({ fees: { CC: amount } })],
    'POST operator/merchants split_fee_fixed': [200, (amount) => make({ split_fee_fixed: amount })],
    'POST operator/merchants payment_limit': [200, (amount) => make({ payment_limit: amount })],
    'POST operator/merchants day_limit': [200, (amount) => make({ day_limit: amount })],
    'POST operator/merchants payout_day_limit': [200, (amount) => make({ payout_day_limit: amount })],
    'PATCH operator/merchants/:id fees': [200, (amount) => change({ fees: { CC: `1%+${amount}` } })],
    'PATCH operator/merchants/:id split_fee_fixed': [200, (amount) => change({ split_fee_fixed: amount })],
    'PATCH operator/merchants/:id payment_limit': [200, (amount) => change({ payment_limit: amount })],
    'PATCH operator/merchants/:id day_limit': [200, (amount) => change({ day_limit: amount })],
    'PATCH operator/merchants/:id payout_day_limit': [200, (amount) => change({ payout_day_limit: amount })],
    'POST operator/bank/orders/:id/settle fee': [404, settle],
    'PATCH wallets/:wallet/settings split_fee_fixed': [
      200,
      (amount) => owner.send('PATCH', `/wallets/${shop}/settings`, { split_fee_fixed: amount }),
    ],
    'GET wallets/:wallet/payments min': [
      200,
      (amount) => owner.get(`/wallets/${shop}/payments?min=${amount}`),
    ],
    'GET wallets/:wallet/payments max': [
      200,
      (amount) => owner.get(`/wallets/${shop}/payments?max=${amount}`),
    ],
    'GET wallets/:wallet/payments.csv min': [
      200,
      (amount) => owner.get(`/wallets/${shop}/payments.csv?min=${amount}`),
    ],
    'GET wallets/:wallet/payments.csv max': [
      200,
      (amount) => owner.get(`/wallets/${shop}/payments.csv?max=${amount}`),
    ],
  }

  /** Routes of the merchants' API are tried in test/spec: programs send numbers. */
  const isOwn = ({ url }: Route, all: readonly Route[]) =>
    url.startsWith(peoplePrefix) &&
    !all.some((one) => /^\/(api\/v2|prows\/v2)\//.test(one.url) && endOf(one.url) === endOf(url))
  const endOf = (url: string) => url.replace(/^\/(api\/v2|prows\/v2|backoffice\/api\/wallets\/:wallet)\//, '')

  it('the table has every field that takes an amount', () => {
    const found = routes
      .filter((route) => isOwn(route, routes) && route.method !== 'HEAD')
      .flatMap(({ method, url, fields, parameters }) =>
        [...fields, ...parameters]
          .filter((field) => /amount|fee|limit|price|^(min|max)$/.test(field))
          .map((field) => `${method} ${url.replace(peoplePrefix, '')} ${field}`),
      )
      .filter((one) => !/split_fee_(variable|percent)$/.test(one))
    expect(found.sort()).toEqual(Object.keys(fields).sort())
  })

  it.each(Object.entries(fields))('%s', async (name, [status, send]) => {
    const field = name.split(' ').at(-1) as string
    for (const amount of readable) {
      const answer = await send(amount)
      expect([amount, answer.status, answer.body?.reason]).toEqual([
        amount,
        status,
        status === 200 ? undefined : expect.anything(),
      ])
    }
    for (const amount of unreadable) {
      const { status, body } = await send(amount)
      expect([amount, status, body.reason]).toEqual([
        amount,
        400,
        expect.stringMatching(new RegExp(`^${field}.*(euros with at most 2 decimals|a fee is written)`)),
      ])
    }
  })

  it('reads noise and commas as the whole cent', async () => {
    const { body } = await change({
      day_limit: '10,299999999999999',
      fees: { CC: '1,5%+0,30000000000000004' },
    })
    expect(body).toMatchObject({ day_limit: '10.30', fees: { CC: '1.5%+0.30' } })
  })
})
