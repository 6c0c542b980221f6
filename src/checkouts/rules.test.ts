// Where a customer is sent afterwards, and which addresses a merchant may name for it.
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { day, instant } from '../kernel/time.ts'
import {
  amountWithinRange,
  expiryOf,
  methodCodes,
  offeredMethods,
  returnUrl,
  withCheckoutId,
} from './rules.ts'

describe('withCheckoutId', () => {
  it.each([
    ['https://shop.pt/ok', 'https://shop.pt/ok?checkoutid=C'],
    ['https://shop.pt/ok?a=1', 'https://shop.pt/ok?a=1&checkoutid=C'],
    ['https://shop.pt/ok?', 'https://shop.pt/ok?checkoutid=C'],
    ['https://shop.pt/ok?a=1&', 'https://shop.pt/ok?a=1&checkoutid=C'],
    ['https://shop.pt/#/done', 'https://shop.pt/?checkoutid=C#/done'],
    ['https://shop.pt/ok?a=1#x#y', 'https://shop.pt/ok?a=1&checkoutid=C#x#y'],
  ])('%s', (url, expected) => expect(withCheckoutId(url, 'C')).toBe(expected))
})

describe('returnUrl', () => {
  it.each(['https://shop.pt/ok', 'http://127.0.0.1:3000/ok?x=%20', 'HTTPS://shop.pt', 'https://loja.pt/olá'])(
    'accepts %s',
    (url) => expect(returnUrl(url, 'url_confirm', 'sandbox')).toEqual({ ok: true, value: url }),
  )

  it.each([
    'shop.pt/ok',
    '/ok',
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:shop.pt',
    'https://',
    'https://a b.pt',
    ' https://shop.pt',
    'https://user:secret@shop.pt',
    'https://shop.pt/\nSet-Cookie: x',
    `https://shop.pt/${'a'.repeat(2048)}`,
  ])('refuses %j', (url) => {
    expect(returnUrl(url, 'url_confirm', 'sandbox')).toMatchObject({
      refusal: {
        kind: 'invalid_parameter',
        reason: expect.stringContaining('url_confirm must be an absolute'),
      },
    })
  })

  it('wants https in production', () => {
    expect(returnUrl('http://shop.pt', 'url_cancel', 'production').ok).toBe(false)
    expect(returnUrl('https://shop.pt', 'url_cancel', 'production').ok).toBe(true)
  })
})

it.each([
  [0n, 'below_minimum_amount'],
  [-5n, 'below_minimum_amount'],
  [1n, undefined],
  [9_999_999n, undefined],
  [10_000_000n, 'above_maximum_amount'],
])('amount of %s cents: %s', (amount, kind) => {
  const result = amountWithinRange(cents(amount), 'payment.amount')
  expect(result.ok ? undefined : result.refusal.kind).toBe(kind)
})

it('reads method codes in any case and names the wrong one', () => {
  expect(methodCodes(['cc', 'GPAY', 'CC'], 'exclude')).toEqual({ ok: true, value: ['CC', 'GPAY'] })
  expect(methodCodes(['CC', 'CASH'], 'exclude')).toMatchObject({
    refusal: { reason: expect.stringContaining('exclude[1] must be one of CC, MB') },
  })
})

it('offers what the wallet has, without what the checkout excludes', () => {
  expect(offeredMethods(['CC', 'MB'], [])).toEqual(['CC'])
  expect(offeredMethods(['CC'], ['CC'])).toEqual([])
  expect(offeredMethods(['MB'], [])).toEqual([])
})

it('lives a day unless asked otherwise, never in the past or beyond a year', () => {
  const now = instant(1_800_000_000_000)
  expect(expiryOf(undefined, 'expires', now)).toEqual({ ok: true, value: now + day })
  expect(expiryOf(now, 'expires', now).ok).toBe(false)
  expect(expiryOf(instant(now + 1), 'expires', now).ok).toBe(true)
  expect(expiryOf(instant(now + 366 * day), 'expires', now).ok).toBe(false)
})
