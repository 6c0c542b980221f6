// Translated refusals.
import { expect, it } from 'vitest'
import { errorTable } from '../../../../src/http/errors/errors.ts'
import { portugueseOfCode } from './codes.ts'
import { saidIn } from './said.ts'

it.each(Object.values(errorTable).map(({ code, message }) => [code, message]))(
  '%s, %s, has a Portuguese sentence',
  (code) => {
    expect(portugueseOfCode[Number(code)]).toMatch(/^[A-ZÁÉÍÓÚÂ].+\.$/)
  },
)

it('no sentence is for a code that is never answered', () => {
  const answered = Object.values(errorTable).map(({ code }) => String(code))
  expect(Object.keys(portugueseOfCode).filter((code) => !answered.includes(code))).toEqual([])
})

it.each([
  ['password is not yours', 'Password: wrong value; try again.'],
  ['iban must be a valid IBAN', 'IBAN: not a valid IBAN; check its letters and digits.'],
  [
    'iban must be of an account in a SEPA country: Türkiye (TR) is not one',
    'IBAN must be of an account in a SEPA country: Türkiye (TR) is not one.',
  ],
  [
    'callback_url must be an absolute https URL without a fragment',
    'Callback address: enter the full address, which begins with https://.',
  ],
  [
    'fees.CC: a fee is written 1.5%, 0.30 or 1%+0.15, not "much"',
    'Fee of CC: enter a fee such as 1.5%, 0.30 or 1%+0.15.',
  ],
  ['code was used: wait for the next one', 'Code: already used; wait for the next code of the app.'],
  [
    'amount must be at most 12.50, the remaining amount',
    'Amount must be at most 12.50, the remaining amount.',
  ],
  ['the operation was split before', 'The operation was split before'],
])('in English, %s', (message, words) => {
  expect(saidIn('en', { code: 10002, message })).toBe(words)
})

it.each([
  [10001, 'amount is required', 'Montante: falta preencher.'],
  [10002, 'payment.amount must have at most 2 decimals', 'Montante: no máximo 2 casas decimais.'],
  [40015, 'amount must be at most 12.50, the remaining amount', 'Montante: no máximo 12,50.'],
  [10002, 'split[0].merchant_wallet must be named once: see split[1]', 'Carteira: só pode aparecer uma vez.'],
  [
    10002,
    'phone +351911234567 is not registered with the mobile wallet',
    'Telemóvel: este número não tem MB WAY.',
  ],
  [20001, 'e-mail and password do not belong together', 'O e-mail ou a palavra-passe estão errados.'],
  [
    10029,
    'too many failed tries to sign in: try again in 60 s',
    'Demasiadas tentativas. Espere 60 segundos.',
  ],
  [30007, 'insufficient funds', 'O banco emissor recusou o cartão.'],
  [10002, 'logo must be green', 'Um dos valores está errado. (logo must be green)'],
  [12345, 'something new', 'something new'],
])('%s, %s', (code, message, portuguese) => {
  expect(saidIn('pt', { code, message })).toBe(portuguese)
})
