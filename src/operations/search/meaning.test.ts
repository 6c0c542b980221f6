// Meanings of a text in a search box.
import { expect, it } from 'vitest'
import { meaningOf } from './meaning.ts'

it.each([
  ['12', [], 1200n],
  ['12.5', ['12.5'], 1250n],
  ['12,50', ['12,50'], 1250n],
  ['€ 12.50', ['€ 12.50', '€12.50'], 1250n],
  ['-12,50 €', ['-12,50 €', '-12,50€'], 1250n],
  ['1.234,50', ['1.234,50'], 123450n],
  ['1,234', ['1,234'], 123400n],
  ['0', [], undefined],
  ['12.345.6', ['12.345.6'], 1234560n],
  ['Ana@Example.com', ['ana@example.com'], undefined],
  ['912 345 678', ['912 345 678', '912345678', '+351912345678'], undefined],
  ['00351912345678', ['00351912345678', '+351912345678'], undefined],
])('%s: terms %j, amount %s', (text, terms, amount) => {
  expect(meaningOf(text)).toMatchObject({ terms, amount })
})

it('reads the beginning of an id as a range of ids', () => {
  expect(meaningOf('0199AB12-34').ids).toEqual({
    first: '0199ab12-3400-0000-0000-000000000000',
    last: '0199ab12-34ff-ffff-ffff-ffffffffffff',
    isPrecise: true,
  })
  expect(meaningOf('0199a').ids).toBeUndefined()
  expect(meaningOf('inv-000123').ids).toBeUndefined()
})
