// callRail always answers in time, and an unknown answer is never a decline.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callRail } from './call-rail.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('returns an answer that arrives in time and leaves no timer', async () => {
  expect(await callRail(() => Promise.resolve({ kind: 'approved' }), undefined, 1000)).toEqual({
    kind: 'approved',
  })
  expect(vi.getTimerCount()).toBe(0)
})

it('is unknown if the rail throws, and names only the kind of error', async () => {
  const lost = Object.assign(new Error('card 4176660000000027 was refused'), { code: 'ECONNRESET' })
  expect(await callRail(() => Promise.reject(lost), undefined, 1000)).toEqual({
    kind: 'unknown',
    why: 'the rail failed with ECONNRESET',
  })
  const named = await callRail(() => Promise.reject(new TypeError('4176660000000027')), undefined, 1000)
  expect(named).toEqual({ kind: 'unknown', why: 'the rail failed with TypeError' })
  expect(await callRail(() => Promise.reject('4176660000000027'), undefined, 1000)).toMatchObject({
    kind: 'unknown',
  })
  expect(vi.getTimerCount()).toBe(0)
})

it('is unknown after the time limit, and not before', async () => {
  let answer: unknown
  void callRail(() => new Promise(() => undefined), undefined, 1000).then((value) => {
    answer = value
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(answer).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(answer).toEqual({ kind: 'unknown', why: 'no answer within 1000 ms' })
})

it('survives a rail that fails after the time limit', async () => {
  let fail: (error: Error) => void = () => undefined
  const call = callRail(() => new Promise((_, reject) => (fail = reject)), undefined, 10)
  await vi.advanceTimersByTimeAsync(10)
  expect(await call).toMatchObject({ kind: 'unknown' })
  fail(new Error('too late'))
  await vi.advanceTimersByTimeAsync(1)
})

it('aborts a call at the time limit', async () => {
  const signals: AbortSignal[] = []
  const call = callRail(
    (signal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    },
    undefined,
    10,
  )
  expect(signals[0]?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(10)
  expect(await call).toMatchObject({ kind: 'unknown' })
  expect(signals[0]?.aborted).toBe(true)
})

it('does not call if beforeSend answers false', async () => {
  let calls = 0
  const ask = async () => ({ kind: 'approved', calls: ++calls })
  expect(await callRail(ask, async () => false, 10)).toMatchObject({ kind: 'unknown' })
  expect(calls).toBe(0)
  expect(await callRail(ask, async () => true, 10)).toMatchObject({ kind: 'approved' })
  expect(vi.getTimerCount()).toBe(0)
})
