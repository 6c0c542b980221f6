// Times and decisions of references, across clock changes.
import { describe, expect, it } from 'vitest'
import { parseInstant } from '../../http/index.ts'
import { cents } from '../../kernel/money.ts'
import { unwrap } from '../../kernel/result.ts'
import { instant, toTimestamp } from '../../kernel/time.ts'
import type { BankReference, PaidOperation } from './model.ts'
import {
  defaultExpiry,
  firstDueAt,
  type Judgement,
  judgePayment,
  latestExpiry,
  limitsFrom,
  nextDueAt,
  numberFreeAt,
  offeredExpiry,
  overAt,
  payableWindow,
  recurringExpiry,
  stateOf,
  withinLimits,
} from './rules.ts'

const at = (text: string) => instant(Date.parse(text))
const read = (text: string | undefined) =>
  text === undefined ? undefined : unwrap(parseInstant(text, 'date'))
const written = (moment: number | undefined) =>
  moment === undefined ? undefined : toTimestamp(instant(moment))

function windowOf(now: string, asked: { instant?: boolean; starts?: string; expires?: string }) {
  const { instant: isInstant = false, starts, expires } = asked
  return payableWindow({ instant: isInstant, starts: read(starts), expires: read(expires) }, at(now))
}

describe('a time-limited reference', () => {
  it.each([
    // now, expires as sent, last second to pay
    ['2026-03-26T12:00:00Z', '2026-03-28T12:00:00Z', '2026-03-28T23:59:59.000Z'],
    ['2026-03-26T12:00:00Z', '2026-03-28T23:59:59Z', '2026-03-28T23:59:59.000Z'],
    // The clocks go forward on 29 March 2026: the day has 23 hours.
    ['2026-03-26T12:00:00Z', '2026-03-29T00:00:00Z', '2026-03-29T22:59:59.000Z'],
    ['2026-03-26T12:00:00Z', '2026-03-29T00:59:59Z', '2026-03-29T22:59:59.000Z'],
    ['2026-03-26T12:00:00Z', '2026-03-29T22:59:59Z', '2026-03-29T22:59:59.000Z'],
    ['2026-03-26T12:00:00Z', '2026-03-29T23:00:00Z', '2026-03-30T22:59:59.000Z'],
    // They go back on 25 October 2026: the day has 25 hours.
    ['2026-10-20T12:00:00Z', '2026-10-24T22:59:59Z', '2026-10-24T22:59:59.000Z'],
    ['2026-10-20T12:00:00Z', '2026-10-24T23:00:00Z', '2026-10-25T23:59:59.000Z'],
    ['2026-10-20T12:00:00Z', '2026-10-25T23:59:59Z', '2026-10-25T23:59:59.000Z'],
    ['2026-10-20T12:00:00Z', '2026-10-26T00:00:00Z', '2026-10-26T23:59:59.000Z'],
    // In summer, midnight in Lisbon is 23:00 UTC.
    ['2025-07-10T12:00:00Z', '2025-07-13T23:30:00Z', '2025-07-14T22:59:59.000Z'],
    ['2025-07-10T12:00:00Z', '2025-07-13T22:59:59Z', '2025-07-13T22:59:59.000Z'],
    ['2025-11-10T12:00:00Z', '2025-11-13T23:59:59Z', '2025-11-13T23:59:59.000Z'],
    // Month and year ends, and a leap day.
    ['2026-01-28T12:00:00Z', '2026-01-31T12:00:00Z', '2026-01-31T23:59:59.000Z'],
    ['2026-02-25T12:00:00Z', '2026-02-28T12:00:00Z', '2026-02-28T23:59:59.000Z'],
    ['2028-02-25T12:00:00Z', '2028-02-29T12:00:00Z', '2028-02-29T23:59:59.000Z'],
    ['2026-12-28T12:00:00Z', '2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2026-04-27T12:00:00Z', '2026-04-30T22:59:59Z', '2026-04-30T22:59:59.000Z'],
    ['2026-04-27T12:00:00Z', '2026-04-30T23:00:00Z', '2026-05-01T22:59:59.000Z'],
    // UTC without a zone; a day alone is its first instant there.
    ['2025-07-10T12:00:00Z', '2025-07-13T23:30:00', '2025-07-14T22:59:59.000Z'],
    ['2025-07-10T12:00:00Z', '2025-07-13T23:30:00+0100', '2025-07-13T22:59:59.000Z'],
    ['2025-07-10T12:00:00Z', '2025-07-13T23:30:00+01', '2025-07-13T22:59:59.000Z'],
    ['2025-07-10T12:00:00Z', '2025-07-13', '2025-07-13T22:59:59.000Z'],
    ['2025-11-10T12:00:00Z', '2025-11-13T20:30:00-05:00', '2025-11-14T23:59:59.000Z'],
    // Two days ahead, to the millisecond.
    ['2026-06-01T10:00:00.000Z', '2026-06-03T10:00:00Z', '2026-06-03T22:59:59.000Z'],
    ['2026-06-01T10:00:00.000Z', '9999-12-30T10:00:00Z', '9999-12-30T23:59:59.000Z'],
  ])('created at %s with expires %s ends at %s', (now, expires, last) => {
    const window = unwrap(windowOf(now, { expires }))
    expect(written(window.expires)).toBe(last)
    expect(written(overAt(window.expires))).toBe(toTimestamp(instant(Date.parse(last) + 1000)))
  })

  it.each([
    ['2026-03-26T12:00:00Z', '2026-03-27T23:59:59.000Z'],
    ['2026-03-26T07:19:59Z', '2026-03-26T23:59:59.000Z'],
    ['2026-03-26T07:20:00Z', '2026-03-27T23:59:59.000Z'],
    // 1000 minutes are 16 h 40 min of real time, also when the clocks change.
    ['2026-03-28T12:00:00Z', '2026-03-29T22:59:59.000Z'],
    ['2026-03-29T06:20:00Z', '2026-03-30T22:59:59.000Z'],
    ['2026-10-25T07:19:59Z', '2026-10-25T23:59:59.000Z'],
    ['2026-10-25T07:20:00Z', '2026-10-26T23:59:59.000Z'],
    ['2026-12-31T20:00:00Z', '2027-01-01T23:59:59.000Z'],
  ])('created at %s without expires ends at %s', (now, last) => {
    expect(written(defaultExpiry(at(now)))).toBe(last)
    expect(written(unwrap(windowOf(now, {})).expires)).toBe(last)
  })

  it.each([
    [{ expires: '2026-06-03T09:59:59Z' }, 'expires must be at least 2 days ahead'],
    [{ expires: '2026-06-03' }, 'expires must be at least 2 days ahead'],
    [{ expires: '2026-06-01T10:00:00Z' }, 'expires must be at least 2 days ahead'],
    [{ expires: '2020-01-01' }, 'expires must be at least 2 days ahead'],
    [{ starts: '2026-06-02' }, 'starts requires instant: true'],
  ])('is refused with %o', (asked, reason) => {
    const refused = windowOf('2026-06-01T10:00:00.000Z', asked)
    expect(refused).toMatchObject({ ok: false, refusal: { kind: 'invalid_parameter' } })
    expect(refused.ok ? '' : refused.refusal.reason).toContain(reason)
  })
})

