// References in transfer texts are found in any spelling, without false matches.
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
])('%j names only wallet 1000', (text) => {
  expect(walletsNamedIn(text)).toEqual([1000n])
})

it.each([
  [`${reference} 40/2026`, [1000, 10_004]],
  [`${reference} 4 de novembro`, [1000, 10_004]],
  [`${topUpReference(10_004n)} 5 de novembro`, [1000, 10_004]],
  [`${reference} e ${topUpReference(1001n)}`, [1000, 1001]],
])('%j can name %j', (text, wallets) => {
  expect(walletsNamedIn(text).map(Number)).toEqual(wallets)
})

it.each([
  ['', 'nothing'],
  ['Ana, obrigada', 'no reference'],
  ['RF18539007547034', "somebody else's reference"],
  [reference.replace('000', '001'), 'a slip'],
  ['RF00CMP1000', 'wrong check digits'],
])('%j names no wallet: %s', (text) => {
  expect(walletsNamedIn(text)).toEqual([])
})

it('finds every wallet, and none after a changed digit', () => {
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

it('finds the wallet before any further digits', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 999_999_999_999n), fc.bigInt(0n, 10n ** 12n), (id, next) => {
      expect(walletsNamedIn(`${topUpReference(id)} ${next}`)).toContain(id)
    }),
  )
})

const named = [1000n, 10_004n]
it.each([
  ['the only existing wallet', named, [1000n], 1000n],
  ['the longer number, if only that exists', named, [10_004n], 10_004n],
  ['no wallet if both exist', named, named, 'the text may name wallet 1000 or 10004'],
  ['no wallet if neither exists', named, [], 'there is no wallet 1000 or 10004'],
  ['no wallet without a reference', [], [], 'the text names no wallet'],
])('a text names %s', (_, names, existing, answer) => {
  expect(onlyWalletThatIs(names, existing)).toBe(answer)
})
