// Edits of cards, IBANs and phones.
import { describe, expect, test } from 'vitest'
import { cardNumberGrouping } from './card-number.ts'
import { ibanGrouping, isIban, isPortuguesePhone, phoneGrouping, regroup } from './regroup.ts'

describe('editing, | is the caret', () => {
  const at = (marked: string) => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') })
  test.each([
    ['typing at the end', '4176', '41766|', false, '4176 6|'],
    ['pasting spaces and dashes', '', ' 4176-6600 0000-0027|', false, '4176 6600 0000 0027|'],
    ['a digit put in the middle', '4176 66', '412|76 66', false, '412|7 666'],
    ['backspace over a digit', '4176 66', '417| 66', true, '417|6 6'],
    ['backspace over a space', '4176 66', '4176|66', true, '417|6 6'],
    ['letters fall away', '4176', '4176x|', false, '4176|'],
  ])('%s', (_name, before, edited, deleting, expected) => {
    expect(regroup(cardNumberGrouping, at(edited), before, deleting)).toEqual(at(expected))
  })
})

test.each([
  ['pt50000201231234567890154', 'PT50 0002 0123 1234 5678 9015 4', true],
  ['PT50-0002 0123 1234 5678 9015 4', 'PT50 0002 0123 1234 5678 9015 4', true],
  ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', true],
  ['NO9386011117947', 'NO93 8601 1117 947', true],
  ['PT50000201231234567890155', 'PT50 0002 0123 1234 5678 9015 5', false],
  ['PT5', 'PT5', false],
  ['\u202aPT50\u00a00002\u00a00123\u00a01234 5678 9015 4\u202c', 'PT50 0002 0123 1234 5678 9015 4', true],
  ['4176660000000027', '4176 6600 0000 0027', false],
])('%s is written %s, an IBAN: %s', (typed, written, valid) => {
  expect(regroup(ibanGrouping, { text: typed, caret: typed.length }, '', false)).toEqual({
    text: written,
    caret: written.length,
  })
  expect(isIban(written)).toBe(valid)
})

test.each([
  ['912345678', '912 345 678', true],
  ['9123', '912 3', true],
  ['+351912345678', '+351 912 345 678', true],
  ['+351', '+351', true],
  ['\u202a+351\u00a0912345678\u202c', '+351 912 345 678', true],
  ['\u200e912\u00ad345\u200b678\ufe0d', '912 345 678', true],
  ['+44 7911 123456', undefined, false],
  ['0044 7911123456', undefined, false],
  ['912-345-678', undefined, false],
  ['+35', undefined, false],
])('phone %s is written %s', (typed, written, grouped) => {
  expect(isPortuguesePhone(typed)).toBe(grouped)
  if (written !== undefined) expect(phoneGrouping.group(phoneGrouping.charactersOf(typed))).toBe(written)
})
