// BANK_EXPORT_MINUTES: the scheduled export.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadConfig } from '../config.ts'
import { createExportTimer } from './bank-admin.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

it('writes after each interval, and not before', async () => {
  const write = vi.fn(async () => undefined)
  const timer = createExportTimer(15, write, () => undefined)
  await timer.start()
  await minutes(14.9)
  expect(write).not.toHaveBeenCalled()
  await minutes(0.1)
  expect(write).toHaveBeenCalledTimes(1)
  await minutes(30)
  expect(write).toHaveBeenCalledTimes(3)
  await timer.stop()
  await minutes(60)
  expect(write).toHaveBeenCalledTimes(3)
  expect(vi.getTimerCount()).toBe(0)
})

it('never runs twice at once, and continues after a failure', async () => {
  const ends: (() => void)[] = []
  const errors: unknown[] = []
  const write = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const timer = createExportTimer(1, write, (error) => errors.push(error))
  await timer.start()
  await minutes(5)
  expect(write).toHaveBeenCalledTimes(1)
  write.mockImplementationOnce(() => Promise.reject(new Error('no space left')))
  ends[0]?.()
  await minutes(0)
  expect(errors).toEqual([new Error('no space left')])
  expect(write.mock.calls.length).toBeGreaterThan(2)
  for (let index = 1; index < 6; index++) {
    ends[index]?.()
    await minutes(0)
  }
  await timer.stop()
})

it('is off by default, and accepts whole minutes of a day', () => {
  const read = (text?: string) => {
    const config = loadConfig({ ...(text === undefined ? {} : { BANK_EXPORT_MINUTES: text }) })
    return config.ok ? config.value.bankExportMinutes : config.refusal.join()
  }
  expect([read(), read('15'), read('1440')]).toEqual([0, 15, 1440])
  for (const text of ['-1', '1441', '1.5', 'daily']) expect(read(text)).toContain('BANK_EXPORT_MINUTES')
})
