// The schedule of CONTRACT section 16, answer by answer.
import { describe, expect, it } from 'vitest'
import type { Randomness } from '../../kernel/random.ts'
import { instant } from '../../kernel/time.ts'
import type { Answer } from '../model.ts'
import { attemptDelaysMs, outcomeAfter } from './schedule.ts'

const now = instant(Date.parse('2026-07-01T12:00:00Z'))
const lowest: Randomness = { bytes: (length) => new Uint8Array(length) }
const highest: Randomness = { bytes: (length) => new Uint8Array(length).fill(0xff) }
const answered = (status: number): Answer => ({ kind: 'answered', status, durationMs: 20 })
const unanswered: Answer = { kind: 'unanswered', error: 'no answer in time', durationMs: 15_000 }

const seconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800, 43_200, 43_200]

describe('the schedule of attempts', () => {
  it('makes 13 attempts over about 48 hours', () => {
    expect(attemptDelaysMs).toEqual([0, ...seconds].map((delay) => delay * 1000))
    const hours = attemptDelaysMs.reduce((sum, delay) => sum + delay, 0) / 3_600_000
    expect(hours).toBeGreaterThan(47)
    expect(hours * 1.1).toBeLessThan(53)
  })

  it.each(seconds.map((delay, index) => ({ failed: index + 1, delay })))(
    'waits $delay s, and up to a tenth more, after failure $failed',
    ({ failed, delay }) => {
      const soonest = outcomeAfter(answered(500), failed - 1, now, lowest)
      const latest = outcomeAfter(unanswered, failed - 1, now, highest)
      expect(soonest).toEqual({ state: 'DUE', dueAt: now + delay * 1000 })
      if (latest.state !== 'DUE') throw new Error('expected to be due again')
      expect(latest.dueAt).toBeGreaterThan(now + delay * 1099)
      expect(latest.dueAt).toBeLessThanOrEqual(now + delay * 1100)
    },
  )

  it.each([
    [200, 0, 'DELIVERED'],
    [204, 12, 'DELIVERED'],
    [299, 3, 'DELIVERED'],
    [302, 0, 'DUE'],
    [300, 0, 'DUE'],
    [400, 0, 'DUE'],
    [401, 0, 'DUE'],
    [404, 0, 'DUE'],
    [409, 0, 'DUE'],
    [410, 0, 'GIVEN_UP'],
    [410, 12, 'GIVEN_UP'],
    [500, 11, 'DUE'],
    [500, 12, 'GIVEN_UP'],
    [503, 12, 'GIVEN_UP'],
  ] as const)('status %i after %i attempts leads to %s', (status, attemptsBefore, state) => {
    expect(outcomeAfter(answered(status), attemptsBefore, now, lowest).state).toBe(state)
  })

  it('gives up on the 13th failure without an answer, and not on the 12th', () => {
    expect(outcomeAfter(unanswered, 11, now, lowest).state).toBe('DUE')
    expect(outcomeAfter(unanswered, 12, now, lowest)).toEqual({ state: 'GIVEN_UP', finishedAt: now })
  })
})
