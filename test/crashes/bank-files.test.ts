// The gateway is killed while it writes files for the bank, or imports the bank's answers.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import { accountReport, endToEndId } from '../bank-statements.ts'
import { moneyOf } from '../money.ts'
import { judgesTimes } from '../patience.ts'
import { type Json, startWorld, type World } from '../world.ts'
import { kills } from './kills.ts'

let world: World
const inbox = mkdtempSync(join(tmpdir(), 'comporta-inbox-'))

beforeAll(async () => {
  world = await startWorld('pglite', { BANK_INBOX: inbox })
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
  rmSync(inbox, { recursive: true })
})

it.each(kills.bankFiles)('dies at "%s" (%i)', async (point: CrashPoint, count) => {
  const money = moneyOf(world)
  const checkout = await world.createCheckout()
  await money.payByDebit(checkout)
  const mark = `<EndToEndId>${checkout.payment.id.replaceAll('-', '')}</EndToEndId>`
  await world.armCrash(point, count)
  const writing = world.cli('bank', 'files').catch(() => undefined)
  await world.crashed()
  await writing
  expect(occurrences([mark])).toEqual([point === 'bank file named, not marked' ? 1 : 0])
  await world.restart()
  expect(await world.cli('bank', 'files')).toMatchObject({ code: 0 })
  expect(occurrences([mark])).toEqual([1])
})

it('the next run writes a gathered file under its name', async () => {
  const money = moneyOf(world)
  const checkout = await world.createCheckout()
  await money.payByDebit(checkout)
  // With a file in place of the folder, writing fails as on a full disk: after the orders are collected, before
  // the file is complete.
  const folder = join(world.dataDir, 'bank')
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, '')
  expect((await world.cli('bank', 'files').catch(() => ({ code: 1 }))).code).toBe(1)
  renameSync(folder, `${folder}-file`)
  renameSync(`${folder}-away`, folder)
  expect((await world.cli('bank', 'files')).json.files).toHaveLength(1)
  expect(occurrences([checkout.payment.id.replaceAll('-', '')])).toEqual([1])
})

async function paidDebit(): Promise<{ id: string; statement: string }> {
  const checkout = await world.createCheckout()
  await moneyOf(world).payByDebit(checkout)
  await world.cli('bank', 'export')
  const { id } = checkout.payment
  const details = [{ endToEndId: endToEndId(id) }]
  return { id, statement: accountReport('statement', [{ amount: '10.00', reference: id, details }]) }
}

const isCompleted = (id: string) => () =>
  world.operation(id).then(({ status }: { status: string }) => status === 'COMPLETED')

it.each(kills.bankImports)('dies at "%s" (%i) of an import by command', async (point: CrashPoint, count) => {
  const { id, statement } = await paidDebit()
  const path = join(world.dataDir, 'statement.xml')
  writeFileSync(path, statement)
  await world.armCrash(point, count)
  const importing = world.cli('bank', 'import', path).catch(() => undefined)
  await world.crashed()
  await importing
  await world.restart()
  await world.eventually(isCompleted(id))
  expect((await world.cli('bank', 'import', path)).json).toMatchObject({ entries: 1, repeated: 1 })
})

it.each(kills.bankReturns)(
  'dies at "%s" (%i), and keeps the bank’s reason of a returned debit',
  async (point, count) => {
    const { id, statement } = await paidDebit()
    const path = join(world.dataDir, 'paid.xml')
    writeFileSync(path, statement)
    await world.cli('bank', 'import', path)
    await world.eventually(isCompleted(id))
    const details = [{ endToEndId: endToEndId(id), reason: 'MD01' }]
    const returned = accountReport('statement', [{ amount: '-10.00', reference: `R-${id}`, details }])
    writeFileSync(path, returned)
    await world.armCrash(point, count)
    const importing = world.cli('bank', 'import', path).catch(() => undefined)
    await world.crashed()
    await importing
    await world.restart()
    const refund = await world.eventually(async () => {
      await world.advance('PT1M')
      const { elements } = (await world.shop.get('/api/v2/operations?type=REFUND&method=SEPA')).body
      return elements.find(({ parent, status }: Json) => parent === id && status === 'COMPLETED')
    })
    expect(refund).toMatchObject({ amount: -10, channel: 'BANK' })
    expect(await moneyOf(world).callbackOf(refund.id, 'COMPLETED')).toMatchObject({
      error: 'refused_by_debtor',
    })
  },
)

it.each(kills.bankInbox)(
  'dies at "%s" (%i) of an import from the inbox',
  async (point: CrashPoint, count) => {
    const { id, statement } = await paidDebit()
    const name = `${id}.xml`
    await world.armCrash(point, count)
    writeFileSync(join(inbox, `${name}.part`), statement)
    renameSync(join(inbox, `${name}.part`), join(inbox, name))
    await world.crashed()
    expect(existsSync(join(inbox, name))).toBe(true)
    await world.restart()
    await world.eventually(isCompleted(id))
    await world.eventually(async () => existsSync(join(inbox, 'done', name)))
    expect(existsSync(join(inbox, name))).toBe(false)
  },
)

