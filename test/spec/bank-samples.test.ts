// Files in the formats of several banks, with invented names.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bankOf, endToEndId } from '../bank-statements.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'

const iban = 'PT50000201231234567890154'
const samples = join(import.meta.dirname, '..', 'bank-files', 'samples')
let world: World
let money: Money
let files = 0

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const bank = bankOf(() => world)

/** Values for the names in braces. */
type Values = Readonly<Record<string, string>>

/** Imports a sample in its encoding. Returns the command's output. */
async function imported(name: string, values: Values = {}, change = (text: string) => text): Promise<Json> {
  const template = readFileSync(join(samples, `${name}.xml`), 'utf8')
  files += 1
  const all: Values = { iban, nib: iban.slice(4), file: String(files), ...values }
  const text = change(template.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => all[key] ?? ''))
  const path = join(world.dataDir, `${name}.xml`)
  // The dash of windows-1252.
  const bytes = Buffer.from(text.replaceAll('–', '\u0096'), 'latin1')
  writeFileSync(path, text.includes('encoding="UTF-8"') ? text : bytes)
  return (await world.cli('bank', 'import', path)).json
}

/** Names of one order that a bank may use. */
async function names(id: string): Promise<Values> {
  const file = await bank.exported()
  const first = (tag: string) => new RegExp(`<${tag}>([^<]+)`).exec(file)?.[1] ?? ''
  return { id, order: endToEndId(id), message: first('MsgId'), group: first('PmtInfId') }
}

const debit = async (): Promise<Values> => names(await bank.ordered())

async function payout(): Promise<Values> {
  const { order = '' } = await debit()
  const details = [{ endToEndId: order }]
  await bank.statement({ amount: '10.00', reference: order, details })
  const args = ['payout', '--wallet', String(world.shop.wallet_id), '--amount', '5.00']
  return names((await world.cli(...args)).json.operation_id)
}

const statusOf = async ({ id }: Values) => (await world.operation(id ?? '')).status

/** Open entries for the operator. Closes them again. */
async function unmatched(): Promise<Json[]> {
  const { entries } = (await world.cli('bank', 'unmatched')).json
  for (const { entry_id } of entries) await world.cli('bank', 'resolve', entry_id, '--note', 'seen')
  return entries
}

it.each([
  ['abn-amro-053', 'camt.053', { entries: 1, transfers: 1 }, 21.5],
  ['nordea-053', 'camt.053', { entries: 1, transfers: 1 }, 7.25],
  ['postfinance-054', 'camt.054', { entries: 2, transfers: 2 }, 30],
  ['finnish-053-page-1', 'camt.053', { entries: 1, transfers: 1 }, 3],
  ['finnish-053-page-2', 'camt.053', { entries: 1, transfers: 1 }, 3],
  ['many-currencies-053', 'camt.053', { entries: 1, transfers: 1, skipped: 1 }, 6.15],
  ['portuguese-053', 'camt.053', { entries: 2, transfers: 1, unmatched: 1, skipped: 1 }, 8.5],
])('%s brings money to the wallet that it names', async (name, kind, counts, balance) => {
  const consumer = await money.consumer(0)
  const values = { wallet: consumer.bank_reference, file: '100' }
  expect(await imported(name, values)).toMatchObject({ kind, unmatched: 0, skipped: 0, ...counts })
  expect(await money.balanceOf(consumer.email)).toBe(balance)
  expect(await imported(name, values)).toMatchObject({ transfers: 0, repeated: counts.entries })
  await unmatched()
})

it('ing-053 books a payout by the name of its group, in a transaction that has no references', async () => {
  const values = await payout()
  expect(await imported('ing-053', values)).toMatchObject({ entries: 1, matched: 1, paid: 1 })
  expect(await statusOf(values)).toBe('COMPLETED')
})

it.each([
  ['outside the entry', (text: string) => text],
  [
    'in a transaction that has no other reference',
    (text: string) =>
      text.replace(
        /<Btch><MsgId>(\w+).*?<\/Btch>/,
        '<TxDtls><Refs><MsgId>$1</MsgId><EndToEndId>NOTPROVIDED</EndToEndId><InstrId>NOTPROVIDED</InstrId></Refs></TxDtls>',
      ),
  ],
  [
    'in its text',
    (text: string) =>
      text
        .replace(/<Btch>.*?<\/Btch>/, '')
        .replace(
          '</Ntry>',
          (end) => `<AddtlNtryInf>Batch ${/<MsgId>(CMP\w+)/.exec(text)?.[1]}, 1 item</AddtlNtryInf>${end}`,
        ),
  ],
])('ing-053-message books a payout by the name of its file, %s', async (_, change) => {
  const values = await payout()
  expect(await imported('ing-053-message', values, change)).toMatchObject({ entries: 1, paid: 1 })
  expect(await statusOf(values)).toBe('COMPLETED')
})

