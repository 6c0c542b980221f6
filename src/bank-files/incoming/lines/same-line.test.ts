// Lines of two kinds of files: as many pairs as there are, in whatever order they come, and never two that differ.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents } from '../../../kernel/money.ts'
import { creditorReference } from '../../../kernel/values/creditor-reference.ts'
import { type PossiblePair, pairsAmong } from './pairs.ts'
import type { ReportedLine } from './reported-line.ts'
import { sameLines } from './same-line.ts'

const iban = 'PT50000201231234567890154'
const [walletA, walletB] = [creditorReference('CMP1000'), creditorReference('CMP1001')]

const ofOurs = '00000000000040008000000000000007'

const line = (text: string, change: Partial<ReportedLine['transactions'][number]> = {}): ReportedLine => ({
  direction: 'credit',
  bookedOn: '2026-11-24',
  transactions: [{ amount: cents(7000), currency: 'EUR', iban, text, ...change }],
})
const ofTwo = (one: ReportedLine, other: ReportedLine): ReportedLine => ({
  ...one,
  transactions: [...one.transactions, ...other.transactions],
})
const named = (lines: readonly ReportedLine[]) => new Map(lines.map((one, index) => [String(index), one]))
const pairs = (asked: readonly ReportedLine[], known: readonly ReportedLine[]) => [
  ...sameLines(named(asked), named(known)).same,
]

describe('two lines of which the other kind of file cuts one before its reference', () => {
  const known = [line(`${walletA} ANA`), line(`PAGAMENTO DA FATURA DE NOVEMBRO ${walletB}`)]
  const asked = [line('TRF PAGAMENTO DA FATURA DE NOVEMBRO'), line(`TRF ${walletA} ANA`)]

  it.each([
    [known, asked],
    [known.toReversed(), asked],
    [known, asked.toReversed()],
    [asked, known],
    [asked.toReversed(), known],
  ])('are two', (...[first, second]) => {
    const [one, other] = pairs(second, first)
    expect(other).toBeDefined()
    for (const [id, same] of [one, other] as [string, string][]) {
      const texts = [second[Number(id)], first[Number(same)]].map((each) => each?.transactions[0]?.text ?? '')
      expect(texts[0]?.includes('FATURA')).toBe(texts[1]?.includes('FATURA'))
    }
  })
})

it('a choice that was sure gives way where both can be paired otherwise', () => {
  // The first is asked in the words of the one and may be the other; the second may be the one only.
  const known = [line('RENT'), line(`RENT ${walletB}`)]
  const asked = [line('RENT.'), line(`RENT ${walletA}`)]
  expect(pairs(asked, known)).toHaveLength(2)
  expect(pairs(asked.toReversed(), known.toReversed())).toHaveLength(2)
})

it.each<[string, ReportedLine, ReportedLine, number]>([
  [
    'an IBAN in groups and small letters',
    line('a'),
    line('b', { iban: 'pt50 0002 0123 1234 5678 9015 4' }),
    1,
  ],
  ['another IBAN', line('a'), line('a', { iban: 'PT50003300000000012345678' }), 0],
  ['another wallet', line(walletA), line(walletB), 0],
  ['the same reference with digits behind it', line(`${walletA} 4`), line(`x ${walletA}`), 1],
  ['two references of who ordered it', line('a', { endToEndId: 'A' }), line('a', { endToEndId: 'B' }), 0],
  ['a reason in one of them only', line('a', { returnCode: 'AC04' }), line('a'), 0],
  [
    'a reason in one of them only, and an order of ours',
    line('a', { returnCode: 'AC04', endToEndId: ofOurs }),
    line('b', { endToEndId: ofOurs }),
    1,
  ],
  [
    'another order of ours',
    line('a', { endToEndId: ofOurs }),
    line('a', { endToEndId: `${ofOurs.slice(0, -1)}8` }),
    0,
  ],
  ['another amount', line('a'), line('a', { amount: cents(7001) }), 0],
  [
    'two transactions in another order',
    ofTwo(line(`A ${walletA}`), line(`B ${walletB}`)),
    ofTwo(line(`X ${walletB}`), line(`Y ${walletA}`)),
    1,
  ],
  [
    'two transactions, of which one names another wallet',
    ofTwo(line(`A ${walletA}`), line(`B ${walletA}`)),
    ofTwo(line(`X ${walletB}`), line(`Y ${walletA}`)),
    0,
  ],
])('%s', (_, one, other, count) => {
  expect(pairs([one], [other])).toHaveLength(count)
  expect(pairs([other], [one])).toHaveLength(count)
})

it('transfers that both kinds of file report are paired whole, whatever one of them writes and cuts, in any order', () => {
  const transfer = fc.record({
    words: fc.constantFrom('', 'ANA ', 'PAGAMENTO DA FATURA DE NOVEMBRO ', 'RENT OF MAY '),
    wallet: fc.constantFrom(walletA, walletB),
    cutAt: fc.constantFrom(16, 40, 140),
    order: fc.tuple(fc.nat(), fc.nat()),
  })
  fc.assert(
    fc.property(fc.array(transfer, { maxLength: 8 }), (transfers) => {
      const known = inOrderOf(transfers.map(({ words, wallet, order }) => [line(words + wallet), order[0]]))
      const asked = inOrderOf(
        transfers.map(({ words, wallet, cutAt, order }) => [
          line(`TRF. ${words}${wallet}`.slice(0, cutAt)),
          order[1],
        ]),
      )
      expect(pairs(asked, known)).toHaveLength(transfers.length)
      expect(pairs(known, asked)).toHaveLength(transfers.length)
    }),
  )
})