it('a refused file is moved away with the reason, an incomplete one stays', async () => {
  const { id, statement } = await paidDebit()
  const half = statement.slice(0, statement.length / 2)
  writeFileSync(join(inbox, 'unfinished.xml.part'), half)
  writeFileSync(join(inbox, 'half.xml'), half)
  const reason = join(inbox, 'refused', 'half.xml.txt')
  await world.eventually(async () => existsSync(join(inbox, 'refused', 'half.xml')))
  expect(readFileSync(reason, 'utf8')).toContain('half.xml was refused completely: line')
  expect(readdirSync(inbox)).toContain('unfinished.xml.part')
  expect(await world.operation(id)).toMatchObject({ status: 'PENDING' })
})

/** A file of the largest allowed size, of another account. Reading it takes seconds. */
function largeFile(): string {
  const lines = Array.from({ length: 16_000 }, () => ({ amount: '1.00', details: [{ text: 'rent' }] }))
  return accountReport('statement', lines, { account: { iban: 'NL41MOCK0000000001' } })
}

const isRefused = (name: string) => async () => existsSync(join(inbox, 'refused', name))
const whyRefused = (name: string) => readFileSync(join(inbox, 'refused', `${name}.txt`), 'utf8')

it('nested elements and the largest file delay no request and no payment', async () => {
  const [before = '', after = ''] = accountReport('statement', []).split('</MsgId>')
  const nested = '<a xmlns:b="c">'.repeat(24_000) + '</a>'.repeat(24_000)
  writeFileSync(join(inbox, 'nested.xml'), `${before}${nested}</MsgId>${after}`)
  writeFileSync(join(inbox, 'large.xml'), largeFile())
  let slowestMs = 0
  await world.eventually(async () => {
    const start = performance.now()
    expect((await world.request('/healthz')).status).toBe(200)
    slowestMs = Math.max(slowestMs, performance.now() - start)
    return existsSync(join(inbox, '.large.xml.reading'))
  })
  const checkout = await world.createCheckout()
  await moneyOf(world).payByDebit(checkout)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
  await world.eventually(isRefused('large.xml'))
  await world.eventually(isRefused('nested.xml'))
  expect(whyRefused('nested.xml')).toMatch(/line \d+: its elements are nested more than 100 deep/)
  expect(whyRefused('large.xml')).toContain('it is about the account NL41MOCK0000000001')
  await world.cli('bank', 'export')
  if (judgesTimes) expect(slowestMs).toBeLessThan(100)
})

it('a file that kills its reader is refused, when no process reads it any more', async () => {
  const { id, statement } = await paidDebit()
  const mark = join(inbox, '.deadly.xml.reading')
  writeFileSync(join(inbox, 'deadly.xml'), largeFile())
  await world.eventually(async () => existsSync(mark))
  await world.kill()
  expect(existsSync(join(inbox, 'deadly.xml'))).toBe(true)
  writeFileSync(join(inbox, 'next.xml'), statement)
  await world.restart()
  await world.eventually(isCompleted(id))
  expect(existsSync(join(inbox, 'deadly.xml'))).toBe(true)
  utimesSync(mark, 0, 0)
  await world.eventually(isRefused('deadly.xml'))
  expect(whyRefused('deadly.xml')).toContain('the gateway ended while reading this file')
  expect(existsSync(mark)).toBe(false)
})

it.each([
  ['a text that is not well-formed', async () => undefined],
  [
    'a folder that is in the way',
    async () => {
      renameSync(join(inbox, 'refused'), join(inbox, '.refused'))
      writeFileSync(join(inbox, 'refused.draft'), '')
      renameSync(join(inbox, 'refused.draft'), join(inbox, 'refused'))
    },
  ],
])('a bad file does not block the next one: %s', async (what, before) => {
  const { id, statement } = await paidDebit()
  const bad = `a ${what}.xml`
  const good = `b ${what}.xml`
  await before()
  const lines = [{ amount: '1.00', reference: what }]
  writeFileSync(join(inbox, bad), accountReport('statement', lines, { id: 'no such &entity;' }))
  writeFileSync(join(inbox, good), statement)
  await world.eventually(isCompleted(id))
  await world.eventually(async () => existsSync(join(inbox, 'done', good)))
  if (existsSync(join(inbox, '.refused'))) {
    expect(existsSync(join(inbox, bad))).toBe(true)
    rmSync(join(inbox, 'refused'))
    renameSync(join(inbox, '.refused'), join(inbox, 'refused'))
  }
  const reason = join(inbox, 'refused', `${bad}.txt`)
  await world.eventually(async () => existsSync(join(inbox, 'refused', bad)))
  expect(readFileSync(reason, 'utf8')).toMatch(/refused completely: line \d+: not well-formed XML/)
})

function occurrences(marks: readonly string[]): number[] {
  const folder = join(world.dataDir, 'bank')
  const texts = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.xml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return marks.map((mark) => texts.reduce((sum, text) => sum + text.split(mark).length - 1, 0))
}