it('german-052 books a debit by the reference in its text; pending entries repeat', async () => {
  const values = await debit()
  expect(await imported('german-052', values)).toMatchObject({ kind: 'camt.052', entries: 1, paid: 1 })
  expect(await statusOf(values)).toBe('COMPLETED')
})

it('german-053-return returns a debit that was booked with its charges, and leaves one whose charges do not explain it', async () => {
  const consumer = await money.consumer(0)
  const values: Values = { ...(await debit()), wallet: consumer.bank_reference }
  const other = (text: string) => text.replace(/(<Chrgs>.*?)3\.50/s, '$13.40')
  expect(await imported('german-053-return', values, other)).toMatchObject({ unmatched: 1, transfers: 1 })
  expect(await money.balanceOf(consumer.email)).toBe(4)
  expect(await unmatched()).toMatchObject([
    {
      ...{ amount: '13.50', direction: 'debit', return_code: 'MD06' },
      end_to_end_id: values.order,
      text: 'Rücklastschrift Widerspruch – Entgelt 3,50',
      problem: expect.stringContaining('sum up to 10.00, with charges of 3.40, and it is over 13.50'),
    },
  ])
  const charged: Values = { ...(await debit()), wallet: consumer.bank_reference }
  const again = (text: string) => text.replace('2026112600000000001', '2026112600000000003')
  expect(await imported('german-053-return', charged, again)).toMatchObject({ returned: 1, unmatched: 0 })
  expect(await statusOf(charged)).toBe('FAIL')
})

it('portuguese-053-reversal is no transfer, though it names a wallet', async () => {
  const consumer = await money.consumer(0)
  const values = { wallet: consumer.bank_reference }
  expect(await imported('portuguese-053-reversal', values)).toMatchObject({ unmatched: 1, transfers: 0 })
  expect(await unmatched()).toMatchObject([{ booked_on: '2026-11-25', amount: '2.75' }])
})

it('portuguese-053-reversal is no transfer in capitals, and not understood with another word', async () => {
  const consumer = await money.consumer(0)
  const values = { wallet: consumer.bank_reference }
  for (const word of ['TRUE', 'yes']) {
    const as = (text: string) => text.replace(/(?<=<RvslInd>)\w+/, word).replaceAll(/2\.75/g, '2.85')
    const change = (text: string) => as(text).replaceAll(/(?<=<AcctSvcrRef>)\w+/g, `${word}1`)
    expect(await imported('portuguese-053-reversal', values, change)).toMatchObject({ transfers: 0 })
    expect(await unmatched()).toMatchObject([
      { problem: expect.stringContaining(word === 'yes' ? 'RvslInd must be' : 'returned or reversed') },
    ])
  }
})

it.each([
  ...['Refs/EndToEndId', 'Refs/InstrId', 'Refs/TxId', 'Refs/MsgId', 'Refs/PmtInfId', 'Refs/AcctSvcrRef'],
  ...['RmtInf/Strd/RfrdDocInf/Nb', 'Btch/PmtInfId', 'Btch/MsgId'],
])('a wallet that is named in %s alone is credited', async (path) => {
  const consumer = await money.consumer(0)
  const reference = consumer.bank_reference.replaceAll(' ', '')
  const element = path.split('/').reduceRight((inner, name) => `<${name}>${inner}</${name}>`, reference)
  const as = (text: string) =>
    text
      .replaceAll(/<AddtlNtryInf>.*?<\/AddtlNtryInf>/g, '')
      .replace(path.startsWith('Btch') ? '<TxDtls>' : /<Refs>.*?<\/Refs>/, (place) =>
        place === '<TxDtls>' ? element + place : element,
      )
      .replace(/(?<=<AcctSvcrRef>)\d+/, `R${path.replaceAll('/', '')}`)
  expect(await imported('abn-amro-053', { wallet: reference }, as)).toMatchObject({ transfers: 1 })
  expect(await money.balanceOf(consumer.email)).toBe(21.5)
})