describe('an instant reference', () => {
  const now = '2026-03-29T00:30:00.500Z'

  it.each([
    [{ expires: '2026-03-29T00:30:01Z' }, undefined, '2026-03-29T00:30:01.000Z'],
    [{ expires: '2026-03-29T02:30:00+0100' }, undefined, '2026-03-29T01:30:00.000Z'],
    [{ expires: '2026-03-29T01:30:00' }, undefined, '2026-03-29T01:30:00.000Z'],
    [{ expires: '2026-03-29T01:30:00.999' }, undefined, '2026-03-29T01:30:00.000Z'],
    [
      { starts: '2026-03-29T00:45:00.700', expires: '2026-03-29T00:45:01Z' },
      '2026-03-29T00:45:00.000Z',
      '2026-03-29T00:45:01.000Z',
    ],
  ])('with %o can be paid from %s to %s', (asked, starts, expires) => {
    const window = unwrap(windowOf(now, { instant: true, ...asked }))
    expect([written(window.starts), written(window.expires)]).toEqual([starts, expires])
  })

  it.each([
    [{}, 'missing_parameter', 'expires is required with instant'],
    [{ expires: '2026-03-29T00:30:00.500Z' }, 'invalid_parameter', 'expires must be in the future'],
    [{ expires: '2026-03-29' }, 'invalid_parameter', 'expires must be in the future'],
    [{ expires: '2026-03-30', starts: '2026-03-29T00:30:00Z' }, 'invalid_parameter', 'starts must be in the'],
    [{ expires: '2026-03-30', starts: '2026-03-30' }, 'invalid_parameter', 'starts must be earlier than'],
    [{ expires: '2026-03-30', starts: '2026-03-31' }, 'invalid_parameter', 'starts must be earlier than'],
  ])('is refused with %o', (asked, kind, reason) => {
    const refused = windowOf(now, { instant: true, ...asked })
    expect(refused).toMatchObject({ ok: false, refusal: { kind } })
    expect(refused.ok ? '' : refused.refusal.reason).toContain(reason)
  })
})

