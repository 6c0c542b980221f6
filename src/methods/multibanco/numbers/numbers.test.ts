// Numbers are handed out scattered, and each once before any comes back.
import { expect, it } from 'vitest'
import { numberAt, numbersPerEntity } from './numbers.ts'

it('every number comes once before any comes again', () => {
  const run = Array.from({ length: 100_000 }, (_, place) => numberAt(BigInt(place)))
  expect(new Set(run).size).toBe(run.length)
  expect(run.every((number) => Number.isInteger(number) && number >= 0 && number < numbersPerEntity)).toBe(
    true,
  )
  // What comes back earlier would do so after a part of all that divides their count.
  for (const part of [2, 5]) expect(numberAt(BigInt(numbersPerEntity / part))).not.toBe(numberAt(0n))
  expect(numberAt(BigInt(numbersPerEntity))).toBe(numberAt(0n))
})
