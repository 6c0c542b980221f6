// Changes of a mandate by the customer, and inquiries at the network.
import { describe, expect, it } from 'vitest'
import { cents } from '../../../kernel/money.ts'
import { day, instant, minute, second } from '../../../kernel/time.ts'
import type { Mandate, MandateState } from './model.ts'
import { afterChange, answerUntil, endOf, isOver, nextInquiry } from './rules.ts'

const now = instant(Date.parse('2026-03-02T12:00:00Z'))
const mandate = (changed: object = {}) =>
  ({
    state: 'REQUESTED',
    version: 1,
    inquiries: 0,
    askedUntil: instant(now + 4 * minute),
    ...changed,
  }) as Mandate

describe('the customer can answer', () => {
  it.each([
    ['for four minutes', undefined, 4 * minute],
    ['until the subscription ends', minute, minute],
    ['for four minutes if the subscription ends later', 5 * minute, 4 * minute],
  ])('%s', (_, latest, end) => {
    expect(answerUntil(now, latest === undefined ? undefined : instant(now + latest))).toBe(now + end)
  })
})

describe('a change', () => {
  const states: readonly MandateState[] = ['REQUESTED', 'ACTIVE', 'SUSPENDED', 'VOIDED', 'EXPIRED']
  const changes: Record<string, Partial<Record<MandateState, [MandateState, string]>>> = {
    approved: { REQUESTED: ['ACTIVE', 'APPROVED'] },
    refused: { REQUESTED: ['EXPIRED', 'EXPIRED'] },
    expired: {
      REQUESTED: ['EXPIRED', 'EXPIRED'],
      ACTIVE: ['EXPIRED', 'EXPIRED'],
      SUSPENDED: ['EXPIRED', 'EXPIRED'],
    },
    updated: { ACTIVE: ['ACTIVE', 'UPDATED'], SUSPENDED: ['SUSPENDED', 'UPDATED'] },
    suspended: { ACTIVE: ['SUSPENDED', 'SUSPENDED'] },
    resumed: { SUSPENDED: ['ACTIVE', 'UPDATED'] },
    cancelled: { ACTIVE: ['VOIDED', 'VOIDED'], SUSPENDED: ['VOIDED', 'VOIDED'] },
  }

  it.each(
    Object.entries(changes).flatMap(([kind, rows]) =>
      states.map((state) => [kind, state, rows[state]] as const),
    ),
  )('%s in state %s: %s', (kind, state, expected) => {
    const changed = afterChange(mandate({ state }), { kind, version: 9 } as never)
    expect(changed.mandate).toMatchObject({ state: expected?.[0] ?? state, version: 9 })
    expect(changed.event).toBe(expected?.[1])
  })

  it('has terms only if it has an effect', () => {
    const terms = { limit: cents(500), expiryDate: '2027-01-01' }
    const approved = { kind: 'approved', version: 2, ...terms } as never
    expect(afterChange(mandate(), approved).mandate).toMatchObject(terms)
    expect(afterChange(mandate({ state: 'VOIDED', limit: cents(1) }), approved).mandate).toMatchObject({
      limit: 1n,
    })
    const suspended = { kind: 'suspended', version: 2 } as never
    expect(afterChange(mandate({ state: 'ACTIVE', limit: cents(1) }), suspended).mandate).toMatchObject({
      limit: 1n,
    })
  })
})

it.each([
  ['REQUESTED', false],
  ['ACTIVE', false],
  ['SUSPENDED', false],
  ['VOIDED', true],
  ['EXPIRED', true],
])('%s is final: %s', (state, over) => {
  expect(isOver(mandate({ state }))).toBe(over)
})

describe('the end', () => {
  it('of a request is the end of the time to answer', () => {
    expect(endOf(mandate({ expiryDate: '2026-03-02' }))).toBe(now + 4 * minute)
  })

  it('of an active mandate is its last day in Lisbon, or the time to answer without one', () => {
    expect(endOf(mandate({ state: 'ACTIVE', expiryDate: '2026-07-01' }))).toBe(
      Date.parse('2026-07-01T23:00:00Z'),
    )
    expect(endOf(mandate({ state: 'ACTIVE' }))).toBe(now + 4 * minute)
  })
})

describe('the network is asked again', () => {
  const lasting = { state: 'ACTIVE', expiryDate: '2026-07-01' }
  const last = { state: 'ACTIVE', expiryDate: '2026-03-02' }
  it.each([
    ['after ten seconds', {}, 0, 10 * second],
    ['twice as long after', { inquiries: 1 }, 0, 20 * second],
    ['no later than at its end', { inquiries: 9 }, 0, 4 * minute],
    ['a second before its end: at its end', {}, 4 * minute - second, second],
    ['at its end: after five seconds', {}, 4 * minute, 5 * second],
    ['after its end: within five minutes', { inquiries: 20 }, 9 * minute, 5 * minute],
    ['a day later while it is active', { ...lasting, inquiries: 5 }, 0, day],
    ['at the end of its last day', last, 0, 12 * 60 * minute],
    ['never in a final state', { state: 'VOIDED' }, 0, undefined],
  ])('%s', (_, changed, waited, pause) => {
    const at = instant(now + waited)
    expect(nextInquiry(mandate(changed), at)).toBe(pause === undefined ? undefined : at + pause)
  })
})