it('an instant reference cannot start or end now', () => {
  const now = '2026-03-29T00:30:00Z'
  const reasonOf = (asked: { starts?: string; expires: string }) => {
    const refused = windowOf(now, { instant: true, ...asked })
    return refused.ok ? undefined : refused.refusal.reason
  }
  expect(reasonOf({ expires: now })).toContain('expires must be in the future')
  expect(reasonOf({ starts: now, expires: '2026-03-29T01:00:00Z' })).toContain('starts must be in the future')
})

it('a recurring reference with a past day is refused', () => {
  const over = recurringExpiry(at('2026-10-25T00:00:00Z'), at('2026-10-26T00:00:00Z'))
  expect(over).toMatchObject({ refusal: { kind: 'invalid_parameter' } })
})

it.each([
  ['2026-10-25T12:00:00Z', '2026-10-25T00:00:00Z', '2026-10-25T23:59:59.000Z'],
  ['2026-10-25T23:59:59.999Z', '2026-10-25T00:00:00Z', '2026-10-25T23:59:59.000Z'],
  ['2026-10-26T00:00:00Z', '2026-10-25T00:00:00Z', undefined],
  ['2026-07-01T12:00:00Z', '2026-07-31T23:00:00Z', '2026-08-01T22:59:59.000Z'],
])('a recurring reference created at %s with expires %s ends at %s', (now, expires, end) => {
  const window = recurringExpiry(at(expires), at(now))
  expect(window.ok ? written(window.value.expires) : undefined).toBe(end)
})

const createdAt = at('2026-03-01T10:00:00Z')

function referenceOf(change: Partial<BankReference> = {}): BankReference {
  return {
    id: 'reference',
    walletId: 1n,
    kind: 'time_limited',
    entity: '21312',
    number: 1234567,
    ref: '123456789',
    operationId: 'operation',
    amountMin: cents(1000),
    amountMax: cents(1000),
    expires: at('2026-03-05T23:59:59Z'),
    createdAt,
    ...change,
  }
}

const pending: PaidOperation = { status: 'PENDING', attemptId: 'reference' }
const paid: PaidOperation = { status: 'COMPLETED', attemptId: 'reference', railPaymentId: 'first' }
const recurring = { kind: 'recurring', operationId: undefined, amountMin: cents(500) } as const
const instantly = { kind: 'instant', starts: at('2026-03-01T12:00:00Z') } as const

