// Files of banks and of the reference network: read whole or refused.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  isWhole,
  FileRefused as MepsRefused,
  readMeps,
  renderAeps,
} from '../../../../drivers/multibanco-files/formats.ts'
import { FileRefused } from '../../../../src/bank-files/incoming/document.ts'
import { type BankMessage, readBankMessage } from '../../../../src/bank-files/incoming/messages.ts'
import { bankText } from '../../../../src/bank-files/xml.ts'
import { startOfLisbonDay } from '../../../../src/kernel/lisbon.ts'
import { accountReport, type Line } from '../../../bank-statements.ts'
import { oddText } from '../values.ts'
import { steepness } from './time.ts'

const seed = 18

const euros = fc
  .integer({ min: -99_999_99, max: 99_999_99 })
  .filter((amount) => amount !== 0)
  .map((amount) => (amount / 100).toFixed(2))
const line: fc.Arbitrary<Line> = fc.record({
  amount: euros,
  reference: fc.stringMatching(/^[A-Z0-9]{1,16}$/),
})
const statement = fc
  .tuple(fc.constantFrom('statement' as const, 'notification' as const), fc.array(line, { maxLength: 4 }))
  .map(([kind, lines]) => accountReport(kind, lines))

function brokenOf(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  return fc
    .tuple(
      texts,
      place,
      fc.nat(40),
      fc.oneof(
        oddText,
        fc.constantFrom(
          '<',
          '>',
          '&',
          '&#0;',
          ']]>',
          '<!--',
          '<![CDATA[',
          '<!DOCTYPE a [<!ENTITY b "c">]>',
          '</Stmt>',
          '2026-13-45',
          '1e5',
          '-1',
        ),
      ),
    )
    .map(([text, at, length, odd]) => {
      const start = Math.floor(at * text.length)
      return text.slice(0, start) + odd + text.slice(start + length)
    })
}

function read(text: string): BankMessage | undefined {
  try {
    return readBankMessage(text)
  } catch (error) {
    if (error instanceof FileRefused) return undefined
    throw error
  }
}

it('a statement is read with every line and every cent', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
      const message = read(accountReport('statement', lines))
      const entries = message?.kind === 'statement' ? (message.accounts[0]?.entries ?? []) : []
      const signed = entries.map(({ direction, amount }) => (direction === 'credit' ? amount : -amount))
      expect(signed.map(Number)).toEqual(lines.map(({ amount }) => Math.round(Number(amount) * 100)))
    }),
    { seed, numRuns: 60 },
  )
})

it('a damaged statement is read or refused, and has only valid dates', () => {
  fc.assert(
    fc.property(brokenOf(statement), (text) => {
      const message = read(text)
      if (message === undefined || message.kind === 'status') return
      for (const { bookedOn } of message.accounts.flatMap(({ entries }) => entries))
        if (bookedOn !== undefined) startOfLisbonDay(bookedOn)
    }),
    { seed, numRuns: 500 },
  )
})

it.each(['2026-02-30', '2026-13-01', '0000-00-00'])('an entry whose day is %s is not understood', (day) => {
  const text = accountReport('statement', [{ amount: '10.00', reference: 'A1' }])
  const message = read(text.replace(/<BookgDt><Dt>[^<]+/, `<BookgDt><Dt>${day}`))
  expect(message).toMatchObject({
    accounts: [{ entries: [{ problem: expect.stringContaining('BookgDt is not a date') }] }],
  })
})

it('the other entries of a file are read, for any content of one entry', () => {
  const details = [{ endToEndId: 'E1', text: 'rent', iban: 'PT50000201231234567890154', reason: 'AC04' }]
  const text = accountReport('statement', [
    { amount: '10.00', reference: 'A1', group: 'G1', details },
    { amount: '5.00', reference: 'B2' },
  ])
  const [first = ''] = /<Ntry>.*?<\/Ntry>/s.exec(text) ?? []
  const leaves = [...first.matchAll(/<(\w+)[^<>]*>[^<>]+<\/\1>/g)].map(([leaf]) => leaf)
  const odd = fc.oneof(
    oddText,
    fc.constantFrom('', '-1', '1e5', '2026-02-30', 'XXXX', '\0', '99999999999999999'),
  )
  const asReferences = (content: string) =>
    content.replaceAll(/[^\w ]/gu, (character) => `&#${character.codePointAt(0)};`)
  const change = fc.oneof(
    odd.map((content) => (leaf: string) => leaf.replace(/>[^<]+</, () => `>${asReferences(content)}<`)),
    fc.constantFrom(
      () => '',
      (leaf: string) => leaf.repeat(2),
      (leaf: string) => leaf.replace(/ Ccy="EUR"/, ''),
      (leaf: string) => leaf.replace('EUR', 'USD'),
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom(...leaves), change, (leaf, changed) => {
      const message = read(text.replace(leaf, () => changed(leaf)))
      const entries = message?.kind === 'statement' ? message.accounts[0]?.entries : undefined
      expect(entries?.at(-1)).toMatchObject({ servicerReference: 'B2', amount: 500n, problem: undefined })
    }),
    { seed, numRuns: 500 },
  )
})

