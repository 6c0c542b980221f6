// The gateway refuses files that would overload the machine before it parses them, and reads files in any encoding.
import { expect, it } from 'vitest'
import { createReader, readInThread } from '../../src/bank-files/incoming/reader.ts'
import { accountReport } from '../bank-statements.ts'

const read = async (file: string | Uint8Array) => (await readInThread(file)).message
const report = accountReport('statement', [
  { amount: '10.00', reference: 'A', details: [{ text: 'Conceição Weiß' }] },
])
const within = (text: string) => report.replace('<Ntry>', `${text}<Ntry>`)

it.each([
  ['nested too deep', within('<a xmlns="x">'.repeat(40_000)), /^line \d+: its elements are nested more than/],
  [
    'nested too deep, and closed',
    within(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`),
    /nested more than 100 deep/,
  ],
  [
    'of too many elements',
    within('<a/>'.repeat(600_000)),
    /^it has more than 500000 elements and attributes/,
  ],
  ['of too many attributes', within('<a b="" c="" d=""/>'.repeat(200_000)), /^it has more than 500000/],
  ['of too many comments', within('<!---->'.repeat(600_000)), /^it has more than 500000/],
  [
    'with a tag of too many attributes',
    within(`<a ${'b="" '.repeat(3000)}/>`),
    /^line \d+: a tag has more than/,
  ],
  ['with a comment that does not end', within('<!-- '.repeat(100_000)), /not well-formed XML/],
  ['with a tag that does not end', report.slice(0, -3), /not well-formed XML/],
])('a file %s is refused', async (_, text, problem) => {
  await expect(read(text)).rejects.toThrow(problem)
  // The reader still reads the next file.
  expect(await read(report)).toMatchObject({ kind: 'statement' })
})

it.each([
  ['memory', { memoryMiBMax: 30, msMax: 180_000 }, 'reading it takes more than 30 MiB of memory'],
  ['time', { memoryMiBMax: 1000, msMax: 1 }, 'reading it takes more than 0.001 seconds'],
])('a file that takes too much %s is refused, and ends its thread alone', async (_, limits, problem) => {
  const lines = Array.from({ length: 5000 }, () => ({ amount: '1.00', details: [{ text: 'rent' }] }))
  const reading = createReader(limits)(accountReport('statement', lines))
  // Another thread reads in the meantime.
  expect(await read(report)).toMatchObject({ kind: 'statement' })
  await expect(reading).rejects.toThrow(problem)
})

it('the next file after one that took too much is read by a new thread', async () => {
  const next = createReader({ memoryMiBMax: 40, msMax: 180_000 })
  const lines = Array.from({ length: 8000 }, () => ({ amount: '1.00', details: [{ text: 'rent' }] }))
  const files = [report, accountReport('statement', lines), report].map((text) => next(text))
  const ended = await Promise.allSettled(files)
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('reads the charges of a transaction, in both forms, and not one without an amount', async () => {
  const amount = (text: string) => `<Amt Ccy="EUR">${text}</Amt>`
  // Version 02 of the format has no record: the amount is directly in the charge.
  const charges = `<Chrgs>${amount('0.20')}</Chrgs><Chrgs>${amount('none')}</Chrgs>`
  const records = `<Chrgs><Rcrd>${amount('3.50')}<CdtDbtInd>CRDT</CdtDbtInd></Rcrd></Chrgs>`
  for (const [text, expected] of [
    [charges, { amount: 20n, isCredited: false }],
    [records, { amount: 350n, isCredited: true }],
  ] as const)
    expect(await read(report.replace('<RmtInf>', `${text}<RmtInf>`))).toMatchObject({
      accounts: [{ entries: [{ transactions: [{ charges: [{ currency: 'EUR', ...expected }] }] }] }],
    })
})

it('an attribute, a comment or characters as they are may have what looks like a tag', async () => {
  for (const text of ['<a b="> />"/>', "<a b='>\">'/>", '<!-- <a> -->', '<![CDATA[<a>]]>', '<?a <a> ?>'])
    expect(await read(within(`<a>${text.repeat(200)}</a>`))).toMatchObject({ kind: 'statement' })
})

const declared = (encoding: string, bytes: (text: string) => Uint8Array) =>
  bytes(report.replace('encoding="UTF-8"', `encoding="${encoding}"`))
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const bytesOf = (...bytes: number[]) => Buffer.from(bytes)

it.each<[string, Uint8Array]>([
  ['UTF-8', declared('UTF-8', Buffer.from)],
  ['UTF-8, with a byte order mark', Buffer.concat([bytesOf(0xef, 0xbb, 0xbf), Buffer.from(report)])],
  ['UTF-8, without saying so', Buffer.from(report.replace(/<\?xml.*\?>/, ''))],
  ['UTF-8, and says something else', declared('ISO-8859-1', Buffer.from)],
  ['ISO-8859-1', declared('ISO-8859-1', (text) => Buffer.from(text, 'latin1'))],
  ['ISO-8859-15', declared('iso-8859-15', (text) => Buffer.from(text, 'latin1'))],
  ['windows-1252', declared('windows-1252', (text) => Buffer.from(text, 'latin1'))],
  [
    'UTF-16, with a byte order mark',
    declared('UTF-16', (text) => Buffer.concat([bytesOf(0xff, 0xfe), Buffer.from(text, 'utf16le')])),
  ],
  [
    'UTF-16, the other way round',
    declared('UTF-16', (text) => Buffer.concat([bytesOf(0xfe, 0xff), utf16be(text)])),
  ],
  ['UTF-16, without a byte order mark', declared('UTF-16', utf16be)],
])('a file in %s is read', async (_, bytes) => {
  expect(await read(bytes)).toMatchObject({
    accounts: [{ entries: [{ transactions: [{ text: 'Conceição Weiß' }] }] }],
  })
})

it.each<[string, Uint8Array, string]>([
  ['UTF-8', Buffer.from(report, 'latin1'), 'it declares UTF-8, but is not in that encoding'],
  [
    'an encoding that nobody knows',
    declared('EBCDIC-PT', (text) => Buffer.from(text, 'latin1')),
    'it declares EBCDIC-PT, but is not in that encoding',
  ],
  [
    'UTF-16',
    declared('UTF-16', (text) => Buffer.from(text, 'latin1')),
    'it declares UTF-16, but is not in that encoding',
  ],
  [
    'nothing',
    Buffer.from(report.replace(/<\?xml.*\?>/, ''), 'latin1'),
    'it is not UTF-8, and does not declare its encoding',
  ],
  ['UTF-16, of which half a character is missing', utf16be(report).subarray(0, -1), 'it declares UTF-16BE'],
])('refuses a file that declares %s but is not in that encoding', async (_, bytes, problem) => {
  await expect(read(bytes)).rejects.toThrow(problem)
})
