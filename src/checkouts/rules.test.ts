// Redirects of customers, and the addresses for them.
import { describe, expect, it } from 'vitest'
import { day, instant } from '../kernel/time.ts'
import type { Method } from '../methods/list.ts'
import type { Checkout } from './model.ts'
import {
  expiryOf,
  instantFits,
  isOutOfTime,
  isPayable,
  methodCodes,
  offeredMethods,
  openUntil,
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

it('reads method codes in any case, and no others', () => {
  expect(methodCodes(['gpay', 'cc', 'CC'])).toEqual(['GPAY', 'CC'])
  expect(methodCodes(['', 'MB'])).toEqual(['MB'])
  expect(methodCodes(['CC', 'CASH'])).toEqual(['CC'])
})

const having = (methods: readonly Method[], subscriptionMethods: readonly Method[] = []) => ({
  methods,
  subscriptionMethods,
})

it('offers the methods of the wallet minus the excluded ones', () => {
  expect(offeredMethods(having(['MB', 'CC']), { kind: 'payment', exclude: [] })).toEqual(['CC', 'MB'])
  expect(offeredMethods(having(['CC', 'MB']), { kind: 'payment', exclude: ['CC'] })).toEqual(['MB'])
  expect(offeredMethods(having(['CC', 'MB', 'MBWAY']), { kind: 'authorization', exclude: [] })).toEqual([
    'CC',
    'MBWAY',
  ])
  expect(offeredMethods(having(['BANK']), { kind: 'payment', exclude: [] })).toEqual([])
})

it('offers for subscriptions the recurring methods of the wallet', () => {
  const wallet = having(['CC', 'MB', 'WALLET'], ['CC', 'MBWAY'])
  expect(offeredMethods(wallet, { kind: 'subscription', exclude: [] })).toEqual(['CC'])
  expect(offeredMethods(wallet, { kind: 'payment', exclude: [], subscription: {} })).toEqual(['CC'])
  expect(offeredMethods(wallet, { kind: 'payment', exclude: [] })).toEqual(['CC', 'MB', 'WALLET'])
})

it('lives a day by default, never in the past', () => {
  const now = instant(1_800_000_000_000)
  const never = instant(Date.UTC(9999, 11, 31, 23, 59, 59))
  expect(expiryOf(undefined, 'expires', now, 'payment')).toEqual({ ok: true, value: now + day })
  expect(expiryOf(now, 'expires', now, 'payment').ok).toBe(false)
  expect(expiryOf(instant(now + 1), 'expires', now, 'payment').ok).toBe(true)
  expect(expiryOf(never, 'expires', now, 'payment')).toEqual({ ok: true, value: never })
})

describe('openUntil', () => {
  const end = Date.parse('2026-03-03T00:00:00Z')
  it.each([
    ['as asked', end - 1, '2026-03-02', end - 1],
    ['no longer than the subscription', end + 1, '2026-03-02', end],
    ['as requested, if the subscription has no end', end + 1, undefined, end + 1],
  ])('%s', (_, asked, endDate, open) => {
    expect(openUntil(instant(asked), { endDate })).toBe(open)
  })

  it('as requested, without a subscription', () => {
    expect(openUntil(instant(end), undefined)).toBe(end)
  })
})

describe('instantFits', () => {
  const now = instant(1_000_000)
  const named = (field: string, ahead: number | undefined) => ({
    field,
    at: ahead === undefined ? undefined : instant(now + ahead),
  })

  it.each([
    ['payment', false, undefined, undefined, ['CC'], undefined],
    ['payment', false, undefined, 5, ['MB'], 'invalid_parameter: starts needs instant'],
    ['payment', true, 10, undefined, ['CC'], 'invalid_parameter: payment.instant needs the method MB'],
    ['payment', true, 10, undefined, ['MB'], undefined],
    ['payment', true, undefined, undefined, ['MB'], 'missing_parameter: expires is required'],
    ['payment', true, day - 1, undefined, ['MB'], undefined],
    ['payment', true, day, undefined, ['MB'], 'invalid_parameter: expires must be less than a day ahead'],
    ['payment', true, 10, 1, ['MB'], undefined],
    ['payment', true, 10, 9, ['MB'], undefined],
    ['payment', true, 10, 0, ['MB'], 'invalid_parameter: starts must be in the future'],
    ['payment', true, 10, 10, ['MB'], 'invalid_parameter: starts must be earlier than expires'],
    ['authorization', false, undefined, 5, ['MB'], 'invalid_parameter: starts must be left out'],
    ['authorization', true, 10, 5, ['MB'], 'invalid_parameter: starts must be left out'],
    ['authorization', true, 10, undefined, ['CC'], undefined],
    ['authorization', true, undefined, undefined, ['CC'], 'missing_parameter: expires is required'],
  ] as const)(
    '%s, instant %s, until %s, from %s, by %o: %s',
    (kind, wanted, until, from, offered, problem) => {
      const asked = { instant: wanted, expires: named('expires', until), starts: named('starts', from) }
      const result = instantFits(kind, asked, offered, now)
      const text = result.ok ? undefined : `${result.refusal.kind}: ${result.refusal.reason}`
      expect(text?.slice(0, problem?.length)).toBe(problem)
    },
  )
})

describe('a checkout', () => {
  const end = instant(1_000_000)
  it.each([
    ['NEW', -1, true, false],
    ['NEW', 0, false, true],
    ['NEW', 1, false, true],
    ['PENDING', -1, true, false],
    ['PENDING', 0, false, true],
    ['COMPLETED', -1, false, false],
    ['COMPLETED', 1, false, false],
    ['VOIDED', -1, false, false],
  ])('that is %s, %i ms after its end, is payable %s and out of time %s', (status, later, payable, over) => {
    const checkout = { operation: { status }, expiresAt: end } as unknown as Checkout
    const now = instant(end + later)
    expect([isPayable(checkout, now), isOutOfTime(checkout, now)]).toEqual([payable, over])
  })
})

it('accepts an authorization no longer than it can be captured', () => {
  const begun = instant(Date.parse('2026-03-01T12:00:00Z'))
  const lapses = instant(Date.parse('2026-04-01T11:00:00Z'))
  const until = (asked: number, kind: 'authorization' | 'payment') =>
    expiryOf(instant(asked), 'expires', begun, kind)
  expect(until(lapses + 1, 'authorization')).toEqual({ ok: true, value: lapses })
  expect(until(lapses - 1, 'authorization')).toEqual({ ok: true, value: lapses - 1 })
  expect(until(lapses + 1, 'payment')).toEqual({ ok: true, value: lapses + 1 })
  expect(until(begun, 'payment')).toMatchObject({ refusal: { kind: 'invalid_parameter' } })
})

it('offers no authorization by a method whose provider cannot reserve money', () => {
  const wallet = { ...having(['CC', 'MBWAY']), notHeld: new Set(['MBWAY'] as const) }
  expect(offeredMethods(wallet, { kind: 'authorization', exclude: [] })).toEqual(['CC'])
  expect(offeredMethods(wallet, { kind: 'payment', exclude: [] })).toEqual(['CC', 'MBWAY'])
})
