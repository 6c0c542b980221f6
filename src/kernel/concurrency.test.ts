// Limited concurrency and keyed mutexes.
import { expect, it } from 'vitest'
import { limitConcurrency } from './concurrency.ts'

it('limits running and waiting calls, and rejects the others', async () => {
  const run = limitConcurrency({ running: 2, waiting: 3 })
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (index: number) => async () => {
    running += 1
    most = Math.max(most, running)
    order.push(index)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (index === 1) throw new Error('broken')
    return index
  }
  const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => run(work(index))))
  const values = ends.map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))
  expect(values).toEqual([0, 'failed', 2, 3, 4, undefined, undefined, undefined])
  expect(most).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(await Promise.all([run(work(7)), run(work(8))])).toEqual([7, 8])
})
