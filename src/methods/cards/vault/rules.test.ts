// A card is valid until the last second of its month in Portugal.
import { expect, it } from 'vitest'
import { instant, second } from '../../../kernel/time.ts'
import type { StoredCard } from './model.ts'
import { cardOnWire, isOver } from './rules.ts'

it.each([
  ['winter time, UTC', 11, 2026, '2026-12-01T00:00:00Z'],
  ['summer time, an hour ahead of UTC', 6, 2026, '2026-06-30T23:00:00Z'],
  ['the month in which clocks go forward', 3, 2026, '2026-03-31T23:00:00Z'],
  ['the month in which clocks go back', 10, 2026, '2026-11-01T00:00:00Z'],
  ['the end of the year', 12, 2026, '2027-01-01T00:00:00Z'],
  ['a leap February', 2, 2028, '2028-03-01T00:00:00Z'],
])('expires at the end of its month: %s', (_, month, year, end) => {
  const over = instant(Date.parse(end))
  expect(isOver({ month, year }, instant(over - second))).toBe(false)
  expect(isOver({ month, year }, instant(over - 1))).toBe(false)
  expect(isOver({ month, year }, over)).toBe(true)
})

it('compares years before months', () => {
  const now = instant(Date.UTC(2026, 5, 15))
  expect(isOver({ month: 12, year: 2025 }, now)).toBe(true)
  expect(isOver({ month: 1, year: 2027 }, now)).toBe(false)
})

const now = instant(Date.UTC(2026, 5, 15))
const card = {
  token: 'abc',
  last4: '1111',
  brand: 'visa',
  valdate: '12/2026',
  expiry: { month: 12, year: 2026 },
  verificationStatus: 'VERIFIED',
  bin: '411111',
  name: 'Ana',
} as unknown as StoredCard

it('shows the name only to merchants that store cards', () => {
  const shown = {
    token: 'ABC',
    last4: '1111',
    type: 'visa',
    valdate: '12/2026',
    expired: false,
    verification_status: 'VERIFIED',
    bin: '411111',
    voided: false,
  }
  expect(cardOnWire(card, now)).toEqual(shown)
  expect(cardOnWire(card, now, { name: true })).toEqual({ ...shown, name: 'Ana' })
})

it('hides the name of a deleted card, and a name with a card number', () => {
  const deleted = { ...card, voidedAt: now } as StoredCard
  expect(cardOnWire(deleted, now, { name: true })).toMatchObject({ voided: true })
  expect(cardOnWire(deleted, now, { name: true })).not.toHaveProperty('name')
  const telling = { ...card, name: 'Ana 4111 1111 1111 1111' } as StoredCard
  expect(cardOnWire(telling, now, { name: true })).not.toHaveProperty('name')
})

it('shows an expired card', () => {
  const over = { ...card, expiry: { month: 5, year: 2026 } } as StoredCard
  expect(cardOnWire(over, now).expired).toBe(true)
})
