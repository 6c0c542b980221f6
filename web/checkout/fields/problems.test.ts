// Field messages before submission.
import { expect, test } from 'vitest'
import { problemOf } from './problems.ts'

const around = { numberDigits: '4176660000000027', thisMonth: '2026-03' }

test.each([
  ['number', '', 'missing'],
  ['number', '   ', 'missing'],
  ['number', '4176 6600 0000 0027', undefined],
  ['number', '4176 6600 0000 0028', 'invalid'],
  ['expiry', '01 / 26', 'expired'],
  ['vcode', '123', undefined],
  ['vcode', '1234', 'invalid'],
  ['name', 'Ana Sousa', undefined],
  ['name', '4176 6600 0000 0027', 'invalid'],
  ['fullname', 'Ana Sousa', undefined],
  ['fullname', '4176-6600-0000-0027', 'invalid'],
  ['email', 'ana@exemplo.pt', undefined],
  ['email', 'ana@exemplo', 'invalid'],
  ['phone', '+351 912 345 678', undefined],
  ['phone', 'telefone', 'invalid'],
  ['other', 'anything', undefined],
] as const)('%s "%s": %s', (name, value, problem) => {
  expect(problemOf(name, value, around)).toBe(problem)
})
