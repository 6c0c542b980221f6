// The meaning of SPG's statuses and codes, and the forms of ids and phones.
import { describe, expect, it } from 'vitest'
import { cardAnswer, isTechnical, keyOf, merchantTransactionIdOf, paymentAnswer, phoneOf } from './rules.ts'

const sale = {
  intent: 'sale',
  amount: 1000n,
  isOver: false,
  isLongOver: false,
  isUnderMandate: false,
} as const
const hold = { ...sale, intent: 'hold' } as const
const over = { ...sale, isOver: true }
const longOver = { ...over, isLongOver: true }
const paid = { status: 'Success', type: 'PURS', method: 'MBWAY', amount: 1000n, transactionId: 's2' }
const approved = { kind: 'approved', reference: 's2', byMandate: false }
const unknownAnswer = { kind: 'unknown' }

describe('a status of SPG', () => {
  it.each([
    ['approves the requested payment', sale, {}, approved],
    ['is an approval under a mandate', sale, { method: 'MANDATE' }, { ...approved, byMandate: true }],
    ['is an approval of a hold', hold, { type: 'AUTH' }, approved],
    ['is unknown if a hold was requested', hold, {}, unknownAnswer],
    ['is unknown for a cancellation', sale, { type: 'CANC' }, unknownAnswer],
    ['is unknown without a type', sale, { type: undefined }, unknownAnswer],
    ['is unknown with another amount', sale, { amount: 999n }, unknownAnswer],
    ['is unknown without an amount', sale, { amount: undefined }, unknownAnswer],
    ['waits', sale, { status: 'Pending' }, { kind: 'waiting' }],
    ['is unknown under a mandate', { ...sale, isUnderMandate: true }, { status: 'Pending' }, unknownAnswer],
    ['waits while it is processed', over, { status: 'InProcessing' }, { kind: 'waiting' }],
    [
      'is over an hour later',
      longOver,
      { status: 'Pending' },
      { kind: 'declined', decline: 'expired', mayArrive: true },
    ],
    ['is a refusal', sale, { status: 'Declined' }, { kind: 'declined', decline: 'refused' }],
    ['has expired', over, { status: 'Expired' }, { kind: 'declined', decline: 'expired' }],
    ['is unknown at a timeout', sale, { status: 'Timeout' }, unknownAnswer],
    [
      'has expired at a timeout after the end',
      over,
      { status: 'Timeout' },
      { kind: 'declined', decline: 'expired', mayArrive: true },
    ],
    ['is unknown at an error', sale, { status: 'Error' }, unknownAnswer],
    [
      'failed at an error in the end',
      over,
      { status: 'Error' },
      { kind: 'declined', decline: 'refused', mayArrive: true },
    ],
    ['is unknown for a new status', longOver, { status: 'Reversed' }, unknownAnswer],
    ['is unknown without a status', longOver, { status: undefined }, unknownAnswer],
  ] as const)('%s', (_, asked, change, answer) => {
    expect(paymentAnswer(asked, { ...paid, ...change })).toMatchObject(answer)
  })

  it('shows that the customer was not asked', () => {
    const bare = { ...paid, status: 'Pending', type: 'PURS', method: undefined }
    expect(paymentAnswer(sale, bare)).toBe('not purchased')
  })
})

it.each([
  ['T9999', true],
  ['12.110.1203', true],
  ['12.110.1302', true],
  ['00.110.1601', true],
  ['12.110.1201', false],
  ['E0101', false],
  ['E0119', false],
  ['10.106.0001', false],
])('the code %s is a technical failure: %s', (code, technical) => {
  expect(isTechnical(code)).toBe(technical)
})

it.each([
  ['+351912345678', '351#912345678'],
  ['+34612345678', '34#612345678'],
  ['+15551234567', '1#5551234567'],
  ['+48123456789', '48#123456789'],
  ['+420123456789', '420#123456789'],
])('the phone %s is written %s', (e164, written) => {
  expect(phoneOf(e164)).toBe(written)
})

it('names transactions by our keys, within 35 characters', () => {
  const key = '01a205f9-1bd6-70a5-8772-b8b987c6257e'
  expect(merchantTransactionIdOf(key, 'b')).toBe('01a205f91bd670a58772b8b987c6257eb')
  for (const suffix of ['', 'b', 'w']) expect(keyOf(merchantTransactionIdOf(key, suffix))).toBe(key)
  for (const other of [
    'ORDER-001',
    '',
    '01a205f91bd670a58772b8b987c6257',
    'x1a205f91bd670a58772b8b987c6257e',
  ])
    expect(keyOf(other)).toBeUndefined()
})

describe('a status of SPG on its card form', () => {
  it.each([
    ['approves a sale', sale, {}, { kind: 'approved', reference: 's2' }],
    ['approves a hold', hold, { type: 'AUTH' }, { kind: 'approved' }],
    ['is unknown if a hold was requested', hold, {}, unknownAnswer],
    ['is unknown with another amount', sale, { amount: 1n }, unknownAnswer],
    ['declines', sale, { status: 'Declined' }, { kind: 'declined', decline: 'do_not_honour' }],
    ['has expired', sale, { status: 'Expired' }, { kind: 'declined', decline: 'authentication_required' }],
    ['is unknown at a timeout', sale, { status: 'Timeout' }, unknownAnswer],
    [
      'declines at a timeout after the end',
      over,
      { status: 'Timeout' },
      { kind: 'declined', mayArrive: true },
    ],
    ['is unknown at an error', sale, { status: 'Error' }, unknownAnswer],
    [
      'is over after the end',
      over,
      { status: 'Partial' },
      { kind: 'declined', decline: 'authentication_required', mayArrive: true },
    ],
    ['is unknown for a new status', over, { status: 'Reversed' }, unknownAnswer],
  ] as const)('%s', (_, asked, change, answer) => {
    expect(cardAnswer(asked, { ...paid, ...change })).toMatchObject(answer)
  })

  it.each(['Pending', 'InProcessing', 'Partial'])('is open while it is %s', (status) => {
    expect(cardAnswer(sale, { ...paid, status })).toBe('open')
  })
})
