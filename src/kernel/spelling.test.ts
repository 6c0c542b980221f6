// Slips are counted as people make them.
import { expect, it } from 'vitest'
import { slipsBetween } from './spelling.ts'

it.each([
  ['items', 'items', 0],
  ['itmes', 'items', 1],
  ['item', 'items', 1],
  ['ammount', 'amount', 1],
  ['curency', 'currency', 1],
  ['qty', 'qt', 1],
  ['ext_invioceId', 'ext_invoiceid', 2],
  ['', 'ref', 3],
  ['ref', '', 3],
  ['name', 'store', 4],
])('%s and %s are %i apart', (written, meant, slips) => {
  expect(slipsBetween(written, meant)).toBe(slips)
})
