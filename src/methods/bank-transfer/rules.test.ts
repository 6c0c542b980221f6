// References on transfers: found however people write them, and never a wallet that was not meant.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onlyWalletThatIs, topUpReference, walletsNamedIn } from './rules.ts'

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
  [reference.replaceAll(/./g, '$& ')],
  [`TRF 00123 ${reference.slice(0, 6)} ${reference.slice(6)} ANA`],
  [`${reference} 2026-11-21`],
])('%j names wallet 1000 alone', (text) => {
  expect(walletsNamedIn(text)).toEqual([1000n])
})

it.each([
  [`${reference} 40/2026`, [1000, 10_004]],
  [`${reference} 4 de novembro`, [1000, 10_004]],
  [`${topUpReference(10_004n)} 5 de novembro`, [1000, 10_004]],
  [`${reference} e ${topUpReference(1001n)}`, [1000, 1001]],
])('%j may name each of %j', (text, wallets) => {
  expect(walletsNamedIn(text).map(Number)).toEqual(wallets)
})

it.each([
  ['', 'nothing'],
  ['Ana, obrigada', 'no reference'],
  ['RF18539007547034', "somebody else's reference"],
  [reference.replace('000', '001'), 'a slip'],
  ['RF00CMP1000', 'wrong check digits'],
])('%j names nobody: %s', (text) => {
  expect(walletsNamedIn(text)).toEqual([])
})

it('names every wallet, and of one changed digit none', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 999_999_999_999n),
      fc.nat(),
      fc.integer({ min: 0, max: 9 }),
      (id, place, digit) => {
        const text = topUpReference(id)
        expect(walletsNamedIn(text)).toContain(id)
        const at = text.length - 1 - (place % String(id).length)
        const slipped = `${text.slice(0, at)}${digit}${text.slice(at + 1)}`
        if (/\d/.test(text[at] ?? '') && slipped !== text) expect(walletsNamedIn(slipped)).not.toContain(id)
      },
    ),
  )
})

it('whatever digits follow a reference, its wallet is among those that the text may name', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 999_999_999_999n), fc.bigInt(0n, 10n ** 12n), (id, next) => {
      expect(walletsNamedIn(`${topUpReference(id)} ${next}`)).toContain(id)
    }),
  )
})

const named = [1000n, 10_004n]
it.each([
  ['the only one that is there', named, [1000n], 1000n],
  ['the longer one, where only that is there', named, [10_004n], 10_004n],
  ['nobody where both are there', named, named, 'the text may name wallet 1000 or 10004'],
  ['nobody where none is there', named, [], 'there is no wallet 1000 or 10004'],
  ['nobody where it names none', [], [], 'the text names no wallet'],
])('a text names %s', (_, names, existing, answer) => {
  expect(onlyWalletThatIs(names, existing)).toBe(answer)
})
