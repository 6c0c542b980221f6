// Everything that is due runs when the clock jumps, and a slow worker delays neither the others nor the answer.
import { expect, it } from 'vitest'
import { instant } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'
import { createBackground } from './background.ts'

const now = instant(0)
const onError = (error: unknown) => {
  throw error
}

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

it('runs all that is due, what became due by it, and what was added last at the end', async () => {
  const background = createBackground({ onError })
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

it('answers in time what ran, also by a worker that hangs and answers at its deadline', async () => {
  const end = new AbortController()
  const background = createBackground({ onError })
  background.add('checkouts', worker(3))
  background.addLast(
    'callbacks',
    (_, deadline) =>
      new Promise((resolve) => {
        deadline.addEventListener('abort', () => resolve(4))
        setImmediate(() => end.abort())
      }),
  )
  expect(await background.runDue(now, end.signal)).toEqual({ callbacks: 4, checkouts: 3 })
})

it('answers also when a worker ignores its deadline', async () => {
  const end = new AbortController()
  const background = createBackground({ onError })
  background.add('checkouts', worker(3))
  background.addLast('callbacks', () => new Promise(() => void setImmediate(() => end.abort())))
  expect(await background.runDue(now, end.signal)).toEqual({ callbacks: 0, checkouts: 3 })
})

it('runs all else when a worker fails, once, and says so', async () => {
  const errors: unknown[] = []
  const background = createBackground({ onError: (error) => errors.push(error) })
  background.add('references', worker(1))
  background.add('chain', { ...worker(0), runDue: () => Promise.reject(new Error('nothing is chained')) })
  background.add('references', worker(2))
  expect(await background.runDue(now)).toEqual({ references: 3, chain: 0 })
  expect(errors).toEqual([new Error('nothing is chained')])
})
