// UUIDv7 that strictly grow, and UUIDv4 from given randomness.
import { expect, it } from 'vitest'
import { cellBase62, cellMax, cellOfId, isUuid, newId, randomId, systemRandomness } from './random.ts'
import { instant } from './time.ts'

it('makes version 7 UUIDs that carry their millisecond', () => {
  const id = newId(instant(0x0199_1234_5678), systemRandomness)
  expect(id).toMatch(/^01991234-5678-7[0-9a-f]{3}-[89ab]000-[0-9a-f]{12}$/)
  expect(isUuid(id.toUpperCase())).toBe(true)
})

it('grows strictly, also when thousands are made in one millisecond', () => {
  const now = instant(0x0199_1234_9999)
  const ids = Array.from({ length: 10_000 }, () => newId(now, systemRandomness))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

it('makes version 4 UUIDs of the chance that is handed in', () => {
  const given = { bytes: (length: number) => new Uint8Array(length).fill(0xff) }
  expect(randomId(given)).toBe('ffffffff-ffff-4fff-b000-ffffffffffff')
  expect(randomId({ bytes: (length) => new Uint8Array(length) })).toBe('00000000-0000-4000-8000-000000000000')
  expect(randomId(systemRandomness)).not.toBe(randomId(systemRandomness))
})

it.each([
  [0, '000', '00'],
  [7, '007', '07'],
  [61, '03d', '0z'],
  [62, '03e', '10'],
  [cellMax, 'f03', 'zz'],
])('of cell %i contain %s and begin with %s', (cell, digits, letters) => {
  const random = { ...systemRandomness, cell }
  for (const id of [newId(instant(0x0199_1234_5678), random), randomId(random)]) {
    expect(id.slice(20, 23)).toBe(digits)
    expect(cellOfId(id)).toBe(cell)
    expect(isUuid(id)).toBe(true)
  }
  const code = cellBase62(random, 22)
  expect(code).toMatch(new RegExp(`^${letters}[0-9A-Za-z]{20}$`))
  expect(cellBase62(random, 22)).not.toBe(code)
})

it.each(['', 'x', '01991234-5678-7000-8000-00000000000', '01991234-5678-7000-8000-00000000000g'])(
  '%s is no UUID',
  (text) => expect(isUuid(text)).toBe(false),
)