function inOrderOf(lines: readonly (readonly [ReportedLine, number])[]): ReportedLine[] {
  return lines.toSorted(([, one], [, other]) => one - other).map(([one]) => one)
}

/** All ways to pair them, by trying each. */
function mostPairs([pair, ...others]: readonly PossiblePair[]): number {
  if (pair === undefined) return 0
  const rest = others.filter(({ first, second }) => first !== pair.first && second !== pair.second)
  return Math.max(1 + mostPairs(rest), mostPairs(others))
}

it('there are as many pairs as there can be, each of what may be one, and who has a surer partner keeps one', () => {
  const place = fc.nat({ max: 3 })
  const possible = fc.uniqueArray(fc.record({ first: place, second: place, rank: fc.nat({ max: 2 }) }), {
    maxLength: 10,
    selector: ({ first, second }) => `${first} ${second}`,
  })
  fc.assert(
    fc.property(possible, (edges) => {
      const found = pairsAmong(edges)
      expect(found).toHaveLength(mostPairs(edges))
      for (const side of ['first', 'second'] as const)
        expect(new Set(found.map((one) => one[side])).size).toBe(found.length)
      for (const { first, second } of found)
        expect(edges.some((edge) => edge.first === first && edge.second === second)).toBe(true)
      for (const rank of [0, 1])
        for (const { first } of pairsAmong(edges.filter((edge) => edge.rank <= rank)))
          expect(found.some((one) => one.first === first)).toBe(true)
    }),
  )
})

it('things with a size are as many pairs as the same things one by one', () => {
  const place = fc.nat({ max: 2 })
  const story = fc.record({
    possible: fc.uniqueArray(fc.record({ first: place, second: place, rank: fc.nat({ max: 2 }) }), {
      maxLength: 6,
      selector: ({ first, second }) => `${first} ${second}`,
    }),
    first: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
    second: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
  })
  fc.assert(
    fc.property(story, ({ possible, ...counts }) => {
      const sizes = {
        first: (index: number) => counts.first[index] as number,
        second: (index: number) => counts.second[index] as number,
      }
      const each = possible.flatMap(({ first, second, rank }) =>
        range(sizes.first(first)).flatMap((one) =>
          range(sizes.second(second)).map((other) => ({
            first: 10 * first + one,
            second: 10 * second + other,
            rank,
          })),
        ),
      )
      const found = pairsAmong(possible, sizes)
      const countOf = (pairs: typeof found) => pairs.reduce((sum, { count }) => sum + count, 0)
      expect(countOf(found)).toBe(pairsAmong(each).length)
      for (const side of ['first', 'second'] as const)
        for (const index of range(3))
          expect(countOf(found.filter((one) => one[side] === index))).toBeLessThanOrEqual(sizes[side](index))
    }),
  )
})

const range = (length: number) => Array.from({ length }, (_, index) => index)

describe('thousands of transfers of one price on one day', () => {
  const count = 3_000
  const members = (
    textOf: (index: number) => string,
    ibanOf: (index: number) => string | undefined,
    length = count,
  ) => range(length).map((index) => line(textOf(index), { iban: ibanOf(index) }))
  const accountOf = (index: number) => `PT50${String(index).padStart(21, '0')}`
  const known = members((index) => `${walletA} member ${index}`, accountOf)
  const pooled = members(
    (index) => `${walletA} member ${index}`,
    () => accountOf(0),
  )

  it.each([
    [
      'in other words, without IBANs',
      known,
      members(
        (index) => `TRF ${walletA} member ${index}`,
        () => undefined,
      ),
    ],
    [
      'in the same words, without IBANs',
      known,
      members(
        (index) => `${walletA} member ${index}`,
        () => undefined,
      ).toReversed(),
    ],
    ['in other words', known, members((index) => `TRF ${walletA} member ${index}`, accountOf).toReversed()],
    [
      'in other words, from one account',
      pooled,
      members(
        (index) => `TRF ${walletA} member ${index}`,
        () => accountOf(0),
      ),
    ],
  ])('are paired %s', (_, ofOneKind, ofTheOther) => {
    for (const [asked, known] of [
      [ofOneKind, ofTheOther],
      [ofTheOther, ofOneKind],
    ] as const) {
      expect(pairs(asked, known)).toHaveLength(count)
      expect(pairs(asked, known.slice(0, count / 2))).toHaveLength(count / 2)
      expect(pairs(asked.slice(0, count / 2), known)).toHaveLength(count / 2)
    }
  })

  it('are undecided where all would have to be compared with all', () => {
    const ordered = range(count).map((index) =>
      line(walletA, { iban: undefined, endToEndId: `ORDER ${index}` }),
    )
    const { same, undecided } = sameLines(named(ordered), named(known))
    expect(same.size + undecided.size).toBe(count)
    expect(undecided.size).toBeGreaterThan(0)
  })
})
