// IBANs that SEPA transfers and debits reach.
import { countrySpecs } from 'ibantools'
import { expect, it } from 'vitest'
import { isOutsideEea, isSepaIban, readIban, sepaProblemOf } from './ibans.ts'

it('SEPA is the EEA and these countries', () => {
  const all = Object.keys(countrySpecs).filter(isSepaIban)
  expect(all.filter(isOutsideEea)).toEqual([...'AD AL CH GB GI MC MD ME MK RS SM VA'.split(' ')])
  expect(all.filter((country) => !isOutsideEea(country))).toHaveLength(30)
})

it.each([
  ['PT50 0002 0123 1234 5678 9015 4', undefined],
  ['CH93 0076 2011 6238 5295 7', undefined],
  ['AL47212110090000000235698741', undefined],
  ['MD24AG000225100013104168', undefined],
  ['RS35260005601001611379', undefined],
  ['TR330006100519786457841326', 'Türkiye (TR) is not one'],
  ['SA0380000000608010167519', 'Saudi Arabia (SA) is not one'],
  ['BR1800360305000010009795493C1', 'Brazil (BR) is not one'],
  ['PT50000201231234567890155', 'must be a valid IBAN'],
  ['', 'must be a valid IBAN'],
])('%s: %s', (text, problem) => {
  const said = sepaProblemOf(readIban(text))
  if (problem === undefined) expect(said).toBeUndefined()
  else expect(said).toContain(problem)
})
