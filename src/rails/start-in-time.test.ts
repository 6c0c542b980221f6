// startInTime allows, renews or refuses a call, by either clock.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { after, instant, minute, second } from '../kernel/time.ts'
import { startInTime } from './call-rail.ts'

let now = instant(0)
let own = 0
let renewed: number[]
beforeEach(() => {
  now = instant(1_000_000)
  own = 0
  renewed = []
  vi.spyOn(performance, 'now').mockImplementation(() => own)
})
afterEach(() => {
  vi.restoreAllMocks()
})

function beforeSend(isOurs: () => boolean, since = now) {
  return startInTime({ now: () => now }, since, async (at) => {
    renewed.push(at)
    return isOurs()
  })
}

const clocks = {
  shared: (ms: number) => (now = after(now, ms)),
  own: (ms: number) => (own += ms),
}

it.each(['shared', 'own'] as const)('by the %s clock', async (clock) => {
  const pass = clocks[clock]
  const atOnce = beforeSend(() => true)
  pass(2 * second)
  expect(await atOnce()).toBe(true)
  expect(renewed).toEqual([])

  const heldUp = beforeSend(() => true)
  pass(2 * second + 1)
  expect(await heldUp()).toBe(true)
  expect(renewed).toHaveLength(1)

  const lost = beforeSend(() => false)
  pass(2 * second + 1)
  expect(await lost()).toBe(false)

  const late = beforeSend(() => true)
  pass(minute + 1)
  expect(await late()).toBe(false)
  expect(renewed).toHaveLength(2)
})

it('renews again if the renewal was slow, until it is too late', async () => {
  const once = beforeSend(() => {
    if (renewed.length === 1) clocks.own(3 * second)
    return true
  })
  clocks.own(3 * second)
  expect(await once()).toBe(true)
  expect(renewed).toHaveLength(2)

  const always = beforeSend(() => {
    clocks.own(3 * second)
    return true
  })
  clocks.own(3 * second)
  expect(await always()).toBe(false)
})

it('counts from the start of the attempt', async () => {
  expect(await beforeSend(() => true, after(now, -2 * minute))()).toBe(false)
})
