// Rules of challenges.
import { describe, expect, it } from 'vitest'
import { instant } from '../../src/kernel/time.ts'
import type { ChallengeState } from './model.ts'
import { type CardholderAnswer, judge } from './rules.ts'

const inTime = 999
const late = 1000

describe('judge', () => {
  it.each<[string, number, CardholderAnswer | undefined, number, ChallengeState | undefined, number?]>([
    ['the right code', 3, { otp: '0101' }, inTime, 'authenticated', 3],
    ['the right code on the last try', 1, { otp: '0101' }, inTime, 'authenticated', 1],
    ['the right code, typed with spaces', 3, { otp: ' 01 01 ' }, inTime, 'authenticated', 3],
    ['a wrong code', 3, { otp: '0102' }, inTime, 'open', 2],
    ['the code without its zero', 3, { otp: '101' }, inTime, 'open', 2],
    ['an empty code', 2, { otp: '' }, inTime, 'open', 1],
    ['the third wrong code', 1, { otp: '0102' }, inTime, 'failed', 0],
    ['cancelling', 3, { cancel: true }, inTime, 'cancelled', 3],
    ['the right code too late', 3, { otp: '0101' }, late, 'expired', 3],
    ['cancelling too late', 3, { cancel: true }, late, 'expired', 3],
    ['nothing, in time', 3, undefined, inTime, undefined],
    ['nothing, too late', 3, undefined, late, 'expired', 3],
  ])('%s', (_, attemptsLeft, answer, now, state, left) => {
    const challenge = { state: 'open', attemptsLeft, otp: '0101', expiresAt: instant(late) } as const
    const judged = judge(challenge, answer, instant(now))
    expect(judged).toEqual(state === undefined ? undefined : { state, attemptsLeft: left })
  })

  it.each<ChallengeState>(['authenticated', 'failed', 'cancelled', 'expired'])('%s is over', (state) => {
    const challenge = { state, attemptsLeft: 1, otp: '0101', expiresAt: instant(late) }
    expect(judge(challenge, { otp: '0101' }, instant(inTime))).toBeUndefined()
    expect(judge(challenge, undefined, instant(late))).toBeUndefined()
  })
})
