// Clock jumps run all due work, and a slow worker delays no other.
import { expect, it } from 'vitest'
import { instant } from '../kernel/time.ts'
import type { ModuleWorker } from '../module.ts'
import type { Worker } from '../storage/index.ts'
import { createBackground } from './background.ts'

const now = instant(0)
const onError = (error: unknown) => {
  throw error
}

/** A worker with `due` items. */
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

it('runs all due work, follow-up work, and the last kinds at the end', async () => {
  const order: string[] = []
  const callbacks = { ...worker(2, () => order.push('callbacks')), last: true } as const
  const checkouts = worker(3, () => order.push('checkouts'))
  const requests = worker(1, () => order.push('requests'))
  const background = createBackground([{ workers: { callbacks, checkouts } }, { workers: { requests } }], {
    onError,
  })
  expect(await background.runDue(now)).toEqual({ callbacks: 2, checkouts: 3, requests: 1 })
  expect(order).toEqual(['checkouts', 'requests', 'callbacks'])
})

it('returns in time, also with a worker that stops only at its deadline', async () => {
  const end = new AbortController()
  const callbacks: ModuleWorker = {
    ...worker(0),
    last: true,
    runDue: (_, deadline) =>
      new Promise((resolve) => {
        deadline?.addEventListener('abort', () => resolve(4))
        setImmediate(() => end.abort())
      }),
  }
  const background = createBackground([{ workers: { checkouts: worker(3), callbacks } }], { onError })
  expect(await background.runDue(now, end.signal)).toEqual({ callbacks: 4, checkouts: 3 })
})

it('returns even if a worker ignores its deadline', async () => {
  const end = new AbortController()
  const callbacks: ModuleWorker = {
    ...worker(0),
    last: true,
    runDue: () => new Promise(() => void setImmediate(() => end.abort())),
  }
  const background = createBackground([{ workers: { checkouts: worker(3), callbacks } }], { onError })
  expect(await background.runDue(now, end.signal)).toEqual({ callbacks: 0, checkouts: 3 })
})

it('runs the others if a worker fails, and reports it once', async () => {
  const errors: unknown[] = []
  const chain = { ...worker(0), runDue: () => Promise.reject(new Error('nothing is chained')) }
  const background = createBackground([{ workers: { references: [worker(1), worker(2)], chain } }], {
    onError: (error) => errors.push(error),
  })
  expect(await background.runDue(now)).toEqual({ references: 3, chain: 0 })
  expect(errors).toEqual([new Error('nothing is chained')])
})
