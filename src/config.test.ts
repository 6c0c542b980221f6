// Environment variables, valid and invalid.
import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

const production = {
  MODE: 'production',
  DATABASE_URL: 'postgres://db/comporta',
  BASE_URL: 'https://pay.example.com/',
  MASTER_KEY_FILE: '/etc/comporta/master.key',
}

it('needs nothing to run a sandbox', () => {
  expect(loadConfig({})).toMatchObject({
    ok: true,
    value: {
      host: '127.0.0.1',
      port: 8080,
      mode: 'sandbox',
      authSchemes: ['Comporta'],
      workers: 1,
      rateLimits: true,
      trustProxy: 'off',
    },
  })
})

it('takes a complete production', () => {
  expect(loadConfig(production)).toMatchObject({
    ok: true,
    value: { baseUrl: 'https://pay.example.com', generatesMasterKey: false },
  })
})

it.each([
  ['a sandbox', {}, { twoFactor: 'off', idleMinutes: 60, operatorIdleMinutes: 15 }],
  ['production', production, { twoFactor: 'owners', idleMinutes: 60, operatorIdleMinutes: 15 }],
  [
    'production with other rules',
    { ...production, TWO_FACTOR: 'everyone', SESSION_IDLE_MINUTES: '30', OPERATOR_IDLE_MINUTES: '5' },
    { twoFactor: 'everyone', idleMinutes: 30, operatorIdleMinutes: 5 },
  ],
])('requires two-factor and ends idle sessions in %s', (_, env, value) => {
  expect(loadConfig(env)).toMatchObject({ ok: true, value })
})

it('reads which drivers production may use', () => {
  const railsOf = (RAILS: string) => {
    const read = loadConfig({ ...production, RAILS })
    return read.ok ? read.value.rails : read.refusal
  }
  expect([railsOf('stripe, bank-files'), railsOf('')]).toEqual([['stripe', 'bank-files'], undefined])
  expect(loadConfig({ RAILS: 'sandbox' })).toMatchObject({ ok: true, value: { rails: undefined } })
})

it.each([
  ['loopback', 'loopback'],
  ['OFF', 'off'],
  ['10.0.0.0/8,::1, uniquelocal', '10.0.0.0/8, ::1, uniquelocal'],
])('trusts proxies by name: %s', (text, trustProxy) => {
  expect(loadConfig({ TRUST_PROXY: text })).toMatchObject({ ok: true, value: { trustProxy } })
})

describe('a bad value is reported in one line', () => {
  it.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535, not "eighty"'],
    [{ PORT: '70000' }, 'PORT must be a whole number'],
    [{ MODE: 'test' }, 'MODE must be one of sandbox, production, not "test"'],
    [{ BASE_URL: 'pay.example.com' }, 'BASE_URL must be an http or https address'],
    [{ BASE_URL: 'https://example.com/pay' }, 'BASE_URL must be an http or https address without path'],
    [{ BASE_URL: 'https://:secret@pay.example.com' }, 'BASE_URL must be an http or https address'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must start with postgres://'],
    [{ AUTH_SCHEMES: 'A B' }, 'AUTH_SCHEMES must be words'],
    [{ WORKERS: '4' }, 'WORKERS above 1 needs DATABASE_URL'],
    [{ RAILS: 'sandbox,stripe' }, 'RAILS must be sandbox in MODE=sandbox'],
    [{ ...production, RAILS: 'sandbox' }, 'MODE=production refuses RAILS with sandbox'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS must be one of on, off'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be off, or addresses'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY must be off'],
    [{ TRUST_PROXY: 'loopback,' }, 'TRUST_PROXY must be off'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be at least 16 characters'],
    [{ METRICS_TOKEN: 'sixteen letters and spaces' }, 'METRICS_TOKEN must be'],
    [{ CRASH_AT: 'somewhere' }, 'CRASH_AT must be parent, or one of "transaction written, not committed", '],
    [{ CRASH_AT: 'settled, answer not sent:0' }, 'a colon and a count'],
    [{ ...production, CRASH_AT: 'parent' }, 'production refuses CRASH_AT'],
    [{ ...production, DATABASE_URL: '' }, 'production needs DATABASE_URL'],
    [{ ...production, BASE_URL: 'http://pay.example.com' }, 'production needs BASE_URL with https'],
    [{ ...production, MASTER_KEY_FILE: '' }, 'production needs MASTER_KEY_FILE'],
  ])('%j', (environment, line) => {
    const loaded = loadConfig(environment)
    expect(loaded.ok ? [] : loaded.refusal).toEqual([expect.stringContaining(line)])
  })

  it('and several in several', () => {
    const loaded = loadConfig({ PORT: 'x', MODE: 'y', LOG_LEVEL: 'z' })
    expect(loaded.ok ? [] : loaded.refusal).toHaveLength(3)
  })
})

it.each([
  [undefined, 100_000n],
  ['0', 0n],
  ['250.5', 25_050n],
])('BANK_SETTLE_ALONE_MAX %s is %s cents', (text, cents) => {
  const config = loadConfig(text === undefined ? {} : { BANK_SETTLE_ALONE_MAX: text })
  expect(config.ok && config.value.bankSettleAloneMax).toBe(cents)
})

it.each(['-1', '1,50', 'much', '1.005'])('BANK_SETTLE_ALONE_MAX %s stops the start', (text) => {
  expect(loadConfig({ BANK_SETTLE_ALONE_MAX: text })).toMatchObject({
    refusal: [expect.stringContaining('BANK_SETTLE_ALONE_MAX must be euros')],
  })
})
