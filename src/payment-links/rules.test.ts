// States of payment links, typed amounts, and checkouts.
import { expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import type { PaymentLink } from './model.ts'
import { backToLink, draftOf, fitsLimits, fitsLink, isCode, linkStatus, typedAmount } from './rules.ts'

const hour = 3_600_000
const now = instant(1_000_000)
const link = (changed: object) =>
  ({
    id: 'L',
    code: 'C',
    description: 'lamp',
    currency: 'EUR',
    uses: 0,
    ...changed,
  }) as unknown as PaymentLink

it.each([
  [{}, 'ACTIVE'],
  [{ closedAt: now }, 'CLOSED'],
  [{ closedAt: now, usesMax: 1, uses: 1 }, 'CLOSED'],
  [{ usesMax: 2, uses: 1 }, 'ACTIVE'],
  [{ usesMax: 2, uses: 2 }, 'USED'],
  [{ usesMax: 2, uses: 3, expiresAt: now }, 'USED'],
  [{ expiresAt: now }, 'EXPIRED'],
  [{ expiresAt: instant(now - 1) }, 'EXPIRED'],
  [{ expiresAt: instant(now + 1) }, 'ACTIVE'],
])('%o is %s', (changed, status) => {
  expect(linkStatus(link(changed), now)).toBe(status)
})

it.each([
  ['a day', {}, 24 * hour, false],
  ['an hour, if it holds a use', { usesMax: 3 }, hour, false],
  ['as long as the link', { expiresAt: instant(now + 5) }, 5, true],
  ['no longer than a day', { expiresAt: instant(now + 24 * hour) }, 24 * hour, false],
])('its checkout lives for %s', (_, changed, lives, wasAsked) => {
  const draft = draftOf(link(changed), cents(5), 'https://pay', now)
  expect(draft).toMatchObject({ expiresAt: now + lives, expiryWasAsked: wasAsked })
})

it('its checkout has the data of the link, and returns to it without a shop page', () => {
  const merchantReferences = {
    extInvoiceId: 'i',
    extEmail: 'e',
    extCustomerId: 'c',
    extEmployee: 'm',
    notes: 'n',
  }
  expect(draftOf(link({ ...merchantReferences, store: 's' }), cents(5), 'https://pay', now)).toMatchObject({
    kind: 'payment',
    amount: 5n,
    currency: 'EUR',
    merchantReferences,
    items: [{ name: 'lamp' }],
    store: 's',
    urlConfirm: 'https://pay/l/C',
    urlCancel: 'https://pay/l/C',
    instant: false,
    paymentLinkId: 'L',
  })
  const shop = { urlConfirm: 'https://shop/yes', urlCancel: 'https://shop/no', items: [{ name: 'bulb' }] }
  expect(draftOf(link(shop), cents(5), 'https://pay', now)).toMatchObject(shop)
})

it.each([
  [{ amount: cents(1000) }, undefined],
  [{ amount: cents(1001) }, 'amount must be'],
  [{ amountMin: cents(1), amountMax: cents(1000) }, undefined],
  [{ amountMin: cents(1), amountMax: cents(1001) }, 'amount_max must be'],
  [{}, undefined],
])('a merchant who may be paid 10.00 may offer %o: %s', (changed, problem) => {
  const result = fitsLimits(link(changed), { paymentLimit: cents(1000), dayLimit: null })
  expect(result.ok ? undefined : result.refusal.reason.slice(0, problem?.length)).toBe(problem)
})

it.each([
  ['https://pay/l/C', 'L', true],
  ['https://pay/other', 'L', false],
  ['https://shop/l/C', 'L', false],
  ['https://pay/l/C', undefined, false],
])('back to %s, by the link %s: ends here %s', (url, paymentLinkId, here) => {
  const backTo = backToLink('https://pay')
  expect(backTo({ operation: { paymentLinkId } } as never, url, 'en')).toBe(here ? 'Try again' : undefined)
  expect(backTo({ operation: undefined } as never, url, 'en')).toBeUndefined()
})

it.each([
  ['12', 1200n],
  ['12,5', 1250n],
  ['12.50', 1250n],
  [' 1 234,56 €', 123_456n],
  ['0,05', 5n],
  ['1234567', 123_456_700n],
  ['12345678', undefined],
  ['1.234', undefined],
  ['1,2,3', undefined],
  ['12.', undefined],
  [',50', undefined],
  ['-5', undefined],
  ['5x', undefined],
  ['x5', undefined],
  ['', undefined],
])('typed as %o it is %s cents', (text, amount) => {
  expect(typedAmount(text)).toBe(amount)
})

it.each([
  [{ amount: cents(10) }, 10, true],
  [{ amount: cents(10) }, 9, false],
  [{ amount: cents(10) }, 11, false],
  [{ amountMin: cents(10), amountMax: cents(20) }, 9, false],
  [{ amountMin: cents(10), amountMax: cents(20) }, 10, true],
  [{ amountMin: cents(10), amountMax: cents(20) }, 20, true],
  [{ amountMin: cents(10), amountMax: cents(20) }, 21, false],
  [{ amountMin: cents(10) }, 15, false],
  [{ amountMax: cents(20) }, 15, false],
])('by %o one may pay %i cents: %s', (changed, amount, fits) => {
  expect(fitsLink(link(changed), cents(amount))).toBe(fits)
})

it.each([
  ['0123456789abcdefghABCD', true],
  ['0123456789abcdefghABCDE', false],
  ['0123456789abcdefghABC', false],
  ['0123456789abcdefghABC-', false],
  ['-0123456789abcdefghABCD', false],
])('%s may be a code: %s', (text, may) => {
  expect(isCode(text)).toBe(may)
})
