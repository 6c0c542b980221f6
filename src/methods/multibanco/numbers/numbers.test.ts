// Every number is given out once before any is repeated.
import { expect, it } from 'vitest'
import { numberAt, numbersPerEntity } from './numbers.ts'

it('gives every number once before a repetition', () => {
  const run = Array.from({ length: 100_000 }, (_, place) => numberAt(BigInt(place)))
  expect(new Set(run).size).toBe(run.length)
  expect(run.every((number) => Number.isInteger(number) && number >= 0 && number < numbersPerEntity)).toBe(
    true,
  )
  for (const part of [2, 5]) expect(numberAt(BigInt(numbersPerEntity / part))).not.toBe(numberAt(0n))
  expect(numberAt(BigInt(numbersPerEntity))).toBe(numberAt(0n))
})
