// Files for the bank: well-formed XML, sums and escaping.
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import type { BankFile, BankOrder } from './model.ts'
import { formatOf, renderFile } from './pain.ts'
import { bankText } from './xml.ts'

const createdAt = instant(Date.parse('2026-11-21T09:21:00Z'))
const creditor = {
  name: 'Comporta',
  iban: 'PT50000201231234567890154',
  bic: 'SBOXPTPL',
  creditorId: 'PT31ZZZ123456',
}
const id = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'

function order(amount: number, change: Partial<BankOrder> = {}): BankOrder {
  return {
    kind: 'collection',
    id,
    walletId: 1001n,
    operationId: id,
    amount: cents(amount),
    currency: 'EUR',
    party: { name: 'Ana Conceição <& "Filhos">', iban: 'PT50000201230000000001087' },
    remittance: 'Demo Shop',
    mandate: { id: 'CMP-0199A1B2', signedOn: '2026-11-20' },
    dueOn: '2026-11-23',
    createdAt,
    ...change,
  } as BankOrder
}

function fileOf(kind: BankFile['kind'], orders: readonly BankOrder[]): string {
  const file = {
    id,
    kind,
    name: 'x.xml',
    orders: orders.length,
    total: cents(0),
    createdAt,
    format: formatOf(kind),
  }
  return renderFile(file, orders, creditor)
}

describe('a file of debits', () => {
  const text = fileOf('collection', [
    order(1),
    order(999_999_00),
    order(250, { dueOn: '2026-11-24' }),
    order(5, { dueOn: '2026-11-02' }),
  ])

  it('has the namespace of its format, with sums for the file and each day', () => {
    expect(text).toContain(
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"><CstmrDrctDbtInitn>',
    )
    expect(text.match(/<NbOfTxs>\d+<\/NbOfTxs><CtrlSum>[\d.]+<\/CtrlSum>/g)).toEqual([
      '<NbOfTxs>4</NbOfTxs><CtrlSum>1000001.56</CtrlSum>',
      '<NbOfTxs>3</NbOfTxs><CtrlSum>999999.06</CtrlSum>',
      '<NbOfTxs>1</NbOfTxs><CtrlSum>2.50</CtrlSum>',
    ])
    expect(text.match(/<ReqdColltnDt>[^<]+/g)).toEqual([
      '<ReqdColltnDt>2026-11-23',
      '<ReqdColltnDt>2026-11-24',
    ])
  })

  it('writes mandate, debtor and payment in letters that banks accept', () => {
    expect(text).toContain('<MndtId>CMP-0199A1B2</MndtId><DtOfSgntr>2026-11-20</DtOfSgntr>')
    expect(text).toContain('<Dbtr><Nm>Ana Conceicao .. .Filhos..</Nm></Dbtr>')
    expect(text).toContain('<EndToEndId>0199a1b2c3d47e5f8a6b7c8d9e0f1a2b</EndToEndId>')
    expect(text).toContain('<InstdAmt Ccy="EUR">0.01</InstdAmt>')
  })

  it('closes its elements in order', () => {
    const open: string[] = []
    for (const [, end, name = ''] of text.matchAll(/<(\/)?([A-Za-z]+)[^>]*>/g)) {
      if (end === undefined) open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })
})

it.each([
  [
    'pain.008.001.08',
    '<PstlAdr><PstCd>8001</PstCd><TwnNm>Zurich</TwnNm><Ctry>CH</Ctry><AdrLine>Bahnhofstrasse 1</AdrLine></PstlAdr>',
  ],
  [
    'pain.008.001.02',
    '<PstlAdr><Ctry>CH</Ctry><AdrLine>Bahnhofstrasse 1</AdrLine><AdrLine>8001 Zurich</AdrLine></PstlAdr>',
  ],
] as const)('the address of a debtor is written in %s', (format, address) => {
  const partyAddress = { street: 'Bahnhofstraße 1', postalcode: '8001', city: 'Zürich', country: 'CH' }
  const file = {
    id,
    kind: 'collection',
    name: 'x.xml',
    orders: 1,
    total: cents(0),
    createdAt,
    format,
  } as const
  const text = renderFile(file, [order(1, { partyAddress }), order(2)], creditor)
  expect(text.split('<PstlAdr>')).toHaveLength(2)
  expect(text).toContain(`</Nm>${address}</Dbtr>`)
})

it('names the beneficiary and no mandate in a file of transfers', () => {
  const text = fileOf('transfer', [order(12_345, { kind: 'transfer' })])
  expect(text).toContain('pain.001.001.09')
  expect(text).toContain('<Amt><InstdAmt Ccy="EUR">123.45</InstdAmt></Amt><Cdtr>')
  expect(text).toContain('<ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt><Dbtr><Nm>Comporta</Nm>')
  expect(text).not.toContain('Mndt')
})

it.each([
  ['João Ñandú', 'Joao Nandu'],
  ['Weiß Łukasz Ørsted', 'Weiss Lukasz Orsted'],
  ['Æsir Þór Đặng', 'Aesir Thor Dang'],
  ['Юрий Иванов', 'Yuriy Ivanov'],
  ['Γιώργος Παππάς', 'Giorgos Pappas'],
  ['Jose\u0301 – “Café”, 5 €', 'Jose - .Cafe., 5 EUR'],
  ['李', 'Li'],
  ['😀 Ana', '. Ana'],
  ['\u200b', '.'],
  ['  a   b ', 'a b'],
  ['', '.'],
  ["O'Neill & Sons", "O'Neill . Sons"],
])('writes %j as %j', (text, read) => {
  expect(bankText(text, 70)).toBe(read)
})
