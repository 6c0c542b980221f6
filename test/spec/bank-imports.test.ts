// Bank files: orders, transfers and unmatched entries.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletsNamedIn } from '../../src/methods/bank-transfer/rules.ts'
import { accountReport, bankOf, endToEndId, type Line, statusReport } from '../bank-statements.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import type { Json, World } from '../world.ts'

let world: World
let money: Money
let references = 0

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
  const iban = 'PT50000201231234567890154'
  expect(await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)).toMatchObject({
    code: 0,
  })
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const { importText, exported, ordered, statement, notification, close } = bankOf(() => world)
const nextReference = () => `REF-${references++}`

async function debit(): Promise<{ id: string; file: string }> {
  return { id: await ordered(), file: await exported() }
}

const booked = (id: string, amount = '10.00', change: Partial<Line> = {}): Line => ({
  amount,
  reference: nextReference(),
  details: [{ endToEndId: endToEndId(id) }],
  ...change,
})
const operation = (id: string) => world.operation(id)
const childrenOf = async (id: string, type: string): Promise<Json[]> => {
  const { body } = await world.shop.get(`/api/v2/operations?type=${type}&limit=30`)
  return body.elements.filter(({ parent }: Json) => parent === id)
}

const closed = () => close(({ problem }) => problem.startsWith('it may repeat entry'))

