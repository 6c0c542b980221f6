// The days and accounts of refunds of bank references.
import { expect, it } from 'vitest'
import { instant } from '../../../kernel/time.ts'
import { pageStateOf, readAccount, readForm, sendDayOf } from './rules.ts'

const at = (text: string) => instant(Date.parse(text))

it.each([
  // Paid on a Monday; the network pays on Tuesday.
  ['2026-11-23T10:00:00Z', '2026-11-23T11:00:00Z', '2026-11-24'],
  ['2026-11-23T10:00:00Z', '2026-11-24T11:00:00Z', '2026-11-24'],
  ['2026-11-23T10:00:00Z', '2026-11-26T11:00:00Z', '2026-11-26'],
  // Over a weekend, Christmas and Easter.
  ['2026-11-27T10:00:00Z', '2026-11-27T11:00:00Z', '2026-11-30'],
  ['2026-12-24T10:00:00Z', '2026-12-24T11:00:00Z', '2026-12-28'],
  ['2026-04-02T10:00:00Z', '2026-04-02T11:00:00Z', '2026-04-07'],
  // Already Tuesday in Lisbon.
  ['2026-07-13T23:30:00Z', '2026-07-13T23:40:00Z', '2026-07-15'],
])('paid at %s and asked at %s, the order leaves on %s', (paid, now, day) => {
  expect(sendDayOf(at(paid), at(now))).toBe(day)
})

it.each([
  ['PT50 0002 0123 1234 5678 9015 4', 'Ana Sousa', { iban: 'PT50000201231234567890154', name: 'Ana Sousa' }],
  [
    '\u2066PT50000201231234567890154\u2069',
    ' Zoë Łukasz-O’Neill ',
    {
      iban: 'PT50000201231234567890154',
      name: 'Zoë Łukasz-O’Neill',
    },
  ],
  [undefined, null, undefined],
  ['', '', undefined],
])('reads %j and %j', (iban, name, account) => {
  expect(readAccount({ iban, name })).toEqual({ ok: true, value: account })
})

it.each([
  [{}, { holder: 'missing', iban: 'missing' }],
  [{ holder: 'Ana', iban: 'PT50' }, { iban: 'invalid' }],
  [{ holder: 'Ana', iban: 'TR330006100519786457841326' }, { iban: 'not_sepa' }],
  [{ holder: '\u202EAna', iban: 'PT50000201231234567890154' }, { holder: 'invalid' }],
  [{ holder: 'A\u200Bna', iban: 'PT50000201231234567890154' }, { holder: 'invalid' }],
  [{ holder: '12', iban: 'PT50000201231234567890154' }, { holder: 'invalid' }],
] as const)('the form %j has the problems %j', (form, problems) => {
  expect(readForm(form)).toEqual({ ok: false, problems })
})

const page = {
  ...{ id: 'x', walletId: 1n, expiresAt: instant(1000) },
  ...{ namedAt: undefined, endedAt: undefined, sendOn: undefined },
}

it.each([
  [page, 999, 'open'],
  [page, 1000, 'ended'],
  [{ ...page, endedAt: instant(1000) }, 999, 'ended'],
  [{ ...page, namedAt: instant(10) }, 5000, 'named'],
] as const)('%# is in its state', (refund, now, state) => {
  expect(pageStateOf(refund, instant(now))).toBe(state)
})