function judged(
  change: Partial<BankReference>,
  operation: PaidOperation | undefined,
  payment: { id?: string; amount?: number; paidAt?: string },
): string {
  const { id = 'payment', amount = 1000, paidAt = '2026-03-02T09:59:59.999Z' } = payment
  const judgement: Judgement = judgePayment(referenceOf(change), operation, {
    id,
    amount: cents(amount),
    paidAt: at(paidAt),
  })
  if (judgement.kind !== 'refuse') return judgement.kind
  return judgement.isUserError ? `${judgement.reason}, with an event` : judgement.reason
}

const firstDay = { paidAt: '2026-03-02T09:59:59.999Z' }
const later = { paidAt: '2026-03-02T10:00:00Z' }

describe('a payment', () => {
  it.each([
    ['right', {}, pending, {}, 'accept'],
    ['a cent too little', {}, pending, { ...firstDay, amount: 999 }, 'badamount, with an event'],
    ['a cent too much', {}, pending, { ...firstDay, amount: 1001 }, 'badamount, with an event'],
    ['a cent too little after the first day', {}, pending, { ...later, amount: 999 }, 'badamount'],
    ['a second notice of the same payment', {}, paid, { id: 'first' }, 'repeated'],
    ['a second one', {}, paid, firstDay, 'duplicatepayment, with an event'],
    [
      'a second one with another amount',
      {},
      paid,
      { ...firstDay, amount: 1 },
      'duplicatepayment, with an event',
    ],
    ['a second one after the first day', {}, paid, later, 'duplicatepayment'],
    ['in the last second', {}, pending, { paidAt: '2026-03-05T23:59:59.999Z' }, 'accept'],
    ['after the last second', {}, pending, { paidAt: '2026-03-06T00:00:00Z' }, 'expired'],
    ['after the timer', {}, { ...pending, status: 'FAIL', error: 'expired' }, {}, 'expired'],
    ['of a cancelled checkout', {}, { ...pending, status: 'FAIL', error: 'cancelled' }, {}, 'deleted'],
    ['of a voided operation', {}, { ...pending, status: 'VOIDED' }, {}, 'deleted'],
    ['of another attempt', {}, { ...pending, attemptId: 'card' }, {}, 'deleted'],
    ['of an operation that a card paid', {}, { status: 'COMPLETED', attemptId: 'card' }, {}, 'deleted'],
    ['of a deleted one', { deletedAt: createdAt }, pending, {}, 'deleted'],
    ['instant, at once', instantly, pending, { paidAt: '2026-03-01T12:00:00Z' }, 'accept'],
    ['instant, too early', instantly, pending, { paidAt: '2026-03-01T11:59:59.999Z' }, 'not_started'],
    ['instant, a cent too little', instantly, pending, { amount: 999 }, 'badamount'],
    ['instant, a second one', instantly, paid, {}, 'duplicatepayment'],
    [
      'instant, a second one, dated before its creation',
      instantly,
      paid,
      { paidAt: '2026-03-01T09:59:59Z' },
      'duplicatepayment',
    ],
    ['recurring, minimum', recurring, undefined, { amount: 500 }, 'accept'],
    ['recurring, maximum', recurring, undefined, { amount: 1000 }, 'accept'],
    ['recurring, below', recurring, undefined, { ...firstDay, amount: 499 }, 'badamount, with an event'],
    ['recurring, above', recurring, undefined, { ...firstDay, amount: 1001 }, 'badamount, with an event'],
    ['recurring, above, later', recurring, undefined, { ...later, amount: 1001 }, 'badamount'],
    ['recurring, without end', { ...recurring, expires: undefined }, undefined, later, 'accept'],
    ['recurring, over', recurring, undefined, { paidAt: '2026-03-06T00:00:00Z' }, 'expired'],
    ['recurring, deleted', { ...recurring, deletedAt: createdAt }, undefined, {}, 'deleted'],
  ] as const)('%s: %o of %o with %o is %s', (_, change, operation, payment, outcome) => {
    expect(judged(change, operation, payment)).toBe(outcome)
  })
})

