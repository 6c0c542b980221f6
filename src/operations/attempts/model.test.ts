// Times of inquiries: each wait is longer, up to a maximum.
import { describe, expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import { day, hour, instant, minute, second } from '../../kernel/time.ts'
import type { NewOperation } from '../model.ts'
import { firstInquiry, underApproval } from '../open/open.ts'
import {
  firstLook,
  nextInquiry,
  nextInquiryOfCustomer,
  nextLateInquiry,
  nextReversal,
  nextUnknownInquiry,
} from './model.ts'

const now = instant(1_800_000_000_000)

it.each([
  ['first', firstInquiry(now), 10 * second],
  ['first inquiry about a customer', firstLook(now), 30 * second],
  ['after an unknown answer', nextUnknownInquiry(now), minute],
])('time of the inquiry: %s', (_, at, pause) => {
  expect(at).toBe(now + pause)
})

describe('next inquiry', () => {
  it.each([
    [nextInquiry, 0, 5 * second],
    [nextInquiry, 1, 10 * second],
    [nextInquiry, 5, 160 * second],
    [nextInquiry, 6, 5 * minute],
    [nextInquiry, 100, 5 * minute],
    [nextInquiryOfCustomer, 0, 10 * second],
    [nextInquiryOfCustomer, 2, 40 * second],
    [nextInquiryOfCustomer, 9, 5 * minute],
    [nextReversal, 0, 5 * second],
    [nextReversal, 9, 2560 * second],
    [nextReversal, 10, hour],
  ])('%o after %i inquiries', (next, tries, pause) => {
    expect(next(now, tries)).toBe(now + pause)
  })
})

describe('time of the next inquiry after giving up', () => {
  it.each([
    [0, 0, minute],
    [1, minute, 10 * minute],
    [2, 10 * minute, hour],
    [3, hour, day],
    [4, day, undefined],
  ])('inquiry %i', (tries, waited, due) => {
    const at = instant(now + waited)
    expect(nextLateInquiry(now, at, tries)).toBe(due === undefined ? undefined : now + due)
  })

  it.each([minute - 1, minute, minute + 1])('soon, if its time has passed: %i ms after', (waited) => {
    const at = instant(now + waited)
    expect(nextLateInquiry(now, at, 0)).toBe(waited < minute ? now + minute : at + second)
  })
})

it('an operation under approval is pending under its own id', () => {
  const asked = { id: 'O', amount: cents(1), status: 'NEW', createdAt: now } as unknown as NewOperation
  const pending = { id: 'O', status: 'PENDING', attemptId: 'O', underApproval: true }
  expect(underApproval(asked)).toMatchObject({ ...pending, dueAt: now + 10 * second })
  expect(underApproval(asked, instant(now + hour))).toMatchObject({
    ...pending,
    dueAt: now + hour + 10 * second,
  })
})
