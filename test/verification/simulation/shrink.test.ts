// A failing plan becomes as short as possible.
import { expect, it } from 'vitest'
import { shrink } from './shrink.ts'

const plan = Array.from({ length: 100 }, (_, at) => at)

it.each([[[17]], [[3, 98]], [[0, 50, 51, 99]]])('finds that only %j matter', async (needed) => {
  const fails = async (keep: readonly number[]) => needed.every((at) => keep.includes(at))
  expect(await shrink(plan, fails, 1000)).toEqual(needed)
})

it('ends after its last try, with a part that fails', async () => {
  let tries = 0
  const kept = await shrink(
    plan,
    async (keep) => {
      tries += 1
      return keep.includes(1) && keep.includes(99)
    },
    5,
  )
  expect(tries).toBe(5)
  expect(kept).toEqual(expect.arrayContaining([1, 99]))
  expect(kept.length).toBeLessThan(plan.length)
})