describe('a debit', () => {
  it('is paid once by a booked entry, despite repeated files', async () => {
    const { id } = await debit()
    const line = booked(id, '10.00', { code: 'PMNT/IDDT/ESDD' })
    expect(await notification(line)).toMatchObject({
      code: 0,
      json: { kind: 'camt.054', entries: 1, matched: 1, unmatched: 0, repeated: 0 },
    })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', method: 'SEPA', fee: -0.3 })
    expect(await money.callbackOf(id, 'COMPLETED')).toMatchObject({ method: 'SEPA' })
    const text = accountReport('statement', [line])
    const again = { kind: 'camt.053', entries: 1, matched: 0, unmatched: 0, repeated: 1 }
    expect((await importText(text)).json).toMatchObject(again)
    expect((await importText(text)).json).toMatchObject(again)
  })

  it('waits while the bank only accepts it, or has it pending', async () => {
    const { id, file } = await debit()
    const accepted = statusReport(file, { orders: [{ operationId: id, status: 'ACCP' }] })
    expect((await importText(accepted)).json).toMatchObject({ kind: 'pain.002', entries: 1, unmatched: 0 })
    expect((await statement(booked(id, '10.00', { status: 'PDNG' }))).json).toMatchObject({ entries: 0 })
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
  })

  it('fails with the reason when the bank refuses it, but not because the file came twice', async () => {
    const { id, file } = await debit()
    await importText(statusReport(file, { status: 'RJCT', reason: 'DUPL' }))
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    await importText(statusReport(file, { orders: [{ operationId: id, status: 'RJCT', reason: 'AC04' }] }))
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
    expect(await money.callbackOf(id, 'FAIL')).toMatchObject({ error: 'account_closed' })
  })

  it.each([
    ['with its file, of which a group is named', { status: 'RJCT', reason: 'AC04', group: {} }],
    ['with its group', { group: { status: 'RJCT', reason: 'AC04' } }],
    [
      'with its group, for the reason of the file',
      { status: 'PART', reason: 'AC04', group: { status: 'RJCT' } },
    ],
    [
      'with its file, of which another is named as the reason',
      { status: 'RJCT', reason: 'AC04', names: 'RJCT' },
    ],
    [
      'with its group, of which another is named',
      { group: { status: 'RJCT', reason: 'AC04' }, names: 'RJCT' },
    ],
  ])('fails when the bank refuses it %s', async (_, { names, ...says }: Json) => {
    const checkouts = [await world.createCheckout(), await world.createCheckout()]
    for (const checkout of checkouts) await money.payByDebit(checkout)
    const [id, other] = checkouts.map(({ payment }) => payment.id) as [string, string]
    const orders = names === undefined ? [] : [{ operationId: other, status: names, reason: 'AM04' }]
    await importText(statusReport(await exported(), { ...says, orders }))
    for (const one of [id, other]) expect(await operation(one)).toMatchObject({ status: 'FAIL' })
    expect(await money.callbackOf(id, 'FAIL')).toMatchObject({ error: 'account_closed' })
    const error = names === undefined ? 'account_closed' : 'insufficient_funds'
    expect(await money.callbackOf(other, 'FAIL')).toMatchObject({ error })
  })

  it('fails with its group whose name the bank writes in capitals', async () => {
    const { id, file } = await debit()
    const report = statusReport(file, { group: { status: 'RJCT', reason: 'AC04' } })
    await importText(report.replace(/(?<=<OrgnlPmtInfId>)[^<]+/, (group) => group.toUpperCase()))
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
  })

  it.each([
    ['with a repeated file that names groups', { status: 'RJCT', reason: 'DUPL', group: { status: 'RJCT' } }],
    [
      'of a file that is refused, but for its group',
      { status: 'RJCT', reason: 'AC04', group: { status: 'ACCP' } },
    ],
  ])('waits when the bank says so of one %s', async (_, says) => {
    const { id, file } = await debit()
    await importText(statusReport(file, says))
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
  })

  const duplicate = '<StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>'
  it.each<[string, Parameters<typeof statusReport>[1], (text: string) => string]>([
    [
      'a group that it does not name',
      { group: { status: 'RJCT', reason: 'DU01' }, orders: [] },
      (text) => text.replace(/<OrgnlPmtInfId>[^<]+/, '<OrgnlPmtInfId>NOTPROVIDED'),
    ],
    ['a group without a status', { status: 'RJCT', group: { reason: 'DU01' } }, (text) => text],
    [
      'an order that it does not name',
      { group: { status: 'RJCT' } },
      (text) =>
        text.replace('</OrgnlPmtInfAndSts>', `<TxInfAndSts><TxSts>RJCT</TxSts>${duplicate}</TxInfAndSts>$&`),
    ],
    [
      'an order that it does not name, of its file',
      { status: 'RJCT' },
      (text) => text.replace('</CstmrPmtStsRpt>', `<TxInfAndSts>${duplicate}</TxInfAndSts>$&`),
    ],
  ])('waits with a hint when the bank refuses as a duplicate %s', async (_, says, changed) => {
    const { id, file } = await debit()
    const report = changed(statusReport(file, says))
    // Named and unnamed orders.
    const named = `<TxInfAndSts><OrgnlEndToEndId>${endToEndId(id)}</OrgnlEndToEndId><TxSts>RJCT</TxSts></TxInfAndSts>`
    for (const text of new Set([report, report.replace('</OrgnlPmtInfAndSts>', `${named}$&`)])) {
      expect((await importText(text)).json).toMatchObject({ unmatched: 1, returned: 0 })
      expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    }
    expect((await world.cli('bank', 'unmatched')).json.orders).toContainEqual(
      expect.objectContaining({ operation_id: id, hint: expect.stringContaining('DU01') }),
    )
  })

  it('waits with a hint when the bank refuses a group of its file that it does not name', async () => {
    const { id, file } = await debit()
    const report = statusReport(file, { group: { status: 'RJCT', reason: 'AC04' } })
    const unnamed = report.replace(/<OrgnlPmtInfId>[^<]+/, '<OrgnlPmtInfId>NOTPROVIDED')
    expect((await importText(unnamed)).json).toMatchObject({ unmatched: 1, returned: 0 })
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    expect((await world.cli('bank', 'unmatched')).json.orders).toContainEqual(
      expect.objectContaining({
        operation_id: id,
        hint: 'the bank rejects a part of its file (AC04) without a name that we know',
      }),
    )
    await importText(report)
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
  })

  it('that comes back after a year is a REFUND of its own, with a callback, taken from the balance', async () => {
    const { id } = await debit()
    await statement(booked(id))
    await world.advance('P380D')
    const before = Number((await money.funds()).balance)
    const details = [{ endToEndId: endToEndId(id), reason: 'MD01' }]
    expect((await statement(booked(id, '-10.00', { code: 'PMNT/IDDT/UPDD', details }))).json).toMatchObject({
      matched: 1,
      returned: 1,
    })
    const [refund, ...others] = await childrenOf(id, 'REFUND')
    expect(others).toEqual([])
    expect(refund).toMatchObject({ status: 'COMPLETED', amount: -10 })
    expect(await money.callbackOf(refund.id, 'COMPLETED')).toMatchObject({
      parent_operation_id: id,
      error: 'refused_by_debtor',
    })
    expect(Number((await money.funds()).balance)).toBe(before - 10)
  })

  it('is paid with many others by one line, and in many versions', async () => {
    const [first, second] = [await world.createCheckout(), await world.createCheckout()]
    for (const checkout of [first, second]) await money.payByDebit(checkout)
    await exported()
    const details = [first, second].map(({ payment }) => ({
      endToEndId: endToEndId(payment.id),
      amount: '10.00',
    }))
    const line = { amount: '20.00', reference: nextReference(), details }
    const { json } = await importText(accountReport('statement', [line], { version: '02' }))
    expect(json).toMatchObject({ entries: 2, matched: 2, paid: 2 })
    for (const { payment } of [first, second])
      expect(await operation(payment.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('is paid by a line that names only its group, or waits for the transactions of the line', async () => {
    const { id, file } = await debit()
    const reference = nextReference()
    expect((await statement({ amount: '10.00', reference })).json).toMatchObject({ unmatched: 1 })
    expect((await notification(booked(id, '10.00', { reference }))).json).toMatchObject({ matched: 1 })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    const other = await debit()
    const group = /<PmtInfId>([^<]+)/.exec(other.file)?.[1] ?? ''
    expect(file).not.toContain(group)
    await statement({ amount: '10.00', reference: nextReference(), group })
    expect(await operation(other.id)).toMatchObject({ status: 'COMPLETED' })
  })
})

describe('a return in a notification before the payment in the statement', () => {
  /** Euros in suspense, and the number of lines for the operator. */
  async function waiting() {
    const { text } = await world.request('/metrics')
    const { json } = await world.cli('bank', 'unmatched')
    return { euros: /^comporta_suspense_euros (.*)$/m.exec(text)?.[1], lines: json.entries.length }
  }
  const back = (id: string, amount: string) =>
    booked(id, amount, { details: [{ endToEndId: endToEndId(id), reason: 'AC04' }] })

  it('is a debit that failed, and nothing for the operator', async () => {
    const before = await waiting()
    const { id } = await debit()
    const [paid, returned] = [booked(id), back(id, '-10.00')]
    await notification(returned)
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
    const reported = { matched: 1, unmatched: 0, repeated: 1, paid: 0, returned: 0 }
    expect((await statement(paid, returned)).json).toMatchObject(reported)
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
    expect(await waiting()).toEqual(before)
    expect((await statement(booked(id))).json).toMatchObject({ unmatched: 1 })
    const { entries } = (await world.cli('bank', 'unmatched')).json
    const surplus = entries.find((one: Json) => one.end_to_end_id === endToEndId(id))
    await world.cli('bank', 'resolve', surplus.entry_id, '--note', 'paid twice by the bank')
  })

  it('is one debit of a group that was booked as one', async () => {
    const checkouts = [await world.createCheckout(), await world.createCheckout()]
    for (const checkout of checkouts) await money.payByDebit(checkout)
    const group = /<PmtInfId>([^<]+)/.exec(await exported())?.[1] ?? ''
    const [first, second] = checkouts.map(({ payment }) => payment.id) as [string, string]
    const before = await waiting()
    await notification(back(first, '-10.00'))
    expect((await statement({ amount: '20.00', reference: nextReference(), group })).json).toMatchObject({
      ...{ matched: 1, unmatched: 0, paid: 1, transfers: 0 },
    })
    expect(await operation(first)).toMatchObject({ status: 'FAIL' })
    expect(await operation(second)).toMatchObject({ status: 'COMPLETED' })
    expect(await waiting()).toEqual(before)
  })

  it('is a payout that failed, and nothing for the operator', async () => {
    await statement(booked((await debit()).id))
    const funds = await money.funds()
    const wallet = String(world.shop.wallet_id)
    const { operation_id: id } = (await world.cli('payout', '--wallet', wallet, '--amount', '5.00')).json
    await exported()
    const before = await waiting()
    await notification(back(id, '5.00'))
    expect((await statement(booked(id, '-5.00'))).json).toMatchObject({ matched: 1, unmatched: 0 })
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
    expect(await waiting()).toEqual(before)
    expect((await money.funds()).balance).toBe(funds.balance)
  })
})

it('without the bank’s reference, equal lines are two in one file and one across files', async () => {
  const funds = async () => Number((await money.funds()).balance)
  const { bank_reference: text } = await money.funds()
  const before = await funds()
  const line = { amount: '7.00', details: [{ text: `${text} twice` }] }
  expect((await notification(line)).json).toMatchObject({ entries: 1, transfers: 1, repeated: 0 })
  expect((await notification(line)).json).toMatchObject({ entries: 1, transfers: 0, repeated: 1 })
  expect((await statement(line, line)).json).toMatchObject({ entries: 2, transfers: 1, repeated: 1 })
  expect(await funds()).toBeGreaterThan(before + 13)
})

describe('an equal line without a reference of the bank in another file of its kind', () => {
  const iban = 'PT50000201231234567890154'
  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-24</Dt></Dt></Bal>`
  const balances = (opening: string, closing: string) => balance('OPBD', opening) + balance('CLBD', closing)
  let id = 0
  /** Imports lines with ids and optional balances. Returns the result and the balance of each import. */
  async function imported(consumer: Json, ...texts: string[]) {
    const said: Json[] = []
    for (const text of texts) said.push((await importText(text)).json)
    const of = (name: string) => said.map((one) => one[name])
    return {
      ...{ transfers: of('transfers'), repeated: of('repeated'), unmatched: of('unmatched') },
      balance: await money.balanceOf(consumer.email),
    }
  }
  it('of a day that a bank reports in two statements is as much again, and the operator’s to say', async () => {
    const consumer = await money.consumer(0)
    const line = { amount: '7.00', details: [{ text: consumer.bank_reference, iban }] }
    const first = accountReport('statement', [line], { id: 'S1', extra: balances('0.00', '7.00') })
    const second = accountReport('statement', [line], { id: 'S2', extra: balances('7.00', '14.00') })
    const again = accountReport('statement', [line], { id: 'S2', extra: balances('7.00', '14.00') })
    expect(await imported(consumer, first, second, again)).toEqual({
      ...{ transfers: [1, 0, 0], repeated: [0, 0, 1], unmatched: [0, 1, 0], balance: 7 },
    })
    const [entry] = (await world.cli('bank', 'unmatched')).json.entries
    expect(entry).toMatchObject({
      amount: '7.00',
      problem: expect.stringMatching(/^it may repeat entry \S+ of \S+\.xml/),
    })
    await world.cli('bank', 'resolve', entry.entry_id, '--as-transfer')
    expect(await money.balanceOf(consumer.email)).toBe(14)
    // The file has all three lines of the day, and does not show which one is new.
    const whole = accountReport('statement', [line, line, line], {
      id: 'S3',
      extra: balances('0.00', '21.00'),
    })
    expect(await imported(consumer, whole)).toEqual({
      ...{ transfers: [0], repeated: [0], unmatched: [3], balance: 14 },
    })
    await closed()
  })

  describe('to which a corrected file adds a reference of the bank', () => {
    const reported = (kind: 'statement' | 'notification', lines: Line[], reference?: string) =>
      accountReport(kind, lines, { id: 'U' }).replace('<Refs>', (refs) =>
        reference === undefined ? refs : `${refs}<AcctSvcrRef>${reference}</AcctSvcrRef>`,
      )
    const lineOf = ({ bank_reference: text }: Json, change: Partial<Line> = {}): Line => ({
      ...{ amount: '6.60', details: [{ text, iban }] },
      ...change,
    })

    it.each(['statement', 'notification'] as const)('is the operator’s to say, in a %s', async (kind) => {
      const ofLine = await money.consumer(0)
      const [before, after] = [lineOf(ofLine), lineOf(ofLine, { reference: nextReference() })]
      const once = { transfers: [1, 0, 0], repeated: [0, 0, 1], unmatched: [0, 1, 0], balance: 6.6 }
      const corrected = [reported(kind, [after]), reported(kind, [after])]
      expect(await imported(ofLine, reported(kind, [before]), ...corrected)).toEqual(once)
      const ofDetails = await money.consumer(0)
      const line = lineOf(ofDetails)
      const reference = nextReference()
      const again = [reported(kind, [line], reference), reported(kind, [line], reference)]
      expect(await imported(ofDetails, reported(kind, [line]), ...again)).toEqual(once)
      const removed = await money.consumer(0)
      const withReference = lineOf(removed, { reference: nextReference() })
      const without = [reported(kind, [lineOf(removed)]), reported(kind, [lineOf(removed)])]
      expect(await imported(removed, reported(kind, [withReference]), ...without)).toEqual(once)
      await closed()
    })

    it('is the operator’s to say, where the other kind of file reported it first', async () => {
      const consumer = await money.consumer(0)
      const line = lineOf(consumer)
      const files = [reported('statement', [line]), reported('notification', [line])]
      expect(await imported(consumer, ...files, reported('notification', [line], nextReference()))).toEqual({
        ...{ transfers: [1, 0, 0], repeated: [0, 1, 0], unmatched: [0, 0, 1], balance: 6.6 },
      })
      await closed()
    })

    it('is another line, if the file has both', async () => {
      const consumer = await money.consumer(0)
      const line = lineOf(consumer)
      const both = reported('statement', [line, { ...line, reference: nextReference() }])
      expect(await imported(consumer, reported('statement', [line]), both)).toEqual({
        ...{ transfers: [1, 1], repeated: [0, 1], unmatched: [0, 0], balance: 13.2 },
      })
    })
  })

  it('without its transactions is as much again too', async () => {
    const before = (await world.cli('bank', 'unmatched')).json.entries.length
    const parts = [
      ['W1', '0.00', '7.30'],
      ['W2', '7.30', '14.60'],
      ['W2', '7.30', '14.60'],
    ] as const
    for (const [id, opening, closing] of parts)
      await importText(
        accountReport('statement', [{ amount: '7.30' }], { id, extra: balances(opening, closing) }),
      )
    const { entries } = (await world.cli('bank', 'unmatched')).json
    expect(entries).toHaveLength(before + 2)
    for (const { entry_id, amount } of entries)
      if (amount === '7.30') await world.cli('bank', 'resolve', entry_id, '--note', 'looked at')
  })

  it('is the one with its transactions, where a message reports a line with and without them', async () => {
    const consumer = await money.consumer(0)
    const line = { amount: '8.20', reference: nextReference() }
    const details = [{ text: consumer.bank_reference, iban }]
    const [bare, whole] = [line, { ...line, details }].map((one) => accountReport('notification', [one]))
    const report = /<Ntfctn>.*<\/Ntfctn>/s
    const both = bare?.replace(report, (one) => one + report.exec(whole ?? '')?.[0]) ?? ''
    expect(await imported(consumer, both)).toEqual({
      ...{ transfers: [1], repeated: [1], unmatched: [0], balance: 8.2 },
    })
  })

  it('of an account that comes back to its balance is the operator’s to say', async () => {
    const consumer = await money.consumer(0)
    const line = { amount: '6.00', details: [{ text: consumer.bank_reference, iban }] }
    const emptied = (id: string) => {
      const sweep = { amount: '-6.00', reference: nextReference(), details: [{ text: 'sweep' }] }
      return accountReport('statement', [line, sweep], { id, extra: balances('0.00', '0.00') })
    }
    const filled = (id: string) => accountReport('statement', [line], { id, extra: balances('0.00', '6.00') })
    const files = [emptied('Z1'), emptied('Z2'), filled('Z3'), filled('Z4'), filled('Z4')]
    expect(await imported(consumer, ...files)).toMatchObject({
      ...{ transfers: [1, 0, 0, 0, 0], repeated: [0, 0, 0, 0, 1], balance: 6 },
    })
    for (const { entry_id, direction, amount } of (await world.cli('bank', 'unmatched')).json.entries)
      if (direction === 'debit' && amount === '6.00')
        await world.cli('bank', 'resolve', entry_id, '--note', 'swept')
    await closed()
  })

  it('in the statement of a month is the operator’s to say', async () => {
    const consumer = await money.consumer(0)
    const line = { amount: '6.00', details: [{ text: consumer.bank_reference, iban }] }
    const before = {
      amount: '3.00',
      bookedOn: '2026-11-20',
      reference: nextReference(),
      details: [{ text: 'x' }],
    }
    const day = accountReport('statement', [line], { id: 'D', extra: balances('13.00', '19.00') })
    const month = accountReport('statement', [line, before], { id: 'M', extra: balances('10.00', '19.00') })
    expect(await imported(consumer, day, month)).toMatchObject({
      ...{ transfers: [1, 1], repeated: [0, 0], unmatched: [0, 1], balance: 6 },
    })
    await closed()
  })

  it('in notifications is one where a statement says so, and the operator’s to say where none does', async () => {
    const consumer = await money.consumer(0)
    const notified = (text: string, amount: string) => {
      id += 1
      return accountReport('notification', [{ amount, details: [{ text, iban }] }], { id: `N${id}` })
    }
    const text = consumer.bank_reference
    expect(await imported(consumer, notified(text, '5.00'), notified(text, '5.00'))).toMatchObject({
      ...{ transfers: [1, 0], unmatched: [0, 1], balance: 5 },
    })
    await closed()
    const two = accountReport(
      'statement',
      [1, 2].map(() => ({ amount: '4.00', details: [{ text, iban }] })),
    )
    expect(await imported(consumer, two, notified(text, '4.00'), notified(text, '4.00'))).toMatchObject({
      ...{ transfers: [2, 0, 0], repeated: [0, 1, 1], unmatched: [0, 0, 0], balance: 13 },
    })
    // The first one is certain, and the second is ambiguous.
    const other = accountReport(
      'statement',
      [1, 2].map(() => ({ amount: '2.00', details: [{ text: `TRF ${text}`, iban }] })),
    )
    expect(await imported(consumer, other, notified(text, '2.00'), notified(text, '2.00'))).toMatchObject({
      ...{ transfers: [2, 0, 0], repeated: [0, 1, 0], unmatched: [0, 0, 1], balance: 17 },
    })
    await closed()
  })

  it('in a notification that came twice stays the operator’s where a statement reports both', async () => {
    const consumer = await money.consumer(0)
    const line = { amount: '5.50', details: [{ text: consumer.bank_reference, iban }] }
    const notified = (name: string) => accountReport('notification', [line], { id: name })
    const reported = (...lines: Line[]) => accountReport('statement', lines, { id: 'C' })
    // One transfer is booked. The other may be the same transfer, so it waits for the operator.
    expect(await imported(consumer, notified('M1'), notified('M2'), reported(line))).toMatchObject({
      ...{ transfers: [1, 0, 0], repeated: [0, 0, 1], unmatched: [0, 1, 0], balance: 5.5 },
    })
    expect(await imported(consumer, reported(line, line), reported(line, line))).toMatchObject({
      ...{ transfers: [0, 0], repeated: [2, 2], unmatched: [0, 0], balance: 5.5 },
    })
    const { entries } = (await world.cli('bank', 'unmatched')).json
    expect(entries).toHaveLength(1)
    await world.cli('bank', 'resolve', entries[0].entry_id, '--as-transfer')
    expect(await money.balanceOf(consumer.email)).toBe(11)
  })

  it('in a notification that came twice takes the place of no other line', async () => {
    for (const order of [
      [0, 1, 2, 3],
      [0, 2, 1, 3],
    ]) {
      const consumer = await money.consumer(0)
      const [rent, food] = ['RENT', 'FOOD'].map((word) => ({
        amount: '4.40',
        details: [{ text: `${word} ${consumer.bank_reference}`, iban }],
      })) as Line[] as [Line, Line]
      id += 10
      const files = [
        accountReport('notification', [rent], { id: `P${id}` }),
        accountReport('statement', [rent, food]),
        accountReport('notification', [rent], { id: `Q${id}` }),
        accountReport('notification', [food], { id: `R${id}` }),
      ]
      const { balance } = await imported(consumer, ...order.map((which) => files[which] as string))
      expect(balance).toBe(8.8)
      expect((await world.cli('bank', 'unmatched')).json.entries).toHaveLength(1)
      await closed()
    }
  })

  it('with several transactions is taken whole, or in parts, and counts as one line', async () => {
    const consumers = [await money.consumer(0), await money.consumer(0)]
    const batch = (word: string): Line => ({
      amount: '12.00',
      details: consumers.map(({ bank_reference }, which) => ({
        ...{ amount: which === 0 ? '5.00' : '7.00', text: word + bank_reference },
        iban: which === 0 ? iban : 'PT50000201230000000001087',
      })),
    })
    for (const name of ['B1', 'B2']) await importText(accountReport('statement', [batch('')], { id: name }))
    const { entries } = (await world.cli('bank', 'unmatched')).json
    const part = entries.find(({ amount }: Json) => amount === '5.00')
    await world.cli('bank', 'resolve', part.entry_id, '--as-transfer')
    // Both lines are known with other texts, and the ambiguous one stays ambiguous.
    expect((await notification(batch('TRF '), batch('TRF '))).json).toMatchObject({
      repeated: 4,
      transfers: 0,
    })
    expect(await Promise.all(consumers.map(({ email }) => money.balanceOf(email)))).toEqual([10, 7])
    await closed()
  })

  it.each([
    ['in the same words', ''],
    ['in other words', 'TRF '],
  ])('that the operator closed is no line for a statement that reports one more, %s', async (_, more) => {
    const consumer = await money.consumer(0)
    const text = consumer.bank_reference
    const files = ['F1', 'F2'].map((name) =>
      accountReport('notification', [{ amount: '5.60', details: [{ text, iban }] }], {
        id: `${name}${more}`,
      }),
    )
    await imported(consumer, ...files)
    await closed()
    const both = [1, 2].map(() => ({ amount: '5.60', details: [{ text: more + text, iban }] }))
    expect(await imported(consumer, accountReport('statement', both))).toMatchObject({
      ...{ transfers: [1], repeated: [1], unmatched: [0], balance: 11.2 },
    })
  })

  describe('of two lines under one reference of the bank', () => {
    const accounts = [iban, 'PT50000201230000000001087']
    const reported = (
      consumer: Json,
      which: number,
      reference: string,
      change: Partial<Line> = {},
    ): Line => ({
      ...{ amount: '20.00', reference },
      details: [{ text: consumer.bank_reference, iban: accounts[which] ?? '', endToEndId: `E-${which}` }],
      ...change,
    })
    const both = async () => [await money.consumer(0), await money.consumer(0)] as [Json, Json]
    const balancesOf = async (consumers: Json[]) =>
      Promise.all(consumers.map(({ email }) => money.balanceOf(email)))

    it.each([
      ['one of them, then both', [[1], [0, 1]]],
      ['each, then both', [[1], [0], [0, 1]]],
      ['both, then each', [[1, 0], [0], [1]]],
    ])('each goes to its wallet, where files report %s', async (_, files) => {
      const consumers = await both()
      const reference = nextReference()
      for (const [index, lines] of files.entries()) {
        const texts = lines.map((which) => reported(consumers[which] as Json, which, reference))
        await importText(
          accountReport(index === 0 ? 'notification' : 'statement', texts, { id: `R${index}` }),
        )
      }
      expect(await balancesOf(consumers)).toEqual([20, 20])
    })

    it.each([
      ['one message', true],
      ['two messages', false],
    ])('each goes to its wallet, if a bank restarts its numbers each day, in %s', async (_, isOne) => {
      const consumers = await both()
      const reference = nextReference()
      const [first, second] = ['2026-11-23', '2026-11-24'].map((bookedOn, which) =>
        accountReport('statement', [reported(consumers[which] as Json, which, reference, { bookedOn })], {
          id: bookedOn,
        }),
      ) as [string, string]
      const statements = /<Stmt>.*<\/Stmt>/s
      const whole = first.replace(statements, (one) => one + statements.exec(second)?.[0])
      for (const text of isOne ? [whole, first, second] : [first, second, whole]) await importText(text)
      expect(await balancesOf(consumers)).toEqual([20, 20])
    })

    it('one without a reference of its payer is the operator’s to say', async () => {
      const consumers = await both()
      const reference = nextReference()
      const bare = (which: number) =>
        reported(consumers[which] as Json, which, reference, {
          details: [{ text: consumers[which]?.bank_reference, iban: accounts[which] ?? '' }],
        })
      expect((await notification(bare(0))).json).toMatchObject({ transfers: 1 })
      expect((await importText(accountReport('notification', [bare(1)], { id: 'R9' }))).json).toMatchObject({
        ...{ transfers: 0, repeated: 0, unmatched: 1 },
      })
      expect(await balancesOf(consumers)).toEqual([20, 0])
      expect((await statement(bare(1), bare(0))).json).toMatchObject({ repeated: 2, unmatched: 0 })
      expect(await balancesOf(consumers)).toEqual([20, 0])
      await closed()
    })

    it('one that a notification reported without it is the first one of it', async () => {
      const consumers = await both()
      const reference = nextReference()
      await notification({ amount: '20.00', details: [{ text: consumers[0].bank_reference, iban }] })
      const days = ['2026-11-24', '2026-11-25'].map((bookedOn, which) =>
        accountReport('statement', [reported(consumers[which] as Json, which, reference, { bookedOn })], {
          id: bookedOn,
        }),
      )
      for (const text of days) await importText(text)
      expect((await balancesOf(consumers))[0]).toBe(20)
      const { entries } = (await world.cli('bank', 'unmatched')).json
      expect([(await balancesOf(consumers))[1], entries.length]).toEqual(
        entries.length > 0 ? [0, 1] : [20, 0],
      )
      await closed()
    })

    it('an equal one on another day is the operator’s to say, also where a notification reported the first', async () => {
      const consumer = await money.consumer(0)
      const line = {
        amount: '20.00',
        reference: nextReference(),
        details: [{ text: consumer.bank_reference, iban }],
      }
      await notification(line)
      await statement(line)
      const next = accountReport('statement', [{ ...line, bookedOn: '2026-11-25' }], { id: 'D25' })
      expect((await importText(next)).json).toMatchObject({ transfers: 0, repeated: 0, unmatched: 1 })
      expect((await importText(next.replace('<MsgId>', '<MsgId>X'))).json).toMatchObject({ repeated: 1 })
      await closed()
    })

    it('one is a transfer, and the other pays a debit of ours', async () => {
      const consumer = await money.consumer(0)
      const reference = nextReference()
      const { id } = await debit()
      await statement(
        reported(consumer, 0, reference, {
          amount: '10.00',
          details: [{ text: consumer.bank_reference, iban }],
        }),
      )
      const paid = booked(id, '10.00', { reference, bookedOn: '2026-11-25' })
      expect((await importText(accountReport('statement', [paid], { id: 'D25' }))).json).toMatchObject({
        paid: 1,
      })
      expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    })

    it('two groups of debits that were booked as one are both paid, with a reference and without', async () => {
      for (const reference of [nextReference(), undefined]) {
        const debits = [await debit(), await debit()]
        const groups = debits.map(({ file }) => /<PmtInfId>([^<]+)/.exec(file)?.[1] ?? '')
        for (const [index, group] of groups.entries()) {
          const line = { amount: '10.00', group, ...(reference !== undefined && { reference }) }
          await importText(accountReport('statement', [line], { id: `G${index}` }))
        }
        for (const one of debits) expect(await operation(one.id)).toMatchObject({ status: 'COMPLETED' })
      }
    })

    it('two files of debits that were booked as one, and are named alone, are both paid', async () => {
      const debits = [await debit(), await debit()]
      for (const { file } of debits) {
        const text = accountReport('statement', [{ amount: '10.00', group: 'G', bookedOn: '2026-11-19' }])
        const message = /<MsgId>([^<]+)/.exec(file)?.[1]
        const named = text.replace('<PmtInfId>G</PmtInfId>', `<MsgId>${message}</MsgId>`)
        expect((await importText(named)).json).toMatchObject({ paid: 1, repeated: 0 })
        expect((await importText(named.replace('<MsgId>TEST', '<MsgId>AGAIN'))).json).toMatchObject({
          repeated: 1,
        })
      }
      for (const one of debits) expect(await operation(one.id)).toMatchObject({ status: 'COMPLETED' })
    })

    it('two debits are paid, whichever of them a file reports first', async () => {
      const checkouts = [await world.createCheckout(), await world.createCheckout()]
      for (const checkout of checkouts) await money.payByDebit(checkout)
      await exported()
      const ids = checkouts.map(({ payment }) => payment.id as string)
      const reference = nextReference()
      const line = (which: number, amount: string) => booked(ids[which] ?? '', amount, { reference })
      await notification(line(1, '10.00'))
      expect((await statement(line(0, '10.00'), line(1, '10.00'))).json).toMatchObject({
        repeated: 1,
        paid: 1,
      })
      for (const one of ids) expect(await operation(one)).toMatchObject({ status: 'COMPLETED' })
      await notification(line(1, '-10.00'))
      expect((await statement(line(0, '-10.00'), line(1, '-10.00'))).json).toMatchObject({
        repeated: 1,
        returned: 1,
      })
      for (const one of ids) expect(await childrenOf(one, 'REFUND')).toHaveLength(1)
    })
  })

  it('with a reference of the bank is one, also where two notifications of a message repeat it', async () => {
    const consumer = await money.consumer(0)
    const line = {
      amount: '7.00',
      reference: nextReference(),
      details: [{ text: consumer.bank_reference, iban }],
    }
    const twice = accountReport('notification', [line]).replace(
      /<Ntfctn>.*<\/Ntfctn>/s,
      (report) => report + report,
    )
    expect(await imported(consumer, twice)).toMatchObject({ transfers: [1], repeated: [1], balance: 7 })
    for (const text of [consumer.bank_reference, `TRF ${consumer.bank_reference}`]) {
      const reported = { amount: text === line.details[0]?.text ? '7.10' : '7.20', details: line.details }
      await statement(reported)
      const known = accountReport('notification', [
        { ...reported, reference: nextReference(), details: [{ text, iban }] },
      ])
      const again = known.replace(/<Ntfctn>.*<\/Ntfctn>/s, (report) => report + report)
      expect((await importText(again)).json).toMatchObject({ transfers: 0, repeated: 2 })
    }
    expect(await money.balanceOf(consumer.email)).toBe(21.3)
    // Some banks give one reference to all lines of a batch.
    const batch = { ...line, reference: nextReference() }
    expect(await imported(consumer, accountReport('statement', [batch, batch]))).toMatchObject({
      ...{ transfers: [2], repeated: [0], balance: 35.3 },
    })
  })

  it('is one where its payer gave it a reference, or we did', async () => {
    const consumer = await money.consumer(0)
    const details = [{ text: consumer.bank_reference, iban, endToEndId: 'INV-77' }]
    const texts = ['E1', 'E2'].map((one) =>
      accountReport('notification', [{ amount: '9.00', details }], { id: one }),
    )
    expect(await imported(consumer, ...texts)).toMatchObject({
      transfers: [1, 0],
      repeated: [0, 1],
      balance: 9,
    })
  })
})

describe('an entry of a notification and a statement without a common reference', () => {
  const iban = 'PT50000201231234567890154'
  const [before, after] = ['TRF ANA SILVA', 'TRF. ANA SILVA -'] as const
  let wallet: string
  const funds = async () => Math.round(Number((await money.funds()).balance) * 100)
  beforeAll(async () => {
    wallet = (await money.funds()).bank_reference
  })
  const arrived = (words: string, amount: string, change: Partial<Line> = {}, from = iban): Line => ({
    amount,
    details: [{ text: `${words} ${wallet}`, iban: from }],
    ...change,
  })
  /** Credits of a file in cents, and the import's result. */
  async function credited(imported: () => Promise<{ json: Json }>): Promise<[number, number, number]> {
    const start = await funds()
    const { json } = await imported()
    return [(await funds()) - start, json.transfers, json.repeated]
  }
  it.each([
    ['a notification, then a statement', notification, statement, 51],
    ['a statement, then a notification', statement, notification, 52],
  ] as const)('%s: one transfer is credited once', async (_, first, second, amount) => {
    const one = amount * 100
    expect(await credited(() => first(arrived(before, `${amount}.10`)))).toEqual([one + 10, 1, 0])
    expect(await credited(() => second(arrived(after, `${amount}.10`)))).toEqual([0, 0, 1])
    expect(await credited(() => second(arrived(after, `${amount}.10`)))).toEqual([0, 0, 1])
    expect(await credited(() => first(arrived(before, `${amount}.10`)))).toEqual([0, 0, 1])
  })

  it.each([
    ['a notification, then a statement', notification, statement, 53],
    ['a statement, then a notification', statement, notification, 54],
  ] as const)('%s: two equal transfers are two', async (_, first, second, amount) => {
    const one = amount * 100
    const text = accountReport(second === statement ? 'statement' : 'notification', [
      arrived(after, `${amount}.20`),
      arrived(after, `${amount}.20`),
    ])
    const reported = (words: string) => arrived(words, `${amount}.20`)
    expect(await credited(() => first(reported(before), reported(before)))).toEqual([2 * (one + 20), 2, 0])
    expect(await credited(() => second(reported(after), reported(after)))).toEqual([0, 0, 2])
    expect(await credited(() => importText(text))).toEqual([0, 0, 2])
    expect(await credited(() => importText(text))).toEqual([0, 0, 2])
    // A third line in only one of the files counts once.
    const third = () => second(reported(after), reported(after), reported(after))
    expect(await credited(third)).toEqual([one + 20, 1, 2])
    expect(await credited(third)).toEqual([0, 0, 3])
    expect(await credited(() => first(reported(before), reported(before), reported(before)))).toEqual([
      0, 0, 3,
    ])
  })

  it('a reference in one of them only does not make two of one', async () => {
    const one = 55_00
    const reference = nextReference()
    expect(await credited(() => notification(arrived(before, '55.30')))).toEqual([one + 30, 1, 0])
    expect(await credited(() => statement(arrived(after, '55.30', { reference })))).toEqual([0, 0, 1])
    expect(await credited(() => statement(arrived(after, '55.40', { reference })))).toEqual([one + 40, 1, 0])
    expect(await credited(() => notification(arrived(before, '55.40')))).toEqual([0, 0, 1])
    expect(await credited(() => notification(arrived(before, '55.50', { reference: 'A' })))).toMatchObject({
      1: 1,
    })
    expect(await credited(() => statement(arrived(after, '55.50', { reference: 'B' })))).toMatchObject({
      1: 1,
    })
  })

  it('the same name comes first, and more differences make two entries', async () => {
    const one = 56_00
    expect(await credited(() => notification(arrived(before, '56.10')))).toEqual([one + 10, 1, 0])
    const both = () => statement(arrived('RENT', '56.10'), arrived(before, '56.10'))
    expect(await credited(both)).toEqual([one + 10, 1, 1])
    expect(await credited(() => notification(arrived('rent.', '56.10')))).toEqual([0, 0, 1])
    for (const other of [
      arrived(after, '56.11'),
      arrived(after, '56.10', {}, 'PT50003300000000012345678'),
      { ...arrived(after, '56.10'), details: [{ text: 'TRF. ANA SILVA - RF18 5390 0754 7034', iban }] },
    ]) {
      expect((await notification(other)).json).toMatchObject({ transfers: 1, repeated: 0 })
    }
  })

  it('without an IBAN in both, only the same words make it the same; other words are the operator’s to say', async () => {
    const unknown = (text: string): Line => ({ amount: '57.10', details: [{ text }] })
    expect((await notification(unknown('Gift from Ana'))).json).toMatchObject({ transfers: 1 })
    const doubt = { transfers: 0, repeated: 0, unmatched: 1 }
    expect((await statement(unknown('Rent of May'))).json).toMatchObject(doubt)
    expect((await statement(unknown('GIFT FROM ANA.'))).json).toMatchObject({ transfers: 0, repeated: 1 })
    expect((await notification(unknown(`a ${wallet}`))).json).toMatchObject({ transfers: 1 })
    expect((await statement(unknown(`b ${wallet}`))).json).toMatchObject(doubt)
    await closed()
  })

  it('two transfers of one payer to two wallets are two; one whose text is cut before its reference is the operator’s to say', async () => {
    const consumer = await money.consumer(0)
    const [own, other] = [`${wallet} ANA`, `PAGAMENTO DA FATURA DE NOVEMBRO ${consumer.bank_reference}`]
    // The numbers of the lines are random, so several amounts come in different orders.
    const amounts = ['58.10', '58.20', '58.30', '58.40', '58.50', '58.60']
    const reported = (text: string) =>
      amounts.map((amount): Line => ({ amount, details: [{ text: text.slice(0, 70), iban }] }))
    const cut = (text: string) =>
      amounts.map((amount): Line => ({ amount, details: [{ text: `TRF ${text}`.slice(0, 40), iban }] }))
    expect((await notification(...reported(own), ...reported(other))).json).toMatchObject({ transfers: 12 })
    expect((await statement(...cut(other), ...cut(own))).json).toMatchObject({
      ...{ transfers: 0, repeated: 6, unmatched: 6 },
    })
    await closed()
  })

  it.each<[string, number, Partial<Line>, Partial<Line>]>([
    ['as a time in UTC, and as a day', 59, { bookedOn: '2026-07-23T23:30:00Z' }, { bookedOn: '2026-07-24' }],
    [
      'as a time in Paris, and as a day',
      60,
      { bookedOn: '2026-07-24T00:30:00.5+02:00' },
      { bookedOn: '2026-07-23' },
    ],
    [
      'as a time of no place, and as a day',
      61,
      { bookedOn: '2026-07-24T00:30:00' },
      { bookedOn: '2026-07-24' },
    ],
    ['of its value only, and of its booking', 62, { bookedOn: null }, {}],
    ['with an empty reference', 63, { reference: '000000' }, { reference: '0' }],
  ])('a day that is reported %s, is the same', async (_, euros, first, second) => {
    const one = euros * 100 + 10
    expect(await credited(() => notification(arrived(before, `${euros}.10`, first)))).toEqual([one, 1, 0])
    expect(await credited(() => statement(arrived(after, `${euros}.10`, second)))).toEqual([0, 0, 1])
    expect(await credited(() => statement(arrived(after, `${euros}.10`, second)))).toEqual([0, 0, 1])
  })

  it('equal transfers of two days are two, also without a real reference or booking day', async () => {
    for (const [amount, change] of [
      ['64.10', { reference: '0' }],
      ['64.20', { bookedOn: null }],
    ] as const)
      for (const day of ['2026-11-23', '2026-11-24']) {
        const line = arrived(before, amount, { bookedOn: day, valueOn: day, ...change })
        expect((await statement(line)).json).toMatchObject({ transfers: 1, repeated: 0 })
        expect((await statement(line)).json).toMatchObject({ repeated: 1 })
      }
  })

  it('without any day and reference it is the operator’s to say whether it came before', async () => {
    const line = (text: string) => arrived(text, '65.10', { bookedOn: null, valueOn: null })
    expect(await credited(() => notification(line(before)))).toEqual([0, 0, 0])
    expect((await statement(line(after))).json).toMatchObject({ transfers: 0, unmatched: 1 })
    const { entries } = (await world.cli('bank', 'unmatched')).json
    const [entry, other] = entries.filter(({ problem }: Json) => problem.includes('without a day'))
    expect(await credited(() => world.cli('bank', 'resolve', entry.entry_id, '--as-transfer'))).toMatchObject(
      {
        0: 6510,
      },
    )
    await world.cli('bank', 'resolve', other.entry_id, '--note', 'reported before')
  })

  it('an order that came back is reported once, also where one of them does not say why', async () => {
    const { id } = await debit()
    await statement(booked(id))
    const details = { endToEndId: endToEndId(id) }
    await notification({ amount: '-10.00', details: [{ ...details, text: 'DEVOLUCAO', reason: 'MD06' }] })
    expect(
      (await statement({ amount: '-10.00', details: [{ ...details, text: 'DEV. DD' }] })).json,
    ).toMatchObject({
      ...{ repeated: 1, unmatched: 0 },
    })
  })

  it('a paid order is reported once, with any text', async () => {
    const { id } = await debit()
    const reported = (text: string) =>
      booked(id, '10.00', { details: [{ endToEndId: endToEndId(id), text }] })
    const { reference: _, ...plain } = reported('order')
    const { reference: __, ...other } = reported('Order.')
    expect((await notification(plain)).json).toMatchObject({ paid: 1, repeated: 0 })
    expect((await statement(other)).json).toMatchObject({ paid: 0, repeated: 1, unmatched: 0 })
  })
})

describe('a payout', () => {
  const payOut = async (): Promise<string> => {
    const wallet = String(world.shop.wallet_id)
    const { json } = await world.cli('payout', '--wallet', wallet, '--amount', '5.00')
    expect(json).toMatchObject({ amount: '-5.00' })
    await exported()
    return json.operation_id
  }

  it.each([
    ['DU01', '<StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>'],
    ['DU05', '<StsRsnInf><Rsn><Cd>DU05</Cd></Rsn></StsRsnInf>'],
    [
      'NARR with words',
      '<StsRsnInf><Rsn><Cd>NARR</Cd></Rsn><AddtlInf>Ficheiro</AddtlInf><AddtlInf>duplicado</AddtlInf></StsRsnInf>',
    ],
    ['a code of its own', '<StsRsnInf><Rsn><Prtry>DUPLICATE_FILE</Prtry></Rsn></StsRsnInf>'],
    [
      'NARR, received before',
      '<StsRsnInf><Rsn><Cd>NARR</Cd></Rsn><AddtlInf>Message has already been received</AddtlInf></StsRsnInf>',
    ],
    [
      'NARR followed by AM05',
      '<StsRsnInf><Rsn><Cd>NARR</Cd></Rsn><AddtlInf>see code</AddtlInf></StsRsnInf><StsRsnInf><Rsn><Cd>AM05</Cd></Rsn></StsRsnInf>',
    ],
  ])('of a file that was sent twice stays with its first copy: %s', async (_, reasons) => {
    await statement(booked((await debit()).id))
    const { json } = await world.cli('payout', '--wallet', String(world.shop.wallet_id), '--amount', '5.00')
    const id: string = json.operation_id
    const report = statusReport(await exported(), { status: 'RJCT', reasons })
    expect((await importText(report)).json).toMatchObject({ matched: 0, unmatched: 1, returned: 0 })
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    const hinted = async () =>
      (await world.cli('bank', 'unmatched')).json.orders.filter((one: Json) => one.operation_id === id)
    expect(await hinted()).toMatchObject([
      { hint: expect.stringContaining('received it before'), amount: '5.00' },
    ])
    await statement(booked(id, '-5.00'))
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    expect(await hinted()).toEqual([])
  })

  it.each(['RVNM', 'RVMC'])('with an unverified payee, %s, waits with a hint', async (status) => {
    await statement(booked((await debit()).id))
    const { json } = await world.cli('payout', '--wallet', String(world.shop.wallet_id), '--amount', '5.00')
    const orders = [{ operationId: json.operation_id as string, status }]
    await importText(statusReport(await exported(), { orders }))
    expect(await operation(json.operation_id)).toMatchObject({ status: 'PENDING' })
    expect((await world.cli('bank', 'unmatched')).json.orders).toContainEqual(
      expect.objectContaining({ operation_id: json.operation_id, hint: expect.stringContaining(status) }),
    )
    await statement(booked(json.operation_id, '-5.00'))
  })

  it('is paid by a booked entry, and a later return is a separate operation', async () => {
    await statement(booked((await debit()).id))
    const id = await payOut()
    await statement(booked(id, '-5.00', { code: 'PMNT/ICDT/ESCT' }))
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', amount: -5 })
    const before = Number((await money.funds()).balance)
    const details = [{ endToEndId: endToEndId(id), reason: 'AC04' }]
    const back = booked(id, '5.00', { code: 'PMNT/ICDT/RRTN', details })
    expect((await statement(back)).json).toMatchObject({ matched: 1, returned: 1, transfers: 0 })
    await notification(back)
    const [returned, ...others] = await childrenOf(id, 'WALLETFUNDS')
    expect(others).toEqual([])
    expect(returned).toMatchObject({ status: 'COMPLETED', amount: 5, fee: 0 })
    expect(await money.callbackOf(returned.id, 'COMPLETED')).toMatchObject({
      type: 'WALLETFUNDS',
      parent_operation_id: id,
      error: 'account_closed',
    })
    expect(Number((await money.funds()).balance)).toBe(before + 5)
  })

  it.each([
    ['below', (lines: Line[]) => lines],
    ['above', (lines: Line[]) => lines.toReversed()],
  ])(
    'that comes back in the file of its payment, %s it, fails, and leaves the balance whole',
    async (_where, listed) => {
      await statement(booked((await debit()).id))
      const { balance, on_its_way } = await money.funds()
      const id = await payOut()
      const details = [{ endToEndId: endToEndId(id), reason: 'AC01' }]
      const lines = listed([booked(id, '-5.00'), booked(id, '5.00', { details })])
      expect((await statement(...lines)).json).toMatchObject({ entries: 2, matched: 2, unmatched: 0 })
      expect(await operation(id)).toMatchObject({ status: 'FAIL' })
      expect(await money.funds()).toMatchObject({ balance, on_its_way })
    },
  )
})

describe('a refund', () => {
  const refunded = async (): Promise<{ payment: string; refund: string }> => {
    const { id } = await debit()
    await statement(booked(id))
    const { body } = await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 4 })
    expect(body).toMatchObject({ status: 'PENDING', amount: -4 })
    await exported()
    return { payment: id, refund: body.id }
  }

  it('is a transfer, COMPLETED once it is booked, and given back to the merchant when it comes back', async () => {
    const { payment, refund } = await refunded()
    const before = Number((await money.funds()).balance)
    await statement(booked(refund, '-4.00'))
    expect(await operation(refund)).toMatchObject({ status: 'COMPLETED' })
    expect(Number((await money.funds()).balance)).toBeCloseTo(before - 4)
    const details = [{ endToEndId: endToEndId(refund), reason: 'AC06' }]
    await statement(booked(refund, '4.00', { details }))
    const [returned] = await childrenOf(refund, 'REFUND')
    expect(returned).toMatchObject({ status: 'COMPLETED', amount: 4, method: 'SEPA' })
    expect(await money.callbackOf(returned.id, 'COMPLETED')).toMatchObject({ parent_operation_id: refund })
    expect(Number((await money.funds()).balance)).toBeCloseTo(before)
    expect(await childrenOf(payment, 'REFUND')).toHaveLength(1)
  })

  const cameBack = (id: string) =>
    booked(id, '-10.00', { details: [{ endToEndId: endToEndId(id), reason: 'MD06' }] })

  it('that was sent before the debit came back whole is reported to the operator', async () => {
    const { payment, refund } = await refunded()
    await statement(booked(refund, '-4.00'))
    expect((await statement(cameBack(payment))).json).toMatchObject({ entries: 1, returned: 1 })
    const amounts = (await childrenOf(payment, 'REFUND')).map(({ amount }) => amount)
    expect(amounts.sort()).toEqual([-4, -6])
    const { json } = await world.cli('bank', 'unmatched')
    const twice = json.entries.find(({ problem }: Json) => problem.includes('had been refunded by transfer'))
    expect(twice).toMatchObject({ amount: '4.00', direction: 'debit', end_to_end_id: endToEndId(payment) })
    await world.cli('bank', 'resolve', twice.entry_id, '--note', 'the shop pays it')
  })

  it('that was sent before the debit came back whole makes one return of it, in both kinds of files', async () => {
    const { payment, refund } = await refunded()
    await statement(booked(refund, '-4.00'))
    const reported = (text: string): Line => ({
      amount: '-10.00',
      details: [{ endToEndId: endToEndId(payment), reason: 'MD06', text }],
    })
    expect((await notification(reported('DEVOLUCAO'))).json).toMatchObject({ returned: 1 })
    expect((await statement(reported('DEV. DD -'))).json).toMatchObject({ repeated: 1, unmatched: 0 })
    const { entries } = (await world.cli('bank', 'unmatched')).json
    const about = entries.filter(({ end_to_end_id }: Json) => end_to_end_id === endToEndId(payment))
    expect(about).toMatchObject([{ amount: '4.00' }])
    await world.cli('bank', 'resolve', about[0].entry_id, '--note', 'the shop pays it')
  })

  it('that came back is withdrawn with the rest when the debit comes back whole', async () => {
    const before = Number((await money.funds()).balance)
    const { payment, refund } = await refunded()
    await statement(booked(refund, '-4.00'))
    const details = [{ endToEndId: endToEndId(refund), reason: 'AC04' }]
    await statement(booked(refund, '4.00', { details }))
    expect(await operation(payment)).toMatchObject({ refundable: true })
    const { body } = await world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: 6.01 })
    expect(body).toMatchObject({ code: 40015 })
    const unmatched = (await world.cli('bank', 'unmatched')).json.entries.length
    expect((await statement(cameBack(payment))).json).toMatchObject({ entries: 1, returned: 1, unmatched: 0 })
    const amounts = (await childrenOf(payment, 'REFUND')).map(({ amount }) => amount)
    expect(amounts.sort()).toEqual([-10, -4])
    // The fee is not refunded.
    expect(Number((await money.funds()).balance)).toBeCloseTo(before - 0.3)
    expect((await world.cli('bank', 'unmatched')).json.entries).toHaveLength(unmatched)
    expect(await operation(payment)).toMatchObject({ refundable: false })
  })

  const owedFor = async (payment: string): Promise<Json> => {
    const { json } = await world.cli('bank', 'unmatched')
    return json.entries.find(({ end_to_end_id }: Json) => end_to_end_id === endToEndId(payment))
  }
  const neverArrived = (refund: string) =>
    statement(booked(refund, '4.00', { details: [{ endToEndId: endToEndId(refund), reason: 'AC04' }] }))

  it('that comes back after the debit did fails: the wallet owes it as the operator was informed, and once', async () => {
    const before = Number((await money.funds()).balance)
    const { payment, refund } = await refunded()
    await statement(cameBack(payment))
    await neverArrived(refund)
    expect(await operation(refund)).toMatchObject({ status: 'FAIL' })
    const again = await world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: 4 })
    expect(again.body).toMatchObject({ code: 30007 })
    await world.advance('PT1H')
    expect(Number((await money.funds()).balance)).toBeCloseTo(before + 4 - 0.3)
    const owed = await owedFor(payment)
    expect(owed).toMatchObject({ amount: '4.00', direction: 'debit' })
    await world.cli('bank', 'resolve', owed.entry_id, '--note', 'the shop pays it')
  })

  it('that is in no file when the debit comes back is a part of that, and goes into none', async () => {
    const { id } = await debit()
    await statement(booked(id))
    const { body: refund } = await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 4 })
    await statement(cameBack(id))
    await world.advance('PT10M')
    expect(await operation(refund.id)).toMatchObject({ status: 'COMPLETED' })
    expect((await world.cli('bank', 'export')).json.files).toEqual([])
    const amounts = (await childrenOf(id, 'REFUND')).map(({ amount }) => amount)
    expect(amounts.sort()).toEqual([-4, -6])
  })

  it('that was sent returns in the file of the debit, and another in no file: together they are the return', async () => {
    const before = Number((await money.funds()).balance)
    const { payment, refund } = await refunded()
    const { body: unsent } = await world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: 3 })
    await statement(
      booked(refund, '-4.00'),
      booked(refund, '4.00', { details: [{ endToEndId: endToEndId(refund), reason: 'AC04' }] }),
      cameBack(payment),
    )
    for (const advance of ['PT1M', 'PT20M', 'PT2H']) await world.advance(advance)
    expect(await operation(unsent.id)).toMatchObject({ status: 'COMPLETED' })
    expect((await world.cli('bank', 'export')).json.files).toEqual([])
    // Only the fee is left, and nobody owes anything.
    expect(Number((await money.funds()).balance)).toBeCloseTo(before - 0.3)
    expect((await world.cli('bank', 'unmatched')).json.entries).toEqual([])
  })

  it('that is in no file takes nothing beyond what came back, when one that was sent comes back after that', async () => {
    const before = Number((await money.funds()).balance)
    const { payment, refund } = await refunded()
    await world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: 3 })
    await statement(cameBack(payment))
    await neverArrived(refund)
    for (const advance of ['PT1M', 'PT20M', 'PT2H']) await world.advance(advance)
    // Ten came back. The operator already knew of four, so six are taken.
    expect(Number((await money.funds()).balance)).toBeCloseTo(before + 4 - 0.3)
    const owed = await owedFor(payment)
    await world.cli('bank', 'resolve', owed.entry_id, '--note', 'the shop pays it')
  })

  it('that the bank refuses fails, and can be asked for again', async () => {
    const { payment, refund } = await refunded()
    const details = [{ endToEndId: endToEndId(refund), reason: 'AC04' }]
    await statement(booked(refund, '4.00', { details }))
    expect(await operation(refund)).toMatchObject({ status: 'FAIL' })
    const { body } = await world.shop.post(`/api/v2/operations/${payment}/refund`, { amount: 10 })
    expect(body).toMatchObject({ status: 'PENDING', amount: -10 })
    await exported()
  })
})

describe('money that arrives', () => {
  it('tops up the wallet that its text names, once', async () => {
    const consumer = await money.consumer(0)
    const line = {
      amount: '7.50',
      reference: nextReference(),
      code: 'PMNT/RCDT/ESCT',
      details: [{ text: `Saldo ${consumer.bank_reference}`, iban: 'PT50000201230000000001087' }],
    }
    expect((await statement(line)).json).toMatchObject({ matched: 1, transfers: 1 })
    await notification(line)
    expect(await money.balanceOf(consumer.email)).toBe(7.5)
  })

  it('tops up the wallet of a separate reference', async () => {
    const consumer = await money.consumer(0)
    const structured = consumer.bank_reference.replaceAll(' ', '')
    const iban = 'PT50000201230000000001087'
    expect((await notification({ amount: '8.50', details: [{ structured }] })).json).toMatchObject({
      transfers: 1,
    })
    const whole = { amount: '8.50', details: [{ text: 'Carregamento', structured, iban }] }
    // Only one of the two files names the payer.
    expect((await statement(whole)).json).toMatchObject({ transfers: 0, repeated: 0, unmatched: 1 })
    const [entry] = (await world.cli('bank', 'unmatched')).json.entries.filter(
      ({ amount }: Json) => amount === '8.50',
    )
    await world.cli('bank', 'resolve', entry.entry_id, '--note', 'reported before')
    expect(await money.balanceOf(consumer.email)).toBe(8.5)
    const another = [{ text: 'Carregamento', structured, iban }]
    await statement({ amount: '1.50', reference: nextReference(), details: another })
    expect(await money.balanceOf(consumer.email)).toBe(10)
  })

  it('goes to the wallet of the reference in its text, with any digits after it', async () => {
    const { bank_reference: wallet, balance } = await money.funds()
    // The next digit would make it the reference of another wallet.
    expect(walletsNamedIn(`${wallet} 4 de novembro`)).toHaveLength(2)
    await statement({ amount: '3.10', details: [{ text: `${wallet} 4 de novembro` }] })
    expect(Number((await money.funds()).balance)).toBeCloseTo(Number(balance) + 3.1)
  })

  it('is kept when its text names nobody, to be assigned', async () => {
    const consumer = await money.consumer(0)
    await statement({ amount: '3.00', reference: nextReference(), details: [{ text: 'for the boat' }] })
    const { json } = await world.cli('bank', 'transfers', '--unassigned')
    const kept = json.transfers.find(({ text }: Json) => text === 'for the boat')
    await world.cli('bank', 'assign', kept.transfer_id, '--wallet', String(consumer.wallet_id))
    expect(await money.balanceOf(consumer.email)).toBe(3)
  })
})

describe('an unmatched entry', () => {
  const listed = async (problem: string): Promise<Json> => {
    const { json } = await world.cli('bank', 'unmatched')
    return json.entries.find((entry: Json) => entry.problem.includes(problem))
  }

  async function inSuspense(): Promise<number> {
    const { text } = await world.request('/metrics')
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    return Math.round(100 * Number(/^comporta_suspense_euros (.*)$/m.exec(text)?.[1]))
  }

  it('is listed with the problem, and closed with a note', async () => {
    const { id } = await debit()
    const before = await inSuspense()
    expect((await statement(booked(id, '9.99'))).json).toMatchObject({ unmatched: 1, matched: 0 })
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    const entry = await listed('has another amount')
    expect(await inSuspense()).toBe(before + 999)
    expect(entry).toMatchObject({ amount: '9.99', direction: 'credit', end_to_end_id: endToEndId(id) })
    expect((await world.cli('bank', 'resolve', entry.entry_id)).code).toBe(2)
    const closing = ['bank', 'resolve', entry.entry_id, '--note', 'the bank corrects it'] as const
    expect((await world.cli(...closing)).code).toBe(0)
    expect(await listed('has another amount')).toBeUndefined()
    expect(await inSuspense()).toBe(before)
    expect(await world.cli(...closing)).toMatchObject({ code: 1, json: { error: { kind: 'not_found' } } })
  })

  it('names several orders and a wallet: the operator sees the candidates, and no wallet is credited', async () => {
    const [one, two] = [(await debit()).id, (await debit()).id]
    const { bank_reference: wallet, balance } = await money.funds()
    const text = `${wallet} ${endToEndId(one)} ${endToEndId(two)}`
    const line = { amount: '20.00', reference: nextReference(), details: [{ text }] }
    expect((await statement(line)).json).toMatchObject({ matched: 0, transfers: 0, unmatched: 1 })
    const entry = await listed('it names several orders')
    expect(entry).toMatchObject({ amount: '20.00', direction: 'credit' })
    expect(entry.problem).toContain(one)
    expect(entry.problem).toContain(two)
    expect(await money.funds()).toMatchObject({ balance })
    await world.cli('bank', 'resolve', entry.entry_id, '--note', 'both were paid by one line')
    await statement(booked(one), booked(two))
  })

  it('is money that went out without an order; money without details can be made a transfer', async () => {
    await statement({ amount: '-12.00', reference: nextReference(), details: [{ text: 'bank charges' }] })
    const charges = await listed('money went out')
    expect(await world.cli('bank', 'resolve', charges.entry_id, '--as-transfer')).toMatchObject({ code: 1 })
    const before = await inSuspense()
    await statement({ amount: '8.00', reference: nextReference() })
    expect(await inSuspense()).toBe(before + 800)
    const entry = await listed('without its transactions')
    expect((await world.cli('bank', 'resolve', entry.entry_id, '--as-transfer')).code).toBe(0)
    expect(await inSuspense()).toBe(before)
    const { json } = await world.cli('bank', 'transfers', '--unassigned')
    expect(json.transfers.map(({ transfer_id }: Json) => transfer_id)).toContain(entry.entry_id)
  })

  it('is a credit of nothing, which no wallet can be given', async () => {
    const text = `wallet ${world.shop.wallet_id}`
    const line = (extra: Partial<Line>) => ({ amount: '0.00', reference: nextReference(), ...extra })
    expect((await statement(line({ details: [{ text }] }))).json).toMatchObject({
      matched: 0,
      unmatched: 1,
      transfers: 0,
    })
    const entry = await listed('no money came in: its amount is 0.00')
    expect(entry).toMatchObject({ amount: '0.00', direction: 'credit' })
    const asTransfer = ['bank', 'resolve', entry.entry_id, '--as-transfer'] as const
    expect(await world.cli(...asTransfer)).toMatchObject({ code: 1 })
    expect((await world.cli('bank', 'resolve', entry.entry_id, '--note', 'a notice')).code).toBe(0)
  })
})

describe('an entry that is not understood is the operator’s, and the others of its file are booked', () => {
  const iban = 'PT50000201231234567890154'
  const amounts = (...all: string[]) =>
    all.map((amount, index) => ({ amount, endToEndId: `X${index}`, iban }))
  const one = (change: Partial<Line> = {}): Line => ({
    ...{ amount: '12.16', reference: nextReference(), details: [{ text: 'odd one' }] },
    ...change,
  })
  const charges = '<Chrgs><Rcrd><Amt Ccy="EUR">1.00</Amt><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>'
  it.each<[string, Line, (text: string) => string, string, string]>([
    [
      'with charges within it',
      one({ details: amounts('11.16') }),
      (text) => text.replace('</Amt><CdtDbtInd>', `</Amt>${charges}<CdtDbtInd>`),
      '12.16',
      'its transactions sum up to 11.16, with charges of 1.00, and it is over 12.16',
    ],
    [
      'with several transactions without amounts',
      one({ details: [{ endToEndId: 'A' }, { endToEndId: 'B' }] }),
      (text) => text,
      '12.16',
      'one of its several transactions has no amount',
    ],
    [
      'with several transactions that have only instructed amounts',
      one({ details: amounts('6.00', '6.16') }),
      (text) =>
        text.replaceAll(
          /<Amt Ccy="EUR">(6[.\d]+)<\/Amt><CdtDbtInd>CRDT<\/CdtDbtInd>/g,
          '<AmtDtls><InstdAmt><Amt Ccy="EUR">$1</Amt></InstdAmt></AmtDtls>',
        ),
      '12.16',
      'one of its several transactions has no amount',
    ],
    [
      'in two currencies',
      one({ details: amounts('6.00', '6.16') }),
      (text) => text.replace('"EUR">6.16', '"USD">6.16'),
      '12.16',
      'one of its several transactions is in USD',
    ],
    [
      'in another currency',
      one(),
      (text) => text.replace('"EUR">12.16', '"USD">12.16'),
      '0.00',
      'its amount is 12.16 USD, the account is in EUR',
    ],
    [
      'without its amount',
      one(),
      (text) => text.replace('<Amt Ccy="EUR">12.16</Amt>', ''),
      '0.00',
      'Ntry has no Amt',
    ],
    [
      'with a sign',
      one(),
      (text) => text.replace('"EUR">12.16', '"EUR">-12.16'),
      '0.00',
      'Amt is not an amount of at most two decimals: -12.16',
    ],
    [
      'of which a transaction goes the other way',
      one({ details: amounts('14.00', '1.84') }),
      (text) => text.replace('1.84</Amt><CdtDbtInd>CRDT', '1.84</Amt><CdtDbtInd>DBIT'),
      '12.16',
      'one of its transactions goes the other way',
    ],
    [
      'of an unknown direction',
      one(),
      (text) => text.replace('12.16</Amt><CdtDbtInd>CRDT', '12.16</Amt><CdtDbtInd>C'),
      '0.00',
      'CdtDbtInd must be CRDT or DBIT, and is C: its amount is 12.16',
    ],
    [
      'of an unknown status',
      one(),
      (text) => text.replace(/(12.16.*?<Sts><Cd>)BOOK/, '$1DONE'),
      '0.00',
      'it is unclear whether it is booked: its status is DONE, its amount 12.16',
    ],
    ...(
      [
        ['on a day that does not exist', '2026-02-30'],
        ['on a day that the database does not know', '0000-11-24'],
      ] as const
    ).map(
      ([name, day]) =>
        [name, one({ bookedOn: day }), (text: string) => text, '12.16', `BookgDt is not a date: ${day}`] as [
          string,
          Line,
          (text: string) => string,
          string,
          string,
        ],
    ),
    [
      'with NUL in it',
      one({ details: [{ text: 'thanks &#0;' }] }),
      (text) => text,
      '12.16',
      'Ustrd has a character that cannot be stored: U+0000',
    ],
    [
      'with half of a character in it',
      one({ details: [{ text: 'thanks &#xD83D;' }] }),
      (text) => text,
      '12.16',
      'Ustrd has a character that cannot be stored: U+D83D',
    ],
  ])('%s', async (_, line, changed, amount, problem) => {
    const { id } = await debit()
    const odd = changed(accountReport('statement', [line, booked(id)]))
    expect((await importText(odd)).json).toMatchObject({ entries: 2, matched: 1, unmatched: 1, paid: 1 })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    const { entries } = (await world.cli('bank', 'unmatched')).json
    const kept = entries.filter(({ servicer_reference }: Json) => servicer_reference === line.reference)
    expect(kept).toMatchObject([{ amount, problem: expect.stringMatching(/^line \d+: /) }])
    expect(kept[0].problem).toContain(problem)
    expect((await importText(odd.replace('<MsgId>', '<MsgId>X'))).json).toMatchObject({ repeated: 2 })
    await world.cli('bank', 'resolve', kept[0].entry_id, '--note', 'asked the bank')
  })

  it('is booked once a file reports it so that it is understood', async () => {
    const { id } = await debit()
    const reference = nextReference()
    const details = (amount: string) => [{ endToEndId: endToEndId(id), amount }]
    const line = { amount: '10.00', reference, details: details('9.00') }
    expect((await notification(line)).json).toMatchObject({ unmatched: 1, paid: 0 })
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    expect((await statement({ ...line, details: details('10.00') })).json).toMatchObject({ paid: 1 })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    const { entries } = (await world.cli('bank', 'unmatched')).json
    expect(entries.filter((one: Json) => one.servicer_reference === reference)).toEqual([])
  })
})

describe('an entry that is not understood, and one that may be the same', () => {
  const iban = 'PT50000201231234567890154'
  const ofConsumer = async () => {
    const { email, bank_reference: text } = await money.consumer(0)
    const details = ['50.00', '40.00'].map((amount) => ({ amount, text, iban }))
    return { balance: () => money.balanceOf(email), line: { amount: '90.00', details } }
  }
  const unclear = (text: string) => text.replace('</Sts>', '</Sts><RvslInd>maybe</RvslInd>')
  const undated = (text: string) =>
    text.replace(/(?<=<BookgDt><Dt>)[-0-9]+/, '2026-02-30').replace(/<ValDt>.*?<.ValDt>/, '')
  const listed = async () =>
    (await world.cli('bank', 'unmatched')).json.entries.filter(({ amount }: Json) => Number(amount) >= 40)
  let statements = 0
  const statementOf = (line: Line) => accountReport('statement', [line], { id: `K${statements}` })

  it.each<[string, (text: string) => string]>([
    ['an unclear reversal', unclear],
    ['another sum', (text) => text.replace('"EUR">40.00', '"EUR">39.00')],
    ['a day that does not exist', undated],
  ])('with %s: the corrected file waits, and names the entry', async (_, changed) => {
    statements += 1
    const { line, balance } = await ofConsumer()
    const text = statementOf(line)
    expect((await importText(changed(statementOf(line)))).json).toMatchObject({ unmatched: 1 })
    const [first] = await listed()
    expect((await importText(text)).json).toMatchObject({ transfers: 0, unmatched: 2 })
    expect((await importText(text.replace('<MsgId>', '<MsgId>X'))).json).toMatchObject({ repeated: 2 })
    const corrected = (await listed()).filter(({ entry_id }: Json) => entry_id !== first.entry_id)
    expect(corrected).toHaveLength(2)
    await world.cli('bank', 'resolve', first.entry_id, '--note', 'corrected')
    for (const { entry_id, problem } of corrected) {
      expect(problem).toContain(`it may repeat entry ${first.entry_id} of `)
      await world.cli('bank', 'resolve', entry_id, '--as-transfer')
    }
    expect(await balance()).toBe(90)
  })

  it('waits too if the first entry is a transfer already, but not if it is closed', async () => {
    for (const [changed, how, transfers] of [
      [unclear, ['--as-transfer'], 0],
      [undated, ['--as-transfer'], 0],
      [unclear, ['--note', 'the bank sends it again'], 2],
    ] as const) {
      statements += 1
      const { line, balance } = await ofConsumer()
      await importText(changed(statementOf(line)))
      const [first] = await listed()
      await world.cli('bank', 'resolve', first.entry_id, ...how)
      expect((await importText(statementOf(line))).json).toMatchObject({
        transfers,
        unmatched: 2 - transfers,
      })
      expect(await balance()).toBe(90)
      await closed()
    }
  })

  it('names the credited one, if that came before', async () => {
    statements += 1
    const { line, balance } = await ofConsumer()
    await importText(statementOf(line))
    await importText(unclear(statementOf(line)))
    const [entry] = await listed()
    expect(entry.problem).toMatch(/RvslInd must be true or false.*it may repeat entry \S+ of /)
    expect(await balance()).toBe(90)
    await world.cli('bank', 'resolve', entry.entry_id, '--note', 'credited before')
  })
})

describe('a file of which a part does not fit is imported, and the part is the operator’s', () => {
  /** Lines for the operator with this problem. Closes them. */
  async function listed(problem: string): Promise<Json[]> {
    const { entries } = (await world.cli('bank', 'unmatched')).json
    const found = entries.filter((entry: Json) => entry.problem.includes(problem))
    for (const { entry_id } of found)
      expect((await world.cli('bank', 'resolve', entry_id, '--note', 'asked the bank')).code).toBe(0)
    return found
  }

  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`
  it.each([
    [
      'another number of entries',
      '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>',
      'it states 2 entries and has 1',
    ],
    [
      'balances to which its entries do not lead',
      balance('OPBD', '100.00') + balance('CLBD', '111.00'),
      'its entries do not lead from its opening to its closing balance',
    ],
  ])('a statement that states %s', async (name, extra, problem) => {
    const { id } = await debit()
    const text = accountReport('statement', [booked(id)], { extra, id: name })
    const counts = { entries: 2, matched: 1, unmatched: 1, repeated: 0, paid: 1 }
    expect(await importText(text)).toMatchObject({ code: 0, json: counts })
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
    expect((await importText(text.replace('<MsgId>', '<MsgId>X'))).json).toMatchObject({
      ...{ entries: 2, matched: 0, unmatched: 0, repeated: 2 },
    })
    expect(await listed(problem)).toMatchObject([
      { amount: '0.00', problem: expect.stringMatching(/^line \d+: /), text: expect.stringContaining(name) },
    ])
  })

  it('one of several statements that states another number of entries', async () => {
    const debits = [await debit(), await debit()]
    const extra = '<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries></TtlNtries></TxsSummry>'
    const [first, second] = debits.map(({ id }, index) =>
      accountReport('statement', [booked(id)], { id: `OF-TWO-${index}`, ...(index === 1 && { extra }) }),
    ) as [string, string]
    const both = first.replace('</Stmt>', `$&${/<Stmt>.*<\/Stmt>/s.exec(second)?.[0]}`)
    expect((await importText(both)).json).toMatchObject({ entries: 3, matched: 2, unmatched: 1, paid: 2 })
    expect(await listed('it states 3 entries and has 1')).toMatchObject([
      { text: expect.stringContaining('OF-TWO-1') },
    ])
  })

  /** Two debits of one file and one group. */
  async function two(): Promise<{ ids: [string, string]; file: string }> {
    const ids = [await ordered(), await ordered()] as [string, string]
    return { ids, file: await exported() }
  }
  const named = (name: string, status: string, reason = 'AM04') =>
    `<TxInfAndSts><OrgnlEndToEndId>${name}</OrgnlEndToEndId><TxSts>${status}</TxSts><StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts>`
  const hintOf = async (id: string) => {
    const { orders } = (await world.cli('bank', 'unmatched')).json
    return orders.find(({ operation_id }: Json) => operation_id === id)?.hint
  }

  it('a status report with an order that is not ours: the others are answered', async () => {
    const { ids, file } = await two()
    const [id, other] = ids
    const orders = [{ operationId: id, status: 'RJCT', reason: 'AC04' }]
    const text = statusReport(file, { orders }).replace('</OrgnlPmtInfAndSts>', `${named('X-17', 'RJCT')}$&`)
    const counts = { entries: 3, unmatched: 2, returned: 1 }
    expect(await importText(text)).toMatchObject({ code: 0, json: counts })
    expect(await operation(id)).toMatchObject({ status: 'FAIL' })
    expect(await operation(other)).toMatchObject({ status: 'PENDING' })
    expect(await hintOf(other)).toBe('the bank rejects a part of its file (AM04) without a name that we know')
    await importText(text.replace('<MsgId>', '<MsgId>X'))
    expect(await listed('no order of ours has this name')).toMatchObject([
      { amount: '0.00', problem: expect.stringMatching(/^line \d+: /), text: 'X-17 RJCT AM04' },
    ])
    await statement(booked(other))
  })

  it('a status report with a group that is not ours: the others are answered', async () => {
    const { ids, file } = await two()
    const own = statusReport(file, { group: { status: 'RJCT', reason: 'AC04' } })
    const group = /<OrgnlPmtInfAndSts>.*<\/OrgnlPmtInfAndSts>/s.exec(own)?.[0] ?? ''
    const foreign = group.replace(/(?<=<OrgnlPmtInfId>)[^<]+/, (name) => `${name}7`.slice(1))
    expect((await importText(own.replace(group, foreign))).json).toMatchObject({ returned: 0, unmatched: 3 })
    for (const id of ids) expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    const hint = 'the bank rejects a part of its file (AC04) without a name that we know'
    for (const id of ids) expect(await hintOf(id)).toBe(hint)
    expect((await importText(own.replace(group, foreign + group))).json).toMatchObject({ returned: 2 })
    for (const id of ids) expect(await operation(id)).toMatchObject({ status: 'FAIL' })
    expect(await listed('no group of its file has this name')).toHaveLength(1)
  })

  it.each([
    ['its file', { status: 'RJCT', reason: 'AC04', orders: [] }],
    ['its group', { group: { status: 'RJCT', reason: 'AC04' } }],
    ['its file, and names a group', { status: 'RJCT', reason: 'AC04', group: {} }],
  ])(
    'a status report that refuses %s, but accepts an order that is not ours, frees nothing',
    async (_, says) => {
      const { ids, file } = await two()
      const text = statusReport(file, says)
      const end = text.includes('</OrgnlPmtInfAndSts>') ? '</OrgnlPmtInfAndSts>' : '</CstmrPmtStsRpt>'
      const json = { returned: 0, unmatched: 3 }
      expect((await importText(text.replace(end, `${named('X-18', 'ACCP')}$&`))).json).toMatchObject(json)
      for (const id of ids) {
        expect(await operation(id)).toMatchObject({ status: 'PENDING' })
        expect(await hintOf(id)).toContain('the bank rejects a part of its file (AC04)')
      }
      await listed('no order of ours has this name')
      await statement(...ids.map((id) => booked(id)))
    },
  )

  it.each<[string, (file: string, of: readonly [string, string]) => string]>([
    [
      'names one order as executed and as refused',
      (file, [, id]) =>
        statusReport(file, {
          orders: [
            { operationId: id, status: 'ACSC' },
            { operationId: id, status: 'RJCT', reason: 'AC04' },
          ],
        }),
    ],
    [
      'refuses its file, of which it names an executed order',
      (file, [id]) =>
        statusReport(file, { status: 'RJCT', reason: 'AC04', orders: [{ operationId: id, status: 'ACSC' }] }),
    ],
    [
      'refuses its group, of which it names an executed order and a refused one',
      (file, [id, other]) =>
        statusReport(file, {
          group: { status: 'RJCT', reason: 'AC04' },
          orders: [
            { operationId: id, status: 'ACSC' },
            { operationId: other, status: 'RJCT', reason: 'AC04' },
          ],
        }),
    ],
  ])('a status report that %s, contradicts itself and frees nothing', async (_, reported) => {
    const { ids, file } = await two()
    expect((await importText(reported(file, ids))).json).toMatchObject({ returned: 0 })
    for (const id of ids) expect(await operation(id)).toMatchObject({ status: 'PENDING' })
    expect(await hintOf(ids[1])).toBe(
      'the bank rejects a part of its file (AC04), but its report accepts that part or an order in it',
    )
    await statement(...ids.map((id) => booked(id)))
    for (const id of ids) expect(await operation(id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('a status report with an order of another file of ours names that file', async () => {
    const debits = [await debit(), await debit()] as const
    const [{ file }, other] = debits
    const orders = [{ operationId: other.id, status: 'RJCT', reason: 'AC04' }]
    expect((await importText(statusReport(file, { orders }))).json).toMatchObject({ returned: 0 })
    const message = /<MsgId>([^<]+)/.exec(other.file)?.[1]
    expect(await listed(`this order belongs to the file ${message}`)).toHaveLength(1)
    await statement(...debits.map(({ id }) => booked(id)))
  })

  it('a status report that names no file, and orders of two files', async () => {
    const debits = [await debit(), await debit()]
    const orders = debits.map(({ id }) => ({ operationId: id, status: 'RJCT', reason: 'AC04' }))
    const text = statusReport(debits[0]?.file ?? '', { orders })
      .replace(/<OrgnlMsgId>[^<]+/, '<OrgnlMsgId>NOTPROVIDED')
      .replace(/<OrgnlPmtInfId>[^<]+/, '<OrgnlPmtInfId>NOTPROVIDED')
    const { json } = await importText(text.replace(/<OrgnlGrpInfAndSts>.*<\/OrgnlGrpInfAndSts>/s, ''))
    expect(json).toMatchObject({ entries: 2, matched: 2, returned: 2 })
    for (const { id } of debits) expect(await operation(id)).toMatchObject({ status: 'FAIL' })
  })
})

describe('a file is refused whole, and changes nothing', () => {
  it.each([
    ['of another account', { account: { iban: 'NL41MOCK0000000001' } }, 'ours is PT50000201231234567890154'],
    [
      'of another bank',
      { account: { iban: 'PT50000201231234567890154', bic: 'OTHEPTPL' } },
      'it comes from the bank OTHEPTPL',
    ],
    [
      'in another currency',
      { account: { iban: 'PT50000201231234567890154', currency: 'USD' } },
      'the account is in USD',
    ],
  ])('%s', async (_, how, problem) => {
    const { id } = await debit()
    const { code, json } = await importText(accountReport('statement', [booked(id)], how))
    expect(code).toBe(1)
    expect(json.error).toMatchObject({ kind: 'file_refused' })
    expect(json.error.reason).toMatch(/line \d+: /)
    expect(json.error.reason).toContain(problem)
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
  })

  it('half of it, none of it, another message, and none that is there', async () => {
    const { id } = await debit()
    const text = accountReport('statement', [booked(id)])
    for (const [part, problem] of [
      [
        text.slice(0, text.indexOf('<Ntry')),
        /completely: line \d+: not well-formed XML: unclosed [^"]+ Document, [\w, ]+$/,
      ],
      ['', /completely: not well-formed XML: missing root element$/],
      ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'a document type is not allowed'],
      ['<Document><FIToFICstmrCdtTrf/></Document>', 'FIToFICstmrCdtTrf is not supported'],
    ] as const) {
      const { code, json } = await importText(part)
      expect(code).toBe(1)
      expect(json.error.reason).toMatch(problem)
    }
    const missing = await world.cli('bank', 'import', join(world.dataDir, 'none.xml'))
    expect(missing).toMatchObject({ code: 1, json: { error: { kind: 'file_refused' } } })
    expect(await operation(id)).toMatchObject({ status: 'PENDING' })
  })

  it('a status report about a file that was not written here', async () => {
    const { code, json } = await importText(statusReport('<MsgId>SOMEBODY</MsgId>', { status: 'RJCT' }))
    expect(code).toBe(1)
    expect(json.error.reason).toContain('about the file SOMEBODY, which was not written here')
  })
})
