// Creditor references: published examples and typing errors.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { creditorReference, groupedReference, isCreditorReference } from './creditor-reference.ts'

it('has the check digits of published examples', () => {
  expect(creditorReference('539007547034')).toBe('RF18539007547034')
  expect(isCreditorReference('RF18539007547034')).toBe(true)
  expect(isCreditorReference('RF712348231')).toBe(true)
})

it('is printed in groups of four', () => {
  expect(groupedReference('RF18539007547034')).toBe('RF18 5390 0754 7034')
})

it('is valid for every content, and invalid with any one character changed', () => {
  const text = fc.stringMatching(/^[0-9A-Z]{1,21}$/)
  fc.assert(
    fc.property(text, fc.nat(), fc.constantFrom(...'0123456789'), (carried, place, digit) => {
      const reference = creditorReference(carried)
      expect(isCreditorReference(reference)).toBe(true)
      const at = 2 + (place % (reference.length - 2))
      const slipped = reference.slice(0, at) + digit + reference.slice(at + 1)
      if (slipped !== reference && /\d/.test(reference[at] ?? '')) {
        expect(isCreditorReference(slipped)).toBe(false)
      }
    }),
  )
})
