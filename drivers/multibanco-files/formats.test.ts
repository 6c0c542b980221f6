// Each rule for a file of payments, and the refusal of a file that breaks it.
import { expect, it } from 'vitest'
import { isWhole, readMeps, renderAeps } from './formats.ts'

const payment = {
  ...{ kind: '2', code: '01', log: '0007', number: '00000001', time: '202611231015' },
  ...{ amount: '0000001250', fee: '00020', terminal: 'A1'.padEnd(32, '0'), ref: '123456789' },
}
const header = '0MEPS5000000250000001202611231000000000' + '12345' + '978'
const footerOf = (count: number) =>
  `9${String(count).padStart(8, '0')}${String(1250 * count).padStart(17, '0')}${String(20 * count).padStart(12, '0')}${'5'.padStart(12, '0')}`
const footer = footerOf(1)
const lineOf = (change: Partial<typeof payment> = {}) => Object.values({ ...payment, ...change }).join('')
const fileOf = (...lines: string[]) => lines.map((line) => `${line.padEnd(100)}\r\n`).join('')

it('reads a payment with all its fields', () => {
  const text = fileOf(header, lineOf(), footer)
  expect(readMeps(text)).toEqual({
    ...{ entity: '12345', fileId: '202611231', previousId: '000000000', total: 1250n, fees: 20n, vat: 5n },
    payments: [
      {
        ...{ line: 2, log: '0007', logNumber: '00000001', time: '2026-11-23T10:15' },
        ...{ amount: 1250n, fee: 20n, ref: '123456789' },
      },
    ],
  })
  expect(readMeps(`${text}${String.fromCharCode(26)}`).payments).toHaveLength(1)
  expect(readMeps(text.replaceAll('\r\n', '\n')).payments).toHaveLength(1)
})

it.each([
  ['an empty file', fileOf(), 'line 1: a file of payments begins with 0MEPS'],
  [
    'another kind of file',
    fileOf(header.replace('MEPS', 'AEPS'), footer),
    'line 1: a file of payments begins',
  ],
  [
    'another currency',
    fileOf(header.replace('978', '840'), footer),
    'line 1: the currency must be 978; not 840',
  ],
  [
    'letters in its id',
    fileOf(header.replace('202611231', '2026112E1'), footer),
    'line 1: the file id (columns 22',
  ],
  ['a header alone', fileOf(header), 'line 1: the file must end with a line that begins with 9'],
  ['no end', fileOf(header, lineOf(), lineOf({ number: '00000002' })), 'line 3: the file must end'],
  [
    'a line of another kind',
    fileOf(header, lineOf({ kind: '3' }), footer),
    'line 2: a payment begins with 2',
  ],
  [
    'no amount',
    fileOf(header, lineOf({ amount: '0000000000' }), footer),
    'line 2: the amount must be above zero',
  ],
  [
    'a fee below zero',
    fileOf(header, lineOf({ fee: '-0020' }), footer),
    'line 2: the fee (columns 38 to 42)',
  ],
  [
    'a 30th of February',
    fileOf(header, lineOf({ time: '202602301015' }), footer),
    'line 2: there is no time 2026',
  ],
  ['a 25th hour', fileOf(header, lineOf({ time: '202611232515' }), footer), 'line 2: there is no time 2026'],
  [
    'a reference too short',
    fileOf(header, lineOf({ ref: '12345678' }), footer),
    'line 2: the reference (columns',
  ],
  [
    'one payment twice',
    fileOf(header, lineOf(), lineOf(), footerOf(2)),
    'line 3: log number 00000001 of log 0007 is already in line 2',
  ],
])('refuses %s', (_, text, why) => {
  expect(() => readMeps(text)).toThrow(why)
})

it('detects an incomplete file', () => {
  expect(isWhole(fileOf(header, lineOf(), footer))).toBe(true)
  expect(isWhole(fileOf(header, lineOf()))).toBe(false)
  expect(isWhole('')).toBe(false)
})

it('refuses a number that is too long for its columns', () => {
  const of = {
    source: '50000001',
    destination: '50000002',
    fileId: '202611231',
    previousId: '000000000',
    entity: '12345',
  }
  const line = {
    ref: '123456789',
    firstDay: '2026-11-23',
    lastDay: '2026-11-30',
    amountMin: 1n,
    amountMax: 10n ** 10n,
  }
  expect(() => renderAeps(of, [line])).toThrow('10000000000 does not fit 10 digits')
})
