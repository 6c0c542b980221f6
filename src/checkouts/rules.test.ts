// Where a customer is sent afterwards, and which addresses a merchant may name for it.
import { describe, expect, it } from 'vitest'
import { day, instant } from '../kernel/time.ts'
import type { Method } from '../operations/index.ts'
import { expiryOf, methodCodes, offeredMethods, withCheckoutId } from './rules.ts'

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

it('reads method codes in any case and names the wrong one', () => {
  expect(methodCodes(['cc', 'GPAY', 'CC'], 'exclude')).toEqual({ ok: true, value: ['CC', 'GPAY'] })
  expect(methodCodes(['CC', 'CASH'], 'exclude')).toMatchObject({
    refusal: { reason: expect.stringContaining('exclude[1] must be one of CC, MB') },
  })
})

const having = (methods: readonly Method[], subscriptionMethods: readonly Method[] = []) => ({
  methods,
  subscriptionMethods,
})

it('offers what the wallet has, without what the checkout excludes', () => {
  expect(offeredMethods(having(['MB', 'CC']), { kind: 'payment', exclude: [] })).toEqual(['CC', 'MB'])
  expect(offeredMethods(having(['CC', 'MB']), { kind: 'payment', exclude: ['CC'] })).toEqual(['MB'])
  expect(offeredMethods(having(['CC', 'MB', 'MBWAY']), { kind: 'authorization', exclude: [] })).toEqual([
    'CC',
    'MBWAY',
  ])
  expect(offeredMethods(having(['BANK']), { kind: 'payment', exclude: [] })).toEqual([])
})

it('offers for subscriptions, alone or with a payment, what the wallet has and its operator set for them', () => {
  const wallet = having(['CC', 'MB', 'WALLET'], ['CC', 'MBWAY'])
  expect(offeredMethods(wallet, { kind: 'subscription', exclude: [] })).toEqual(['CC'])
  expect(offeredMethods(wallet, { kind: 'payment', exclude: [], subscription: {} })).toEqual(['CC'])
  expect(offeredMethods(wallet, { kind: 'payment', exclude: [] })).toEqual(['CC', 'MB', 'WALLET'])
})

it('lives a day unless asked otherwise, never in the past', () => {
  const now = instant(1_800_000_000_000)
  const never = instant(Date.UTC(9999, 11, 31, 23, 59, 59))
  expect(expiryOf(undefined, 'expires', now, 'payment')).toEqual({ ok: true, value: now + day })
  expect(expiryOf(now, 'expires', now, 'payment').ok).toBe(false)
  expect(expiryOf(instant(now + 1), 'expires', now, 'payment').ok).toBe(true)
  expect(expiryOf(never, 'expires', now, 'payment')).toEqual({ ok: true, value: never })
})