it('the network knows limits at once for instant references, otherwise after a day', () => {
  expect(limitsFrom(referenceOf(instantly))).toBe(createdAt)
  expect(limitsFrom(referenceOf())).toBe(at('2026-03-02T10:00:00Z'))
  expect(limitsFrom(referenceOf(recurring))).toBe(at('2026-03-02T10:00:00Z'))
})

it('a reference is open until the end of its last second', () => {
  const state = (moment: string) => stateOf(referenceOf(), pending, at(moment))
  expect(state('2026-03-05T23:59:59.999Z')).toBe('open')
  expect(state('2026-03-06T00:00:00Z')).toBe('expired')
})

describe('a reference on a page', () => {
  const now = at('2026-03-02T12:00:00Z')
  const pageEnds = at('2026-03-04T08:00:00Z')

  it.each([
    ['instant: at the merchant’s time', true, '2026-03-02T13:30:00Z', '2026-03-02T13:30:00.000Z'],
    ['at the end of the requested day', false, '2026-03-02T13:30:00Z', '2026-03-02T23:59:59.000Z'],
    ['with a past day: at the end of the page', false, '2026-03-01T10:00:00Z', '2026-03-04T23:59:59.000Z'],
    ['without a day: at the end of the page', false, undefined, '2026-03-04T23:59:59.000Z'],
    ['instant without a time: at the end of the page', true, undefined, '2026-03-04T23:59:59.000Z'],
  ])('ends %s', (_, isInstant, expires, end) => {
    const asked = { instant: isInstant, expires: expires === undefined ? undefined : at(expires) }
    expect(written(offeredExpiry(asked, pageEnds, now))).toBe(end)
  })

  it('lasts the usual time if the page ends sooner', () => {
    expect(written(offeredExpiry({}, at('2026-03-02T13:00:00Z'), now))).toBe('2026-03-03T23:59:59.000Z')
  })

  it('keeps its day until the last second', () => {
    const expires = at('2026-03-01T10:00:00Z')
    const lastSecond = at('2026-03-01T23:59:59Z')
    expect(written(offeredExpiry({ expires }, pageEnds, lastSecond))).toBe('2026-03-01T23:59:59.000Z')
    const over = at('2026-03-02T00:00:00Z')
    expect(written(offeredExpiry({ expires }, pageEnds, over))).toBe('2026-03-04T23:59:59.000Z')
  })
})

it('a number is free after a year and a day', () => {
  expect(written(numberFreeAt(at('2026-03-02T00:00:00Z')))).toBe('2027-03-03T00:00:00.000Z')
})

