// Typed, pasted and autofilled expiry dates.
import { expect, test } from 'vitest'
import { expiryProblem, formatExpiry } from './expiry.ts'

test.each([
  ['1', false, '1'],
  ['12', false, '12 / '],
  ['12 /', true, '12'],
  ['12', true, '12'],
  ['12 / 2', false, '12 / 2'],
  ['12 / 27', false, '12 / 27'],
  ['12 / 278', false, '12 / 27'],
  ['1227', false, '12 / 27'],
  ['12/27', false, '12 / 27'],
  ['12 / 202', false, '12 / 202'],
  ['12 / 2027', false, '12 / 27'],
  ['12/2027', true, '12 / 27'],
  ['2027-12', true, '12 / 27'],
  ['2027/12', true, '12 / 27'],
  ['2027 / 1', true, '01 / 27'],
  ['2027-1', false, '2027-1'],
  ['2027-3', false, '03 / 27'],
  ['202712', true, '12 / 27'],
  ['2', false, '2'],
  ['20', false, '20'],
  ['20271', false, '20271'],
  ['2027/', false, '2027/'],
  ['22', false, '02 / 2'],
  ['2/', false, '02 / '],
  ['3', false, '03 / '],
  ['1/', false, '01 / '],
  ['1/27', false, '01 / 27'],
  ['', true, ''],
])('%s (deleting: %s) shows as %s', (text, deleting, shown) => {
  expect(formatExpiry(text, deleting)).toBe(shown)
})

test.each([
  ['03 / 26', undefined],
  ['02 / 26', 'expired'],
  ['12 / 25', 'expired'],
  ['04/2031', undefined],
  ['13 / 27', 'invalid'],
  ['00 / 27', 'invalid'],
  ['12', 'invalid'],
  ['12 / 2', 'invalid'],
])('%s in March 2026: %s', (text, problem) => {
  expect(expiryProblem(text, '2026-03')).toBe(problem)
})
