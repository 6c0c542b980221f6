// Whatever a rail does, its caller gets an answer in time, and an unknown one is never a decline.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callRail } from './call-rail.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('hands through an answer that comes in time, and leaves no timer behind', async () => {
  expect(await callRail(() => Promise.resolve({ kind: 'approved' }), 1000)).toEqual({ kind: 'approved' })
  expect(vi.getTimerCount()).toBe(0)
})

it('is unknown when the rail throws, and quotes nothing of the error but its kind', async () => {
  const lost = Object.assign(new Error('card 4176660000000027 was refused'), { code: 'ECONNRESET' })
  expect(await callRail(() => Promise.reject(lost), 1000)).toEqual({
    kind: 'unknown',
    why: 'the rail failed with ECONNRESET',
  })
  const named = await callRail(() => Promise.reject(new TypeError('4176660000000027')), 1000)
  expect(named).toEqual({ kind: 'unknown', why: 'the rail failed with TypeError' })
  expect(await callRail(() => Promise.reject('4176660000000027'), 1000)).toMatchObject({ kind: 'unknown' })
  expect(vi.getTimerCount()).toBe(0)
})

it('is unknown when the rail is silent for too long, and not before', async () => {
  let answer: unknown
  void callRail(() => new Promise(() => undefined), 1000).then((value) => {
    answer = value
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(answer).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(answer).toEqual({ kind: 'unknown', why: 'no answer within 1000 ms' })
})

it('survives a rail that fails after its time was over', async () => {
  let fail: (error: Error) => void = () => undefined
  const call = callRail(() => new Promise((_, reject) => (fail = reject)), 10)
  await vi.advanceTimersByTimeAsync(10)
  expect(await call).toMatchObject({ kind: 'unknown' })
  fail(new Error('too late'))
  await vi.advanceTimersByTimeAsync(1)
})

it('cancels a call when its time is over, and no call that has answered', async () => {
  const signals: AbortSignal[] = []
  const call = callRail((signal) => {
    signals.push(signal)
    return new Promise(() => undefined)
  }, 10)
  expect(signals[0]?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(10)
  expect(await call).toMatchObject({ kind: 'unknown' })
  expect(signals[0]?.aborted).toBe(true)
})

it('does not call where the call must not begin any more', async () => {
  let calls = 0
  const ask = async () => ({ kind: 'approved', calls: ++calls })
  expect(await callRail(ask, 10, async () => false)).toMatchObject({ kind: 'unknown' })
  expect(calls).toBe(0)
  expect(await callRail(ask, 10, async () => true)).toMatchObject({ kind: 'approved' })
  expect(vi.getTimerCount()).toBe(0)
})