describe('the timer', () => {
  const createdAt = at('2026-03-02T12:00:00Z')
  const expires = at('2026-03-02T23:59:59Z')
  const over = '2026-03-03T00:00:00.000Z'
  const ours = { number: 5, createdAt, expires } as BankReference
  const theirs = { createdAt, expires } as BankReference
  const endless = { createdAt } as BankReference

  it.each([
    ['ours at once', ours, '2026-03-02T12:00:00.000Z'],
    ['a provider’s in six hours', theirs, '2026-03-02T18:00:00.000Z'],
    ['one without an end too', endless, '2026-03-02T18:00:00.000Z'],
  ])('first runs for %s', (_, reference, due) => {
    expect(written(firstDueAt(reference))).toBe(due)
  })

  it.each([
    ['ours, open: at its end', ours, 'open', '2026-03-02T13:00:00Z', over],
    [
      'ours, without an end: never',
      { ...ours, expires: undefined },
      'open',
      '2026-03-02T13:00:00Z',
      undefined,
    ],
    ['ours, expired: never', ours, 'expired', '2026-03-03T13:00:00Z', undefined],
    ['open: six hours later', theirs, 'open', '2026-03-02T13:00:00Z', '2026-03-02T19:00:00.000Z'],
    ['open: at its end, if that is sooner', theirs, 'open', '2026-03-02T20:00:00Z', over],
    ['paid: never', theirs, 'paid', '2026-03-02T20:00:00Z', undefined],
    [
      'paid, and deleted: never',
      { ...theirs, deletedAt: createdAt },
      'paid',
      '2026-03-02T20:00:00Z',
      undefined,
    ],
    [
      'expired: eight days after its end',
      theirs,
      'expired',
      '2026-03-03T01:00:00Z',
      '2026-03-11T00:00:00.000Z',
    ],
    ['expired: not after eight days', theirs, 'expired', '2026-03-11T00:00:00Z', undefined],
    [
      'deleted: eight days later',
      { ...theirs, deletedAt: createdAt },
      'deleted',
      '2026-03-02T13:00:00Z',
      '2026-03-10T12:00:00.000Z',
    ],
    ['deleted without an end: never', endless, 'deleted', '2026-03-02T13:00:00Z', undefined],
  ] as const)('runs again for %s', (_, reference, state, moment, due) => {
    expect(written(nextDueAt(reference as BankReference, state, at(moment)))).toBe(due)
  })
})

describe('a provider', () => {
  const now = at('2026-03-02T12:00:00Z')
  const everything = { payableManyTimes: true, openAmount: true, startsLater: true }
  const asked = { payableOnce: true, amountMin: cents(1000), amountMax: cents(1000) }

  it.each([
    ['one payment', {}, {}, undefined],
    ['many payments', {}, { payableOnce: false }, undefined],
    [
      'many payments',
      { payableManyTimes: false },
      { payableOnce: false },
      'access_denied: this wallet’s provider',
    ],
    ['one payment', { payableManyTimes: false }, {}, undefined],
    ['an open amount', {}, { amountMin: cents(1) }, undefined],
    ['an open amount', { openAmount: false }, { amountMin: cents(1) }, 'invalid_parameter: min_amount'],
    ['one amount', { openAmount: false }, {}, undefined],
    ['10.00', { amountMax: cents(1000) }, {}, undefined],
    ['10.00', { amountMax: cents(999) }, {}, 'above_maximum_amount: amount must be at most 9.99'],
    ['10.00', { amountMax: cents(999) }, { payableOnce: false }, 'above_maximum_amount: max_amount must be'],
    ['a later start', {}, { starts: now }, undefined],
    ['a later start', { startsLater: false }, { starts: now }, 'invalid_parameter: starts must be left out'],
    ['no start', { startsLater: false }, {}, undefined],
    ['30 days', { validityDaysMax: 30 }, { expires: at('2026-04-01T12:00:00Z') }, undefined],
    [
      'more than 30 days',
      { validityDaysMax: 30 },
      { expires: at('2026-04-01T12:00:01Z') },
      'invalid_parameter: expires must be at most 30 days ahead',
    ],
    ['no end', { validityDaysMax: 30 }, {}, 'invalid_parameter: expires must be at most 30 days ahead'],
    ['no end', {}, {}, undefined],
  ])('with references for %s, within %o', (_, limits, changed, problem) => {
    const result = withinLimits({ ...everything, ...limits } as never, { ...asked, ...changed }, now)
    const text = result.ok ? undefined : `${result.refusal.kind}: ${result.refusal.reason}`
    expect(text?.slice(0, problem?.length)).toBe(problem)
  })

  it('without a limit of days has no latest end', () => {
    expect(latestExpiry({ validityDaysMax: undefined }, now)).toBeUndefined()
    expect(written(latestExpiry({ validityDaysMax: 1 }, now))).toBe('2026-03-03T12:00:00.000Z')
  })
})