it('goldman-053 books what its sums do not explain, and knows each line by the reference in its transaction', async () => {
  const consumer = await money.consumer(0)
  const values: Values = { ...(await payout()), wallet: consumer.bank_reference, file: '500' }
  const bare = (text: string) => text.replace(/<EndToEndId>GTOS\w+<\/EndToEndId>/, '')
  expect(await imported('goldman-053', values, bare)).toMatchObject({
    ...{ kind: 'camt.053', entries: 5, matched: 3, unmatched: 2, repeated: 0, skipped: 1 },
    ...{ paid: 0, returned: 1, transfers: 1 },
  })
  expect(await statusOf(values)).toBe('FAIL')
  expect(await money.balanceOf(consumer.email)).toBe(12.4)
  expect(await unmatched()).toMatchObject([
    { amount: '0.00', problem: expect.stringContaining('it states 9 entries and has 3') },
    { amount: '0.00', problem: expect.stringContaining('do not lead from its opening to its closing') },
  ])
  const next = (text: string) =>
    bare(text).replaceAll('8840013500', '8840014501').replace('7120450', '7120451')
  expect(await imported('goldman-053', values, next)).toMatchObject({ repeated: 3, transfers: 0 })
  expect(await money.balanceOf(consumer.email)).toBe(12.4)
  await unmatched()
})

it('goldman-pain-002 names its file after spaces, and only accepts it', async () => {
  const values = await debit()
  expect(await imported('goldman-pain-002', values)).toMatchObject({ kind: 'pain.002', unmatched: 0 })
  expect(await statusOf(values)).toBe('PENDING')
})

it('cross-river-pain-002 refuses an order that it received before: it stays open, with a hint', async () => {
  const values = await debit()
  expect(await imported('cross-river-pain-002', values)).toMatchObject({
    entries: 1,
    unmatched: 1,
    returned: 0,
  })
  expect(await statusOf(values)).toBe('PENDING')
  expect((await world.cli('bank', 'unmatched')).json.orders).toContainEqual(
    expect.objectContaining({
      operation_id: values.id,
      hint: `the bank received it before (NARR: Instruction ID ${values.order} already exist): only the first one counts`,
    }),
  )
})

it('cross-river-pain-002-unreadable names neither file nor order: the refusal has the reason of the bank', async () => {
  const values = await debit()
  expect((await imported('cross-river-pain-002-unreadable', values)).error.reason).toContain(
    'it does not name its file or an order of ours (NARR: Error in file orders.xml: line 19, position 5)',
  )
  expect(await statusOf(values)).toBe('PENDING')
})

it.each([
  ['pain-002-without-references', 'account_closed'],
  ['pain-002-of-one-order', 'insufficient_funds'],
])('%s refuses the order that it names', async (name, error) => {
  const values = await debit()
  expect(await imported(name, values)).toMatchObject({ kind: 'pain.002', entries: 1, returned: 1 })
  expect(await money.callbackOf(values.id ?? '', 'FAIL')).toMatchObject({ error })
})

it.each([
  ['finds the file of the order', (text: string) => text, { entries: 1, returned: 1 }, 'FAIL'],
  [
    'is refused if it has none of ours',
    (text: string) => text.replace(/(<OrgnlEndToEndId>)\w+/, '$1ORDER-1'),
    { error: { reason: expect.stringContaining('it does not name its file') } },
    'PENDING',
  ],
])('a status report that names orders alone %s', async (_, change, said, status) => {
  const values = await debit()
  expect(
    await imported('pain-002-of-one-order', { ...values, message: 'NOTPROVIDED' }, change),
  ).toMatchObject(said)
  expect(await statusOf(values)).toBe(status)
})

it.each(['02', '03', '04', '06', '08', '10', '13'])('every version is read: %s', async (version) => {
  const consumer = await money.consumer(0)
  const values = { wallet: consumer.bank_reference }
  const as = (text: string) =>
    text
      .replace(/(camt\.05\d\.001\.)\d\d/, `$1${version}`)
      .replace('20112400000001', `A${version}`)
      .replaceAll(/201124CH0A3BCDEF/g, `REF${version}`)
  expect(await imported('postfinance-054', values, as)).toMatchObject({ transfers: 2, repeated: 0 })
  expect(await money.balanceOf(consumer.email)).toBe(30)
})
