// Seeded randomness: repeatable, and independent parts.
import { expect, it } from 'vitest'
import { createChance } from './chance.ts'

const draws = (seed: number) => {
  const chance = createChance(seed)
  return Array.from({ length: 50 }, () => chance.below(1000))
}

it('repeats itself under the same seed, and differs under another', () => {
  expect(draws(7)).toEqual(draws(7))
  expect(draws(7)).not.toEqual(draws(8))
})

it('gives an independent part for any earlier draws', () => {
  const chance = createChance('a')
  const before = chance.apart('step 3').below(1_000_000)
  chance.below(10)
  expect(chance.apart('step 3').below(1_000_000)).toBe(before)
  expect(chance.apart('step 4').below(1_000_000)).not.toBe(before)
})

it('spreads evenly', () => {
  const chance = createChance(1)
  const counts = [0, 0, 0, 0]
  for (let draw = 0; draw < 40_000; draw++) counts[chance.below(4)] = (counts[chance.below(4)] ?? 0) + 1
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})
