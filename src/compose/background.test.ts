// Everything that is due runs when the clock jumps, and nobody who is slow holds up the rest, or the answer.
import { expect, it } from 'vitest'
import { instant } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'
import { createBackground } from './background.ts'

const now = instant(0)

/** A worker with so many items due at first. */
function worker(due: number, done?: () => void): Worker {
  let left = due
  return {
    start: async () => undefined,
    stop: async () => undefined,
    async runDue() {
      const count = left
      left = 0
      if (count > 0) done?.()
      return count
    },
  }
}

it('runs all that is due, and what became due by it, and what waits for others last', async () => {
  const background = createBackground()
  const order: string[] = []
  let deliveries = 2
  background.addLast('callbacks', async () => {
    const count = deliveries
    deliveries = 0
    if (count > 0) order.push('callbacks')
    return count
  })
  background.add(
    'checkouts',
    worker(3, () => order.push('checkouts')),
  )
  background.add(
    'requests',
    worker(1, () => order.push('requests')),
  )
  expect(await background.runDue(now)).toEqual({ callbacks: 2, checkouts: 3, requests: 1 })
  expect(order).toEqual(['checkouts', 'requests', 'callbacks'])
})

it('answers in time what ran while somebody hangs, who answers what was done by then', async () => {
  const background = createBackground({ runDueMsMax: 100 })
  background.add('checkouts', worker(3))
  background.addLast(
    'callbacks',
    (_, enough) => new Promise((resolve) => enough.addEventListener('abort', () => resolve(4))),
  )
  expect(await background.runDue(now)).toEqual({ callbacks: 4, checkouts: 3 })
})

it('answers also when somebody does not hear that it is enough', async () => {
  const background = createBackground({ runDueMsMax: 100 })
  background.add('checkouts', worker(3))
  background.addLast('callbacks', () => new Promise(() => undefined))
  expect(await background.runDue(now)).toEqual({ callbacks: 0, checkouts: 3 })
})
