// The meaning of bank entries for orders, and of bank codes.
import { expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import { instant } from '../../kernel/time.ts'
import { hintOf, isDuplicate, isRefused, meaningOf, type OrderAsAnswered, returnReasonOf } from './rules.ts'

const booked = { amount: cents(500) }
const order = (kind: string, answer: string | undefined, changed = {}) =>
  ({ id: '7', kind, answer, isReturnedOnly: false, byHand: [], ...booked, ...changed }) as OrderAsAnswered

it.each([
  ['collection', undefined, 'credit', 'paid'],
  ['collection', undefined, 'debit', 'returned'],
  ['collection', 'paid', 'debit', 'returned'],
  ['collection', 'paid', 'credit', 'collection 7 was paid before'],
  ['collection', 'returned', 'credit', 'collection 7 was returned before'],
  ['collection', 'returned', 'debit', 'collection 7 was returned before'],
  ['transfer', undefined, 'debit', 'paid'],
  ['transfer', undefined, 'credit', 'returned'],
  ['transfer', 'paid', 'credit', 'returned'],
  ['transfer', 'paid', 'debit', 'transfer 7 was paid before'],
  ['transfer', 'returned', 'debit', 'transfer 7 was returned before'],
  ['transfer', 'returned', 'credit', 'transfer 7 was returned before'],
] as const)('a %s that is %s, and a %s: %s', (kind, answer, direction, meaning) => {
  expect(meaningOf(order(kind, answer), booked, direction)).toEqual(
    meaning === 'paid' || meaning === 'returned'
      ? { kind: 'answer', answer: meaning }
      : { kind: 'unmatched', problem: meaning },
  )
})

it.each([
  ['collection', 'credit', { kind: 'late' }],
  ['collection', 'debit', { kind: 'unmatched', problem: 'collection 7 was returned before' }],
  ['transfer', 'debit', { kind: 'late' }],
  ['transfer', 'credit', { kind: 'unmatched', problem: 'transfer 7 was returned before' }],
] as const)('a %s of which only the return was booked, and a %s', (kind, direction, meaning) => {
  expect(meaningOf(order(kind, 'returned', { isReturnedOnly: true }), booked, direction)).toEqual(meaning)
})

const settled = { settledBy: 'ana@example.com', settledAt: instant(Date.UTC(2026, 4, 3)), fee: cents(0) }

it.each([
  ['paid', undefined, 'credit', 'confirms'],
  ['paid', undefined, 'debit', 'answer'],
  ['returned', undefined, 'debit', 'confirms'],
  [
    'returned',
    undefined,
    'credit',
    'collection 7 was settled by hand as returned (ana@example.com, 2026-05-03)',
  ],
  ['paid', { fee: cents(350), charge: cents(350) }, 'credit', 'confirms'],
  ['paid', { fee: cents(350) }, 'credit', 'confirms'],
  ['paid', { fee: cents(0), charge: cents(350) }, 'credit', 'confirms'],
  [
    'paid',
    { fee: cents(350), charge: cents(250) },
    'credit',
    'collection 7 was settled by hand with a charge of 3.50, not 2.50',
  ],
] as const)(
  'a collection that was settled as %s, charged %o, and a %s: %s',
  (answer, charged, direction, meaning) => {
    const { fee, charge } = { fee: cents(0), charge: undefined, ...charged }
    const byHand = [{ ...settled, answer, fee }]
    const { kind, problem } = {
      problem: undefined,
      ...meaningOf(order('collection', answer, { byHand }), { ...booked, charge }, direction),
    }
    expect(problem ?? kind).toBe(meaning)
  },
)

it('does not match an entry with another amount', () => {
  expect(meaningOf(order('transfer', undefined, { amount: cents(501) }), booked, 'debit')).toEqual({
    kind: 'unmatched',
    problem: 'transfer 7 has another amount',
  })
})

it.each([
  ['AM04', 'insufficient_funds'],
  ['AC01', 'account_closed'],
  ['AC04', 'account_closed'],
  ['AC06', 'account_closed'],
  ['MD01', 'refused_by_debtor'],
  ['MD06', 'refused_by_debtor'],
  ['MS02', 'refused_by_debtor'],
  ['SL01', 'refused_by_debtor'],
  ['MS03', 'unspecified'],
  [undefined, 'unspecified'],
])('the code %s means %s', (code, reason) => {
  expect(returnReasonOf(code)).toBe(reason)
})

it.each([
  ['RJCT', true],
  ['ACSC', false],
  [undefined, false],
])('whether the status %s rejects: %s', (status, refused) => {
  expect(isRefused(status)).toBe(refused)
})

it.each([
  [{ code: 'DUPL' }, true],
  [{ code: 'AM05' }, true],
  [{ code: 'DU03' }, true],
  [{ code: 'NARR', text: 'Duplicate file' }, true],
  [{ code: 'NARR', text: 'Ficheiro duplicado' }, true],
  [{ text: 'Doppelte Einreichung' }, true],
  // Banks write a code of their own, small letters, or words only.
  [{ code: 'am05' }, true],
  [{ code: 'DUPLICATE_FILE' }, true],
  [{ code: 'AGNT', text: 'DUPL' }, true],
  [{ code: 'NARR', text: 'AM05: refused' }, true],
  [{ code: 'NARR', text: 'Message has already been received' }, true],
  [{ code: 'NARR', text: 'File sent twice' }, true],
  [{ code: 'NARR', text: 'MsgId is not unique' }, true],
  [{ code: 'NARR', text: 'Ficheiro já processado' }, true],
  [{ code: 'NARR', text: 'Ficheiro recebido anteriormente' }, true],
  [{ code: 'NARR', text: 'Datei wurde bereits verarbeitet' }, true],
  [{ code: 'NARR', text: 'Doublon de fichier' }, true],
  [{ code: 'NARR', text: 'Fichier déjà reçu' }, true],
  [{ code: 'NARR', text: 'Fichero ya procesado' }, true],
  [{ code: 'NARR', text: 'File già presente' }, true],
  [{ code: 'NARR', text: 'Bestand reeds ontvangen' }, true],
  [{ code: 'NARR', text: 'Account already closed' }, false],
  [{ code: 'NARR', text: 'Conta já encerrada' }, false],
  [{ code: 'NARR', text: 'Account closed' }, false],
  [{ code: 'AM04' }, false],
  [{}, false],
])('whether the reason %o means a duplicate: %s', (reason, duplicate) => {
  expect(isDuplicate(reason)).toBe(duplicate)
})

it.each([
  ['RVNM', [], 'the name is not that of the account (RVNM)'],
  ['PDNG', [{ code: 'RVMC' }], 'the name is nearly that of the account (RVMC)'],
  [
    'RJCT',
    [{ code: 'NARR', text: 'see below' }, { code: 'AM05' }],
    'the bank received it before (AM05): only the first one counts',
  ],
  ['ACCP', [], undefined],
])('gives for the status %s with %o the hint %s', (status, reasons, hint) => {
  expect(hintOf({ status, reasons })).toBe(hint)
})
