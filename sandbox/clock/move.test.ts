// Moves of the sandbox's clock.
import { describe, expect, it } from 'vitest'
import { instant } from '../../src/kernel/time.ts'
import { readMove } from './move.ts'

const at = (text: string) => instant(Date.parse(text))
const now = at('2026-01-31T12:00:00Z')

describe('a move', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a day and two hours', { advance: 'P1DT2H' }, '2026-02-01T14:00:00Z'],
    ['nothing', { advance: 'PT0S' }, '2026-01-31T12:00:00Z'],
    ['a fraction of a second', { advance: 'PT0.5S' }, '2026-01-31T12:00:00.500Z'],
    ['two weeks', { advance: 'P2W' }, '2026-02-14T12:00:00Z'],
    ['a month, to the last day of a shorter one', { advance: 'P1M' }, '2026-02-28T12:00:00Z'],
    ['months across the change of clocks', { advance: 'P3M' }, '2026-04-30T11:00:00Z'],
    ['days across the change of clocks', { advance: 'P58D' }, '2026-03-30T12:00:00Z'],
    ['ten years', { advance: 'P10Y' }, '2036-01-31T12:00:00Z'],
    ['small letters', { advance: 'p1d' }, '2026-02-01T12:00:00Z'],
    ['a moment', { set: '2026-02-01T00:00:00+0100' }, '2026-01-31T23:00:00Z'],
    ['a moment without a zone, which is UTC', { set: '2026-02-01T00:00:00' }, '2026-02-01T00:00:00Z'],
    ['the present', { set: '2026-01-31T12:00:00Z' }, '2026-01-31T12:00:00Z'],
  ])('takes time to %s', (_, asked, target) => {
    const move = readMove(asked, now)
    expect(move.ok && move.value(now)).toBe(at(target))
  })

  it('adds a duration to the present', () => {
    const move = readMove({ advance: 'P1D' }, now)
    const later = at('2026-02-05T00:00:00Z')
    expect(move.ok && move.value(later)).toBe(at('2026-02-06T00:00:00Z'))
  })

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['nothing at all', {}, 'missing_parameter', /^advance .* or set/],
    ['both', { advance: 'P1D', set: '2026-02-01' }, 'invalid_parameter', /^set .*advance/],
    ['a duration back', { advance: '-PT1S' }, 'invalid_parameter', /^advance .*back/],
    ['a month back', { advance: '-P1M' }, 'invalid_parameter', /^advance .*back/],
    ['a moment that is past', { set: '2026-01-31T11:59:59Z' }, 'invalid_parameter', /^set .*back/],
    ['no duration', { advance: '1 day' }, 'invalid_parameter', /^advance .*ISO 8601/],
    ['an empty duration', { advance: '' }, 'invalid_parameter', /^advance .*ISO 8601/],
    ['a number', { advance: 5 }, 'invalid_parameter', /^advance .*ISO 8601/],
    ['null', { advance: null }, 'invalid_parameter', /^advance .*ISO 8601/],
    ['no date', { set: 'tomorrow' }, 'invalid_parameter', /^set /],
    ['a date that does not exist', { set: '2026-02-30T00:00:00Z' }, 'invalid_parameter', /^set /],
    ['more than ten years', { advance: 'P10YT1S' }, 'invalid_parameter', /^advance .*10 years/],
    ['a slip in the year', { set: '3026-01-31T12:00:00Z' }, 'invalid_parameter', /^set .*10 years/],
    ['all the days there are', { advance: 'P99999999D' }, 'invalid_parameter', /^advance .*10 years/],
    ['more years than there are', { advance: 'P9999999999Y' }, 'invalid_parameter', /^advance /],
    ['more months than there are', { advance: 'P4000000000M' }, 'invalid_parameter', /^advance /],
    ['a few million years', { advance: 'P4000000Y' }, 'invalid_parameter', /^advance .*10 years/],
  ])('is refused for %s', (_, asked, kind, reason) => {
    const move = readMove(asked, now)
    expect(move).toMatchObject({ ok: false, refusal: { kind } })
    expect(!move.ok && move.refusal.reason).toMatch(reason)
  })
})
