// Settings of drivers: one rule for all addresses.
import { expect, it } from 'vitest'
import { drivers } from '../../drivers/index.ts'
import { checkedValues, problemOf } from '../../src/connections/settings-rules.ts'
import { providerFetch } from '../../src/connections/tools/provider-fetch.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { testDrivers } from './driver.ts'

const settings = testDrivers.flatMap(({ name, settings: specs }) =>
  specs.map((spec) => ({ driver: name, name: spec.name, spec })),
)
const addresses = settings.filter(({ spec }) => spec.address === true)

it('every address setting follows the rule for addresses', () => {
  const likely = settings.filter(
    ({ spec: { name, help, secret } }) =>
      !secret &&
      (/(^|_)(url|base|host|endpoint|uri)(_|$)/.test(name) || /\baddress of\b|https?:/i.test(help)),
  )
  expect(likely.map(({ driver, name }) => `${driver} ${name}`)).toEqual(
    addresses.map(({ driver, name }) => `${driver} ${name}`),
  )
  expect(drivers.filter((driver) => driver.settings.some(({ address }) => address))).not.toEqual([])
})

it.each(addresses)('$driver $name is called by plain http on this machine alone', ({ spec }) => {
  for (const host of ['127.0.0.1:8099', 'localhost:8099', '127.8.9.1', '[::1]:8099'])
    expect([host, problemOf(spec, `http://${host}`)]).toEqual([host, undefined])
  expect(problemOf(spec, 'https://provider.example')).toBeUndefined()
  for (const wrong of [
    'http://provider.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://10.0.0.7:8080',
    'http://[2001:db8::1]',
    'http://0.0.0.0',
    'HTTP://provider.example',
    'ftp://127.0.0.1',
    ['https://user', 'word@provider.example'].join(':'),
    'provider.example',
    '//provider.example',
  ])
    expect([wrong, problemOf(spec, wrong)]).toEqual([wrong, expect.stringMatching(/^must be /)])
})

it('refuses an old connection against the rule, without a call', async () => {
  const stripe = drivers.find(({ name }) => name === 'stripe')
  if (stripe === undefined) throw new Error('there is no driver for Stripe')
  const set = {
    settings: { api_base: 'http://stripe.example' },
    secrets: { secret_key: 'sk_test_a', webhook_secret: 'whsec_a' },
  }
  const none = { settings: {}, secrets: {} }
  expect(() => unwrap(checkedValues(stripe, set, none))).toThrow('api_base must be an https address')
  await expect(providerFetch('http://stripe.example/v1/balance')).rejects.toMatchObject({
    code: 'PLAIN_HTTP',
  })
})
