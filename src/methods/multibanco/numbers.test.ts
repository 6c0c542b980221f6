// Every number is given out once before any is repeated.
import { describe, expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import { inGroupsOfThree, numberAt, numberOf, numbersPerEntity, referenceDigits } from './numbers.ts'

it('gives every number once before a repetition', () => {
  const run = Array.from({ length: 100_000 }, (_, place) => numberAt(BigInt(place)))
  expect(new Set(run).size).toBe(run.length)
  expect(run.every((number) => Number.isInteger(number) && number >= 0 && number < numbersPerEntity)).toBe(
    true,
  )
  for (const part of [2, 5]) expect(numberAt(BigInt(numbersPerEntity / part))).not.toBe(numberAt(0n))
  expect(numberAt(BigInt(numbersPerEntity))).toBe(numberAt(0n))
})

const weights = [51, 73, 17, 89, 38, 62, 45, 53, 15, 50, 5, 49, 34, 81, 76, 27, 90, 9, 30, 3]

describe('referenceDigits', () => {
  it.each([
    ['11604', '999 123 490', 2586],
    ['11202', '164 262 863', 2_991_441],
    ['90150', '123 123 451', 43_211],
    ['10297', '784 175 012', 311],
  ])('for entity %s is %s for %i cents', (entity, ref, amount) => {
    const bare = ref.replaceAll(' ', '')
    expect(referenceDigits(entity, Number(bare.slice(0, 7)), cents(amount))).toBe(bare)
    expect(inGroupsOfThree(bare)).toBe(ref)
    expect(numberOf(bare)).toBe(Number(bare.slice(0, 7)))
  })

  it('agrees with the table of weights', () => {
    for (let number = 0; number < 10_000_000; number += 123_457) {
      const amount = number % 10_000_000
      const ref = referenceDigits('21312', number, cents(amount))
      const checked = `21312${ref.slice(0, 7)}${String(amount).padStart(8, '0')}`
      const sum = weights.reduce((total, weight, place) => total + weight * Number(checked[place]), 0)
      expect(ref.slice(7)).toBe(String(98 - (sum % 97)).padStart(2, '0'))
    }
  })

  it('finds no number in an invalid reference', () => {
    expect(['12345678', '1234567890', '12345678a', ''].map(numberOf)).toEqual(Array(4).fill(undefined))
  })
})