it('any text is read or refused, at any depth', () => {
  fc.assert(
    fc.property(oddText, (text) => read(text) === undefined),
    { seed, numRuns: 100 },
  )
  const deep = `${'<a>'.repeat(2_000)}x${'</a>'.repeat(2_000)}`
  const [before = '', after = ''] = accountReport('statement', []).split('</MsgId>')
  expect(read(deep)).toBeUndefined()
  expect(() => read(`${before}${deep}</MsgId>${after}`)).not.toThrow()
})

const network = fc
  .array(
    fc.record({
      amount: fc.integer({ min: 1, max: 9_999_999 }),
      fee: fc.nat(99_999),
      ref: fc.nat(999_999_999),
    }),
    { maxLength: 4 },
  )
  .map((payments) => ({ payments, text: mepsOf(payments) }))

function mepsOf(
  payments: readonly { readonly amount: number; readonly fee: number; readonly ref: number }[],
): string {
  const digits = (value: number, length: number) => String(value).padStart(length, '0')
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  const lines = [
    '0MEPS500000025000000120261123100000000012345978',
    ...payments.map(
      ({ amount, fee, ref }, index) =>
        `2010007${digits(index + 1, 8)}202611231015${digits(amount, 10)}${digits(fee, 5)}${'0'.repeat(32)}${digits(ref, 9)}`,
    ),
    `9${digits(payments.length, 8)}${digits(sum(payments.map(({ amount }) => amount)), 17)}${digits(sum(payments.map(({ fee }) => fee)), 12)}${digits(0, 12)}`,
  ]
  return lines.map((one) => `${one.padEnd(100)}\r\n`).join('')
}

function readNetwork(text: string) {
  isWhole(text)
  try {
    return readMeps(text)
  } catch (error) {
    if (error instanceof MepsRefused) return undefined
    throw error
  }
}

it('a file of the network is read with every payment, or refused', () => {
  fc.assert(
    fc.property(network, ({ payments, text }) => {
      const seen = readNetwork(text)?.payments.map(({ amount, fee, ref }) => ({
        amount: Number(amount),
        fee: Number(fee),
        ref: Number(ref),
      }))
      expect(seen).toEqual(payments)
    }),
    { seed, numRuns: 100 },
  )
  fc.assert(
    fc.property(brokenOf(network.map(({ text }) => text)), (text) => void readNetwork(text)),
    { seed, numRuns: 400 },
  )
})

it('no reference makes a column of our own file wider', () => {
  const header = {
    source: '50000000',
    destination: '25000000',
    fileId: '202611231',
    previousId: '0',
    entity: '12345',
  }
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 10n - 1n }), fc.nat(999_999_999), (amount, ref) => {
      const days = { firstDay: '2026-11-23', lastDay: '2027-01-31' }
      const text = renderAeps(header, [
        { ref: String(ref).padStart(9, '0'), ...days, amountMin: amount, amountMax: amount },
      ])
      expect(text.split('\r\n').map(({ length }) => length)).toEqual([50, 50, 50, 0])
    }),
    { seed, numRuns: 100 },
  )
})

it('no name ends an element of a file for a bank', () => {
  fc.assert(
    fc.property(fc.oneof(oddText, fc.string({ unit: 'grapheme' })), (text) => {
      expect(bankText(text, 70)).toMatch(/^[^<>&"\r\n\0]{0,70}$/)
    }),
    { seed, numRuns: 300 },
  )
})

it.each([
  [
    'many entries',
    (size: number) =>
      accountReport(
        'statement',
        Array.from({ length: size }, (_, index) => ({ amount: '1.00', reference: `R${index}` })),
      ),
    read,
    30,
  ],
  [
    'one long text',
    (size: number) =>
      accountReport('statement', [{ amount: '1.00', details: [{ text: 'x'.repeat(100 * size) }] }]),
    read,
    100,
  ],
  ['document types', (size: number) => '<!DOCTYPE'.repeat(size), read, 2000],
  [
    'payments',
    (size: number) => mepsOf(Array.from({ length: size }, (_, ref) => ({ amount: 1, fee: 1, ref }))),
    readNetwork,
    300,
  ],
  ['empty lines', (size: number) => '\r\n'.repeat(size), readNetwork, 2000],
])('a file of %s takes time in proportion', (_, textOf, reader, size) => {
  expect(steepness(textOf, reader, size)).toBeUndefined()
})
