// Rules for debtors' data and for inquiries.
import { describe, expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import { after, day, instant } from '../../kernel/time.ts'
import type { DirectDebit } from './model.ts'
import { collectionOf, mandateIdOf, mandateTexts, needsEmail, nextInquiry, readDebtor } from './rules.ts'

const good = { holder: 'Ana Sousa', iban: 'PT50 0002 0123 1234 5678 9015 4', mandate: 'accepted' }

it('reads holder and IBAN in any grouping', () => {
  const debtor = { name: 'Ana Sousa', iban: 'PT50000201231234567890154' }
  expect(readDebtor(good)).toEqual({ ok: true, debtor })
  expect(readDebtor({ ...good, iban: ' pt50-0002-0123-1234-5678-9015-4 ' })).toEqual({ ok: true, debtor })
})

it('reads a name of 70 characters, the banks’ limit', () => {
  expect(readDebtor({ ...good, holder: 'x'.repeat(70) }).ok).toBe(true)
})

it.each([
  [{ holder: ' ' }, { holder: 'missing' }],
  [{ holder: 'x'.repeat(71) }, { holder: 'invalid' }],
  [{ holder: '12345' }, { holder: 'invalid' }],
  [{ holder: 'Ana 4176660000000027' }, { holder: 'invalid' }],
  [{ holder: 'Ana\nSousa' }, { holder: 'invalid' }],
  [{ iban: '' }, { iban: 'missing' }],
  [{ iban: 'PT50000201231234567890155' }, { iban: 'invalid' }],
  [{ iban: 'PT5000020123123456789015' }, { iban: 'invalid' }],
  [{ iban: 'XX50000201231234567890154' }, { iban: 'invalid' }],
  [{ iban: '4176660000000027' }, { iban: 'invalid' }],
  [{ iban: 'BR1800360305000010009795493C1' }, { iban: 'not_sepa' }],
  [{ mandate: undefined }, { mandate: 'missing' }],
  [{ mandate: 'no' }, { mandate: 'missing' }],
  [
    { holder: undefined, iban: undefined, mandate: undefined },
    { holder: 'missing', iban: 'missing', mandate: 'missing' },
  ],
])('%j is reported as %j', (change, problems) => {
  expect(readDebtor({ ...good, ...change })).toEqual({ ok: false, problems })
})

it('a mandate id has 35 characters, the banks’ limit', () => {
  expect(mandateIdOf('0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b')).toBe('CMP0199A1B2C3D47E5F8A6B7C8D9E0F1A2B')
})

describe('the bank is inquired', () => {
  const monday = instant(Date.parse('2026-11-23T00:00:00Z'))
  const debit = {
    state: 'ASKED',
    details: { collectOn: '2026-11-23' },
    amount: cents(1),
  } as unknown as DirectDebit

  it('on the day of collection, and then every hour', () => {
    expect(nextInquiry(debit, after(monday, -3 * day))).toBe(monday)
    expect(nextInquiry(debit, after(monday, 1))).toBe(after(monday, 3_600_001))
  })

  it('every week while a return is possible', () => {
    const paid = { ...debit, state: 'APPROVED', endedAt: monday } as DirectDebit
    expect(nextInquiry(paid, monday)).toBe(after(monday, 7 * day))
    expect(nextInquiry(paid, after(monday, 52 * day))).toBe(after(monday, 56 * day))
    expect(nextInquiry(paid, after(monday, 56 * day))).toBeUndefined()
  })
})

it.each([undefined, 'ana@example.pt'])('the order contains the e-mail address: %s', (email) => {
  const debtor = { name: 'Ana Sousa', iban: 'PT50000201231234567890154' }
  const details = { debtor, email, mandate: { id: 'CMP1' }, collectOn: '2026-03-02' }
  const debit = {
    key: 'K',
    operationId: 'O',
    walletId: 7n,
    merchantName: 'Shop',
    amount: cents(100),
    details,
  }
  expect(collectionOf(debit as unknown as DirectDebit)).toStrictEqual({
    key: 'K',
    reference: 'O',
    merchant: { id: 7n, name: 'Shop' },
    debtor: email === undefined ? debtor : { ...debtor, email },
    mandate: { id: 'CMP1' },
    amount: 100n,
    currency: 'EUR',
    dueOn: '2026-03-02',
  })
})

const clauses = {
  pt: [
    /PT12ZZZ\) a enviar instruções ao seu banco/,
    /Tem direito a ser reembolsado/,
    /até oito semanas .* débito\.$/,
  ],
  en: [
    /PT12ZZZ\) to send instructions to your bank/,
    /entitled to a refund/,
    /within eight weeks .* debit\.$/,
  ],
} as const

it.each(['pt', 'en'] as const)('the mandate in %s names creditor, merchant and agent', (language) => {
  const creditor = { name: 'Comporta', creditorId: 'PT12ZZZ' }
  const text = (agent?: string) => mandateTexts[language]({ ...creditor, agent } as never, 'Shop')
  for (const named of ['Comporta', 'PT12ZZZ', 'Shop']) expect(text()).toContain(named)
  expect(text('Agent')).toContain('Agent')
  expect(text('Agent').length).toBeGreaterThan(text().length + 100)
  for (const clause of clauses[language]) expect(text()).toMatch(clause)
  expect(text()).not.toContain('undefined')
})

it('tells the debtor who e-mails the mandate, and needs the address', () => {
  const creditor = { name: 'Loja', creditorId: 'PT31ZZZ123456', agent: 'Agente' }
  const sent = { ...creditor, makesMandate: 'by e-mail' } as const
  expect(mandateTexts.en(sent, 'Padaria')).toMatch(/^Agente e-mails you the direct debit mandate/)
  expect(mandateTexts.pt(sent, 'Padaria')).toMatch(/^Agente envia-lhe por e-mail/)
  expect([creditor, sent, { ...creditor, wantsEmail: true }].map(needsEmail)).toEqual([false, true, true])
})
