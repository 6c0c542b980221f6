// Production with its own entity by files.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deathNote } from '../../src/kernel/crash-points.ts'
import { accountReport } from '../bank-statements.ts'
import { kills } from '../crashes/kills.ts'
import type { GatewayProcess } from '../gateway-process.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from './world.ts'

const entity = '12345'
const folder = mkdtempSync(join(tmpdir(), 'comporta-multibanco-'))
const [inbox, outbox] = [join(folder, 'in'), join(folder, 'out')]

type Entry = Readonly<Record<string, string>>

let world: ProductionWorld
let gateway: GatewayProcess
let shop: TestMerchant
let lastFileId = '000000000'
let files = 0

beforeAll(async () => {
  world = await createProductionWorld()
  shop = await world.merchant('Loja', 'MB', { rights: 'partner', permissions: 'mb_reference' })
  const settings = { entity, source: '50000001', destination: '50000002', inbox, outbox, write_from: '0' }
  const options = Object.entries(settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
  expect(await world.command(['rails', 'set', 'multibanco-files', ...options])).toMatchObject({ code: 1 })
  await world.cli('rails', 'set', 'multibanco-files', ...options, '--allow-unproven')
})
afterAll(async () => {
  await world?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Paid {
  readonly ref: string
  readonly cents: number
  readonly fee?: number
  readonly time?: string
  readonly logNumber?: number
}

const pad = (value: number | string, length: number) => String(value).padStart(length, '0')
const lisbonNow = () =>
  new Date().toLocaleString('sv-SE', { timeZone: 'Europe/Lisbon' }).replaceAll(/\D/g, '').slice(0, 12)

function detail({ ref, cents, fee = 20, time = lisbonNow(), logNumber = 0 }: Paid): string {
  const terminal = `A1${'0000012345'}00007${'LISBOA'.padEnd(15)}`
  return `2${'01'}${'0007'}${pad(logNumber, 8)}${time}${pad(cents, 10)}${pad(fee, 5)}${terminal}${ref}11${pad(1, 12)}   `
}

function meps(
  paid: readonly Paid[],
  change: { fileId?: string; previous?: string; entity?: string; footer?: (line: string) => string } = {},
): string {
  files += 1
  const { fileId = pad(`2026${pad(files, 4)}1`, 9), previous = lastFileId } = change
  const header = `0MEPS${'50000002'}${'50000001'}${fileId}${previous}${change.entity ?? entity}978`
  const lines = paid.map((one, index) => detail({ logNumber: index + 1, ...one }))
  const total = paid.reduce((sum, { cents }) => sum + cents, 0)
  const fees = paid.reduce((sum, { fee = 20 }) => sum + fee, 0)
  const footer = `9${pad(paid.length, 8)}${pad(total, 17)}${pad(fees, 12)}${pad(Math.round(fees * 0.23), 12)}`
  const all = [header, ...lines, (change.footer ?? ((line) => line))(footer)]
  return all.map((line) => `${line.padEnd(100)}\r\n`).join('')
}

function deliver(name: string, text: string): void {
  mkdirSync(inbox, { recursive: true })
  writeFileSync(join(inbox, name), text, 'latin1')
}

async function exchange() {
  const { files: exchanged } = (await world.cli('rails', 'exchange')) as {
    files: { kind: string; file: string; detail: string }[]
  }
  return exchanged
}

async function take(paid: readonly Paid[]): Promise<string> {
  const text = meps(paid)
  lastFileId = text.slice(21, 30)
  deliver(`MEPS${lastFileId}.txt`, text)
  expect(await exchange()).toMatchObject([{ kind: 'taken', detail: expect.stringContaining('payments') }])
  return text
}

async function pay(amount: number, more: object = {}) {
  const { status, body } = await shop.call('/api/v2/mb/pay', { amount, currency: 'EUR', ...more })
  expect([status, body]).toEqual([200, expect.anything()])
  return { id: String(body.id), ref: String(body.mb.ref), expires: String(body.expires) }
}
const statusOf = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body.status

async function suspense() {
  const { entries } = (await world.cli('suspense', 'list')) as { entries: Record<string, unknown>[] }
  return entries
}

async function booksAreRight(): Promise<void> {
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
}

it('publishes new references in the file of the day', async () => {
  gateway = await world.start()
  const once = await pay(12.5)
  const { body: many } = await shop.call('/api/v2/mb/reference', { min_amount: 5, max_amount: 50 })
  expect(many.mb.entity).toBe(entity)
  let text = ''
  await expect
    .poll(async () => {
      await exchange()
      const [name] = readdirSync(outbox)
      text = name === undefined ? '' : readFileSync(join(outbox, name), 'latin1')
      return text
    })
    .toContain(once.ref)
  const lines = text.split('\r\n')
  expect(lines.pop()).toBe('')
  expect(lines.map(({ length }) => length)).toEqual(lines.map(() => 50))
  const today = lisbonNow().slice(0, 8)
  expect(lines[0]?.trimEnd()).toBe(`0AEPS5000000150000002${today}1000000000${entity}978`)
  const lastDay = once.expires.slice(0, 10).replaceAll('-', '')
  const line = lines.find((one) => one.includes(once.ref))
  expect(line).toMatch(new RegExp(`^180${once.ref}${lastDay}0000001250\\d{8}0000001250 {2}$`))
  expect(lines.at(-1)?.trimEnd()).toBe(`9${pad(lines.length - 2, 8)}`)
  await pay(1)
  await exchange()
  expect(readdirSync(outbox).filter((name) => name.startsWith('AEPS'))).toHaveLength(1)
})

it('counts reported payments once, with their fees', async () => {
  const [one, other] = [await pay(12.5), await pay(20)]
  const text = await take([
    { ref: one.ref, cents: 1250 },
    { ref: other.ref, cents: 2000, fee: 35 },
  ])
  expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['COMPLETED', 'COMPLETED'])
  deliver('again.txt', text)
  expect(await exchange()).toMatchObject([{ kind: 'repeated' }])
  expect(await suspense()).toEqual([])
  expect(readdirSync(join(inbox, 'done'))).toHaveLength(2)
  await booksAreRight()
})

it('keeps wrong payments in suspense', async () => {
  const [paid, wrong] = [await pay(10), await pay(10)]
  await take([
    { ref: paid.ref, cents: 1000 },
    { ref: paid.ref, cents: 1000 },
    { ref: wrong.ref, cents: 999 },
    { ref: '000000000', cents: 500 },
  ])
  const entries = await suspense()
  expect(entries.map(({ reason, amount }) => [reason, amount]).sort()).toEqual([
    ['badamount', '9.99'],
    ['duplicatepayment', '10.00'],
    ['unknown_reference', '5.00'],
  ])
  expect(await statusOf(wrong.id)).toBe('PENDING')
  const { entry_id: unknown } = entries.find(({ reason }) => reason === 'unknown_reference') ?? {}
  expect(await world.command(['suspense', 'assign', String(unknown)])).toMatchObject({ code: 1 })
  const assigned = await world.cli('suspense', 'assign', String(unknown), '--wallet', String(shop.id))
  expect(await statusOf(String(assigned.operation_id))).toBe('COMPLETED')
  await booksAreRight()
})

it('returns a wrong payment by the bank, and reopens it after the bank’s return', async () => {
  const iban = 'NL41MOCK0000000001'
  const account = { iban, bic: 'MOCKNL2A' }
  const settings = { name: 'Comporta Lda', creditor_id: 'DE98ZZZ09999999999', ...account }
  const options = Object.entries(settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
  await world.cli('rails', 'set', 'bank-files', ...options)
  const { entry_id: id } = (await suspense()).find(({ reason }) => reason === 'badamount') ?? {}
  const refund = [
    'suspense',
    'refund',
    String(id),
    '--iban',
    'PT50000201231234567890154',
    '--name',
    'Ana Silva',
  ]
  expect(await world.cli(...refund)).toMatchObject({ state: 'REFUNDING', refunded_by: 'transfer' })
  const exported = (await world.cli('bank', 'export')) as { files: { path: string }[] }
  const order = readFileSync(exported.files[0]?.path ?? '', 'utf8')
  expect(order).toContain('>9.99<')
  const endToEndId = /<EndToEndId>(.*?)<\/EndToEndId>/.exec(order)?.[1] ?? ''
  const stateOf = async () => {
    const { entries } = (await world.cli('suspense', 'list', '--all')) as {
      entries: Record<string, unknown>[]
    }
    return entries.find(({ entry_id }) => entry_id === id)
  }
  const booked = async (amount: string, reason?: string) => {
    const line = { amount, reference: `R ${amount}`, details: [{ endToEndId, ...(reason && { reason }) }] }
    await world.cli('bank', 'import', world.file(accountReport('statement', [line], { account })))
  }
  await booked('-9.99')
  await expect.poll(stateOf).toMatchObject({ state: 'REFUNDED' })
  await booksAreRight()
  await booked('9.99', 'AC04')
  await expect.poll(stateOf).toMatchObject({ state: 'OPEN', problem: 'account_closed' })
  await booksAreRight()
  expect(await world.cli(...refund)).toMatchObject({ state: 'REFUNDING' })
  const next = (await world.cli('bank', 'export')) as { files: { path: string }[] }
  expect(readFileSync(next.files[0]?.path ?? '', 'utf8')).not.toContain(endToEndId)
  await booksAreRight()
})

describe('a whole file is refused, with the line', () => {
  const footerWith = (at: number, digits: string) => (line: string) =>
    line.slice(0, at) + digits + line.slice(at + digits.length)

  it.each([
    ['another entity', { entity: '99999' }, 'line 1: its entity is 99999, ours is 12345'],
    [
      'a file missing before it',
      { previous: '202601019' },
      'line 1: it follows the file 202601019, but the last one',
    ],
    ['a wrong count', { footer: footerWith(1, pad(2, 8)) }, 'line 3: it counts 2 payments, but there are 1'],
    ['a wrong total', { footer: footerWith(9, pad(1001, 17)) }, 'line 3: its total is 1001 cents'],
    ['wrong fees', { footer: footerWith(26, pad(19, 12)) }, 'line 3: its fees are 19 cents'],
    ['another file of its id', { fileId: 'last' }, 'was taken before as'],
  ] as const)('%s', async (_, change, why) => {
    const { id, ref } = await pay(10)
    const isOfLast = 'fileId' in change
    deliver('wrong.txt', meps([{ ref, cents: 1000 }], isOfLast ? { fileId: lastFileId } : change))
    expect(await exchange()).toMatchObject([{ kind: 'refused', detail: expect.stringContaining(why) }])
    expect(await statusOf(id)).toBe('PENDING')
    const refused = readdirSync(join(inbox, 'refused')).filter(
      (name) => name.endsWith('.txt.txt') || /\.txt\.\d+\.txt$/.test(name),
    )
    expect(refused.length).toBeGreaterThan(0)
  })

  it.each([
    [
      'a letter in an amount',
      (line: string) => line.replace('0000001000', '00000010O0'),
      'line 2: the amount (columns 28 to 37)',
    ],
    ['a line too short', (line: string) => line.slice(0, 99), 'line 2: it has 99 columns'],
    [
      'an invalid day',
      (line: string) => `${line.slice(0, 15)}202613010000${line.slice(27)}`,
      'line 2: there is no time',
    ],
  ])('%s', async (_, change, why) => {
    const { ref } = await pay(10)
    const [header = '', line = '', ...rest] = meps([{ ref, cents: 1000 }]).split('\r\n')
    deliver('damaged.txt', [header, change(line), ...rest].join('\r\n'))
    expect(await exchange()).toMatchObject([{ kind: 'refused', detail: expect.stringContaining(why) }])
  })

  it('a file that is too large', async () => {
    const path = join(inbox, 'large.txt')
    deliver('large.txt', '')
    truncateSync(path, 17 * 1024 ** 2)
    utimesSync(path, 0, 0)
    const detail = 'it has 17825792 bytes; the limit is 16 MiB'
    expect(await exchange()).toMatchObject([{ kind: 'refused', file: 'large.txt', detail }])
  })

  it('an incomplete file is refused after a wait', async () => {
    const { ref } = await pay(10)
    deliver('growing.txt', meps([{ ref, cents: 1000 }]).slice(0, 150))
    expect(await exchange()).toEqual([])
    const before = Date.now() / 1000 - 120
    utimesSync(join(inbox, 'growing.txt'), before, before)
    expect(await exchange()).toMatchObject([{ kind: 'refused' }])
  })
})

it('exchanges files once among several processes', async () => {
  const paid = []
  for (let n = 0; n < 6; n++) paid.push(await pay(4))
  const before = (await suspense()).length
  for (const { ref } of paid) {
    // The second payment of each is wrong.
    const text = meps([
      { ref, cents: 400 },
      { ref, cents: 400 },
    ])
    lastFileId = text.slice(21, 30)
    deliver(`MEPS${lastFileId}.txt`, text)
  }
  deliver('strange.txt', meps([], { entity: '99999' }))
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => world.spawned(['rails', 'exchange', '--json'])),
  )
  expect(answers.map(({ code, err }) => [code, err])).toEqual(Array(3).fill([0, expect.anything()]))
  const said = answers.flatMap(({ json }) => json.files as { kind: string; file: string }[])
  const taken = said.filter(({ kind }) => kind === 'taken').map(({ file }) => file)
  expect(taken.length).toBeLessThanOrEqual(6)
  expect(new Set(taken).size).toBe(taken.length)
  expect(readdirSync(inbox).filter((name) => name.endsWith('.txt'))).toEqual([])
  // The running gateway exchanges files too, and can write the reason a moment later.
  const strange = () => readdirSync(join(inbox, 'refused')).filter((name) => name.startsWith('strange'))
  await expect.poll(() => strange().sort()).toEqual(['strange.txt', 'strange.txt.txt'])
  await expect.poll(async () => (await suspense()).length).toBe(before + 6)
  for (const { id } of paid) expect(await statusOf(id)).toBe('COMPLETED')
  await booksAreRight()
})

it.each(kills.suspense)('is assigned once, though the command dies at "%s" (%i)', async (point, count) => {
  const { ref } = await pay(2)
  await take([
    { ref, cents: 200 },
    { ref, cents: 210 },
  ])
  const entryOf = async () => {
    const { entries } = (await world.cli('suspense', 'list', '--all')) as { entries: Entry[] }
    return entries.find((entry) => entry.amount === '2.10' && entry.reference === `${entity} ${ref}`)
  }
  const { entry_id: entry = '' } = (await entryOf()) ?? {}
  const assign = ['suspense', 'assign', entry, '--json']
  expect((await world.spawned(assign, '', `${point}:${count}`)).err).toContain(deathNote(point))
  const again = await world.command(assign)
  if (again.code !== 0) expect(again.err).toContain('is not open any more')
  expect(await entryOf()).toMatchObject({ state: 'ASSIGNED' })
  const payment = String((await entryOf())?.operation_id)
  await expect.poll(() => statusOf(payment)).toBe('COMPLETED')
  await booksAreRight()
})

it('loses and doubles nothing after a kill among the payments of a file', async () => {
  const paid = []
  for (let n = 0; n < 40; n++) paid.push(await pay(3))
  const text = meps(
    paid.flatMap(({ ref }) => [
      { ref, cents: 300 },
      { ref, cents: 300 },
    ]),
  )
  lastFileId = text.slice(21, 30)
  const before = (await suspense()).length
  // The new process reads its folder at the start.
  await gateway.kill()
  deliver('many.txt', text)
  gateway = await world.start()
  await expect.poll(async () => (await suspense()).length).toBeGreaterThan(before)
  await gateway.kill()
  gateway = await world.start()
  await expect.poll(async () => (await suspense()).length).toBe(before + 40)
  for (const { id } of paid) expect(await statusOf(id)).toBe('COMPLETED')
  expect(await exchange()).toEqual([])
  await booksAreRight()
})
