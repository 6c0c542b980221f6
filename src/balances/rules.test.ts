// References on transfers: found however people write them, and never a wallet that was not meant.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { topUpReference, transferAmount, walletNamedIn } from './rules.ts'

const reference = topUpReference(1000n)

it('is an ISO 11649 reference in groups of four', () => {
  expect(reference).toMatch(/^RF\d\d CMP1 000$/)
})

it.each([
  [reference],
  [reference.toLowerCase()],
  [reference.replaceAll(' ', '')],
  [`Carregamento ${reference}`],
  [`/ROC/${reference.replaceAll(' ', '-')}//obrigado`],
  [`${reference} 2026-11-21`],
])('%j names wallet 1000', (text) => {
  expect(walletNamedIn(text)).toBe(1000n)
})

it.each([
  ['', 'nothing'],
  ['Ana, obrigada', 'no reference'],
  ['RF18539007547034', "somebody else's reference"],
  [reference.replace('000', '001'), 'a slip'],
  ['RF00CMP1000', 'wrong check digits'],
  [`${reference} e ${topUpReference(1001n)}`, 'two wallets'],
])('%j names nobody: %s', (text) => {
  expect(walletNamedIn(text)).toBeUndefined()
})

it('names every wallet, and of one changed digit none', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 999_999_999_999n),
      fc.nat(),
      fc.integer({ min: 0, max: 9 }),
      (id, place, digit) => {
        const text = topUpReference(id)
        expect(walletNamedIn(text)).toBe(id)
        const at = text.length - 1 - (place % String(id).length)
        const slipped = `${text.slice(0, at)}${digit}${text.slice(at + 1)}`
        if (/\d/.test(text[at] ?? '') && slipped !== text) expect(walletNamedIn(slipped)).not.toBe(id)
      },
    ),
  )
})

it.each([
  [0, 'below_minimum_amount'],
  [-1, 'below_minimum_amount'],
  [100_000_000_000, 'above_maximum_amount'],
])('a transfer of %i cents is refused', (amount, kind) => {
  expect(transferAmount(cents(amount), 'amount')).toMatchObject({ ok: false, refusal: { kind } })
})
