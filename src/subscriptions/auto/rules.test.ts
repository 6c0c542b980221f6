// The next step of automatic charges: one row for each rule.
import { describe, expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import { instant } from '../../kernel/time.ts'
import type { AutoCharge } from './model.ts'
import {
  chargeMomentOn,
  isSoft,
  nextCycleAfterPause,
  nextCycleAfterStart,
  nextStep,
  numberedReference,
} from './rules.ts'

const at = (text: string) => instant(Date.parse(text))

const fresh: AutoCharge = {
  ...{ walletId: 1n, subscriptionId: 'a', status: 'ACTIVE', amount: cents(500), retries: [1, 3, 5, 7] },
  ...{ number: 0, attempt: 0, nextCycle: 0 },
}
const charged: AutoCharge = {
  ...fresh,
  ...{ cycle: 0, number: 1, attempt: 1, nextCycle: 1, outcome: 'PAID', firstOn: '2027-01-31' },
}
const refused: AutoCharge = {
  ...charged,
  outcome: 'REFUSED',
  error: 'insufficient_funds',
  retryOn: '2027-02-01',
}
const terms = { frequency: 1, period: 'MONTH', startDate: '2027-01-31', endDate: undefined } as const

function stepOf(change: Partial<AutoCharge>, moment: string, endDate?: string): string {
  const step = nextStep({ ...charged, ...change }, { ...terms, endDate }, at(moment))
  if (step.kind === 'end') return `end ${step.outcome}`
  if (step.kind === 'wait') {
    return `wait ${step.outcome} ${step.dueAt === undefined ? 'for the answer' : new Date(step.dueAt).toISOString()}`
  }
  const { cycle, number, attempt, retryOn, nextOn } = step.attempt
  return `charge ${cycle} as ${number}.${attempt}, again ${retryOn}, next ${nextOn}`
}

const first = { cycle: undefined, number: 0, attempt: 0, nextCycle: 0, outcome: undefined } as const

describe('the next step', () => {
  it.each<[string, Partial<AutoCharge>, string, string, string?]>([
    ['before the start', first, '2027-01-30T12:00:00Z', 'wait undefined 2027-01-31T08:00:00.000Z'],
    ['before the hour', first, '2027-01-31T07:59:59Z', 'wait undefined 2027-01-31T08:00:00.000Z'],
    ['at the hour', first, '2027-01-31T08:00:00Z', 'charge 0 as 1.1, again 2027-02-01, next 2027-02-28'],
    [
      'late in the cycle',
      first,
      '2027-02-25T08:00:00Z',
      'charge 0 as 1.1, again 2027-02-26, next 2027-02-28',
    ],
    [
      'after missed cycles',
      first,
      '2027-05-01T08:00:00Z',
      'charge 3 as 1.1, again 2027-05-02, next 2027-05-31',
    ],
    ['charged already', {}, '2027-02-27T08:00:00Z', 'wait PAID 2027-02-28T08:00:00.000Z'],
    ['in summer', { nextCycle: 3 }, '2027-04-29T08:00:00Z', 'wait PAID 2027-04-30T07:00:00.000Z'],
    ['the last of its number', { maxCharges: 1 }, '2027-02-01T08:00:00Z', 'end PAID'],
    ['the last of its days', {}, '2027-02-01T08:00:00Z', 'end PAID', '2027-02-27'],
    [
      'the last, without an answer',
      { maxCharges: 1, outcome: 'CHARGING' },
      '2027-02-01T08:00:00Z',
      'wait CHARGING for the answer',
    ],
    [
      'the next cycle, without an answer in this one',
      { outcome: 'CHARGING' },
      '2027-02-28T08:00:00Z',
      'charge 1 as 2.1, again 2027-03-01, next 2027-03-31',
    ],
    ['refused, and it can pass', refused, '2027-01-31T08:00:01Z', 'wait RETRYING 2027-02-01T08:00:00.000Z'],
    [
      'refused, and it cannot pass',
      { ...refused, error: 'lost_or_stolen' },
      '2027-01-31T08:00:01Z',
      'wait FAILED 2027-02-28T08:00:00.000Z',
    ],
    [
      'refused for good in the last cycle',
      { ...refused, error: 'expired_card', maxCharges: 1 },
      '2027-01-31T08:00:01Z',
      'end FAILED',
    ],
    [
      'the second attempt',
      { ...refused, outcome: 'RETRYING' },
      '2027-02-01T08:00:00Z',
      'charge 0 as 1.2, again 2027-02-03, next 2027-02-28',
    ],
    [
      'the second attempt, woken early',
      { ...refused, outcome: 'RETRYING' },
      '2027-02-01T07:00:00Z',
      'wait RETRYING 2027-02-01T08:00:00.000Z',
    ],
    [
      'the second attempt, asked for by the customer',
      { ...refused, outcome: 'RETRYING', retryOn: undefined },
      '2027-01-31T09:00:00Z',
      'charge 0 as 1.2, again 2027-02-01, next 2027-02-28',
    ],
    [
      'the attempt after the last day',
      { ...refused, outcome: 'RETRYING', attempt: 4, retryOn: '2027-02-07' },
      '2027-02-07T08:00:00Z',
      'charge 0 as 1.5, again undefined, next 2027-02-28',
    ],
    [
      'an attempt missed until the next cycle',
      { ...refused, outcome: 'RETRYING' },
      '2027-02-28T08:00:00Z',
      'charge 1 as 2.1, again 2027-03-01, next 2027-03-31',
    ],
  ])('%s', (_, change, moment, expected, endDate) => {
    expect(stepOf(change, moment, endDate)).toBe(expected)
  })
})

it.each([
  ['2027-03-27', '2027-03-27T08:00:00Z'],
  ['2027-03-28', '2027-03-28T07:00:00Z'],
  ['2027-10-30', '2027-10-30T07:00:00Z'],
  ['2027-10-31', '2027-10-31T08:00:00Z'],
])('08:00 on %s is %s', (day, moment) => {
  expect(chargeMomentOn(day)).toBe(at(moment))
})

it.each([
  ['insufficient_funds', true],
  ['do_not_honour', true],
  ['expired_card', false],
  ['lost_or_stolen', false],
  ['period_total_reached', false],
  ['a_new_word', false],
  [undefined, false],
])('a refusal for %s can pass: %s', (reason, soft) => {
  expect(isSoft(reason)).toBe(soft)
})

it.each([
  ['before the start', 0, '2027-01-30T12:00:00Z', 0],
  ['before the hour of a cycle', 1, '2027-02-28T07:59:59Z', 1],
  ['after the hour of a cycle', 1, '2027-02-28T08:00:00Z', 2],
  ['in a charged cycle', 2, '2027-03-01T08:00:00Z', 2],
])('charges resumed %s continue with the right cycle', (_, nextCycle, moment, expected) => {
  expect(nextCycleAfterPause({ nextCycle }, terms, at(moment))).toBe(expected)
})

it.each([
  ['before the start', 0, '2027-01-30T12:00:00Z', 0],
  ['before the hour on the first day of a cycle', 0, '2027-02-28T07:00:00Z', 2],
  ['in a charged cycle', 2, '2027-02-28T09:00:00Z', 2],
  ['in an earlier cycle than the one charged', 4, '2027-03-01T08:00:00Z', 4],
])('charges started %s begin with the next cycle', (_, nextCycle, moment, expected) => {
  expect(nextCycleAfterStart({ nextCycle }, terms, at(moment))).toBe(expected)
})

it('references end with the number', () => {
  expect(numberedReference('CLUB', 12)).toBe('CLUB-12')
  expect(numberedReference(undefined, 12)).toBeUndefined()
})
