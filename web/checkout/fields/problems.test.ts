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
  ['phone', '\u202a+351\u00a0912\u2011345\u2011678\u202c', undefined],
  ['phone', '\u200e912\u00ad345\u200b678\ufe0d', undefined],
  ['iban', 'PT50\u00a00002\u00a00123 1234 5678 9015 4', undefined],
  ['iban', '\u202aPT50 0002 0123 1234 5678 9015 4\u202c', undefined],
  ['number', '\u200e4176\u00a06600\u00a00000\u00a00027\ufe0d', undefined],
  ['other', 'anything', undefined],
] as const)('%s "%s": %s', (name, value, problem) => {
  expect(problemOf(name, value, around)).toBe(problem)
})
