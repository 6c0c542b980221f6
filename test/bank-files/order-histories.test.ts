// Random histories of orders, reported by the bank and settled by hand: each is booked once.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bankFileChecks } from '../../src/bank-files/audit.ts'
import { createSettlingByHand, type SettlingByHand } from '../../src/bank-files/by-hand/settle.ts'
import { importBankFile } from '../../src/bank-files/incoming/import.ts'
import { addBankOrder } from '../../src/bank-files/index.ts'
import { formatOf } from '../../src/bank-files/pain.ts'
import { gatherFile, markWritten } from '../../src/bank-files/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { suspenseChecks } from '../../src/suspense/audit.ts'
import { suspenseAccounts } from '../../src/suspense/index.ts'
import { accountReport, endToEndId, type Line } from '../bank-statements.ts'
import { createPostgresDatabase } from '../database.ts'

let database: Database
let byHand: SettlingByHand
let imported: (file: Uint8Array) => Promise<void>

const iban = 'PT50000201231234567890154'
const otherIban = 'PT50000201230000000001087'

beforeAll(async () => {
  database = openPostgres({ url: await createPostgresDatabase() })
  const accounts = await suspenseAccounts(createLedger({ database }))
  const deps = { database, clock: systemClock, suspenseAccounts: async () => accounts }
  const creditor = { name: 'Comporta', iban, bic: 'SBOXPTPL', id: 'PT00ZZZ000000' }
  byHand = createSettlingByHand({
    ...{ ...deps, random: systemRandomness, settleAloneMax: cents(1_000_000) },
    follow: async () => undefined,
  })
  imported = async (file) => {
    expect(await importBankFile({ ...deps, creditor }, 'from-bank.xml', file)).toMatchObject({ ok: true })
  }
})
afterAll(() => database.close())

const kinds = ['statement', 'notification'] as const
type Kind = (typeof kinds)[number]

/** The facts of an order that an entry shows: all, all but the amount, all but the reference, or none. */
const details = fc.constantFrom('whole', 'whole', 'bare', 'unnamed', 'none')

/** A booked line of an order. */
const booking = fc.record({
  hasReference: fc.boolean(),
  reportedBy: fc.constantFrom<readonly Kind[]>(kinds, ['statement'], ['notification']),
  details: fc.record({ statement: details, notification: details }),
})
type Booking = typeof booking extends fc.Arbitrary<infer T> ? T : never

const fate = fc.record({
  kind: fc.constantFrom('collection', 'transfer'),
  paid: fc.option(booking, { nil: undefined }),
  /** The bank carries the order out twice. */
  isDoubled: fc.boolean(),
  returned: fc.option(booking, { nil: undefined }),
  /** The bank charge in the return, and the charge settled by hand. */
  charge: fc.constantFrom(0, 0, 350),
  fee: fc.constantFrom(0, 350, 200),
  byHand: fc.constantFrom<readonly ('paid' | 'returned')[]>(
    [],
    [],
    ['paid'],
    ['returned'],
    ['paid', 'returned'],
  ),
})
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never

const encodings = ['UTF-8', 'ISO-8859-1', 'windows-1252', 'UTF-16LE', 'UTF-16BE'] as const

const history = fc.record({
  fates: fc.array(fate, { minLength: 1, maxLength: 4 }),
  encodings: fc.array(fc.constantFrom(...encodings), { minLength: 3, maxLength: 3 }),
  /** Whether files have a statement of another account too, with the same lines. */
  otherAccount: fc.constantFrom('none', 'before', 'after'),
  order: fc.array(fc.nat(99), { minLength: 16, maxLength: 16 }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

interface Order {
  readonly id: string
  readonly operationId: string
  readonly amount: number
  readonly fate: Fate
}

const walletId = 1000n
/**
 * No two orders of a run have lines of equal amounts, also with a charge of 350. A line without a reference could be
 * one of another history otherwise.
 */
const amountStep = 11
let nextAmount = 1000
const createdAt = systemClock.now()

async function ordersOf({ fates }: History): Promise<Order[]> {
  const orders = fates.map((one) => {
    nextAmount += amountStep
    return { id: randomUUID(), operationId: randomUUID(), amount: nextAmount, fate: one }
  })
  for (const {
    id,
    operationId,
    amount,
    fate: { kind },
  } of orders)
    await addBankOrder(database, {
      ...({ id, walletId, operationId, amount: cents(amount), currency: 'EUR', remittance: 'shop' } as const),
      ...{ party: { name: 'Ana', iban: otherIban }, dueOn: '2026-11-24', createdAt },
      ...(kind === 'collection'
        ? { kind, mandate: { id: 'M', signedOn: '2026-11-20' } }
        : { kind: 'transfer' }),
    })
  for (const kind of ['collection', 'transfer'] as const) {
    const file = await gatherFile(
      database,
      { id: randomUUID(), kind, name: randomUUID(), createdAt, format: formatOf(kind) },
      10,
    )
    if (file !== undefined) await markWritten(database, file.id, createdAt)
  }
  return orders
}

const euros = (amount: number) => (amount / 100).toFixed(2)

/** A line as a file of a kind reports it. @param reference of the bank, if it gives one */
function lineOf(order: Order, which: 'paid' | 'returned', kind: Kind, reference: string | undefined): Line {
  const { amount, fate: ofOrder, operationId } = order
  const said = (ofOrder[which] as Booking).details[kind]
  const isOut = (ofOrder.kind === 'collection') === (which === 'returned')
  const charge = which === 'returned' ? ofOrder.charge : 0
  // The bank adds the charge to money that goes out, and keeps it from money that comes in.
  const booked = isOut ? -amount - charge : amount - charge
  return {
    ...{ amount: euros(booked), ...(reference !== undefined && { reference }) },
    ...(charge > 0 && { charge: euros(charge) }),
    ...(said !== 'none' && {
      details: [
        {
          text: 'Débito à vista',
          ...(said !== 'unnamed' && { endToEndId: endToEndId(operationId) }),
          ...(said !== 'bare' && { amount: euros(amount) }),
          ...(which === 'returned' && { reason: 'AC04' }),
        },
      ],
    }),
  }
}

/** Whether the report of a line answers its order. */
function isClear(order: Order, which: 'paid' | 'returned', kind: Kind): boolean {
  const said = order.fate[which]?.details[kind]
  return said === 'whole' || (said === 'bare' && (which === 'paid' || order.fate.charge === 0))
}

interface Step {
  readonly order: Order
  readonly which: 'paid' | 'returned'
  /** Undefined: a person answers by hand. */
  readonly file?: { readonly kind: Kind; readonly reference: string | undefined; readonly bytes: Uint8Array }
}

function encoded(text: string, encoding: (typeof encodings)[number]): Uint8Array {
  const declared = text.replace(
    'encoding="UTF-8"',
    `encoding="${encoding.slice(0, 6) === 'UTF-16' ? 'UTF-16' : encoding}"`,
  )
  if (encoding === 'UTF-8') return Buffer.from(declared)
  if (!encoding.startsWith('UTF-16')) return Buffer.from(declared, 'latin1')
  const wide = Buffer.from(`\uFEFF${declared}`, 'utf16le')
  return encoding === 'UTF-16LE' ? wide : wide.swap16()
}

function withOther(text: string, where: History['otherAccount']): string {
  return text.replace(/<(Stmt|Ntfctn)>.*<\/\1>/s, (report) => {
    const other = report.replaceAll(iban, otherIban)
    return { none: report, before: other + report, after: report + other }[where]
  })
}

function stepsOf(
  { encodings: ways, otherAccount, order: places }: History,
  orders: readonly Order[],
): Step[] {
  const steps = orders.flatMap((order): Step[] => {
    const { fate: ofOrder, operationId } = order
    const files = (['paid', 'returned'] as const).flatMap((which) => {
      const booked = ofOrder[which]
      const copies = booked === undefined ? [] : which === 'paid' && ofOrder.isDoubled ? ['', ' again'] : ['']
      return copies.flatMap((copy) =>
        (booked?.reportedBy ?? []).map((kind, index): Step => {
          const reference =
            booked?.hasReference === true || copy !== '' ? `${operationId} ${which}${copy}` : undefined
          const text = accountReport(kind, [lineOf(order, which, kind, reference)], { id: operationId })
          const way = ways[(index + order.amount) % ways.length] ?? 'UTF-8'
          return {
            order,
            which,
            file: { kind, reference, bytes: encoded(withOther(text, otherAccount), way) },
          }
        }),
      )
    })
    return [...files, ...ofOrder.byHand.map((which) => ({ order, which }))]
  })
  return steps
    .map((step, index) => ({ step, at: places[index % places.length] ?? 0 }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ step }) => step)
}

const selectAnswers = statement<{ id: string; answer: string | null }>(
  'select id, answer from bank_orders where id = any($1::uuid[]) order by id',
)
const selectEntries = statement<{ id: string; order_id: string | null; direction: string; amount: bigint }>(`
  select id, order_id, direction, amount from bank_entries
  where place like any($1::text[]) or order_id = any($2::uuid[]) order by id`)

async function stateOf(orders: readonly Order[]) {
  const places = orders.map(({ operationId }) => `%${operationId}%`)
  const ids = orders.map(({ id }) => id)
  return {
    answers: await database.run(selectAnswers, [ids]),
    entries: await database.run(selectEntries, [places, ids]),
  }
}

/** Does all of it; answers what files and people have said of each order. */
async function taken(steps: readonly Step[]): Promise<Map<string, Set<string>>> {
  const said = new Map(steps.map(({ order }) => [order.id, new Set<string>()]))
  /** If a line has a reference, the first report with its transactions counts. */
  const decided = new Set<string>()
  for (const { order, which, file } of steps) {
    if (file === undefined) {
      const settlement = {
        answer: which,
        fee: cents(order.fate.fee),
        reason: 'letter',
        by: 'ana@example.com',
      }
      if ((await byHand.settle(order.id, settlement)).ok) said.get(order.id)?.add(`hand ${which}`)
      continue
    }
    await imported(file.bytes)
    const isFirst = file.reference === undefined || !decided.has(file.reference)
    const hasTransactions = order.fate[which]?.details[file.kind] !== 'none'
    if (file.reference !== undefined && hasTransactions) decided.add(file.reference)
    if (isFirst && isClear(order, which, file.kind)) said.get(order.id)?.add(`file ${which}`)
  }
  return said
}

type State = Awaited<ReturnType<typeof stateOf>>

function expectOrder(
  { id, amount, fate: { kind, charge, fee } }: Order,
  said: ReadonlySet<string>,
  { answers, entries }: State,
): void {
  const isSaid = (which: string) => said.has(`file ${which}`) || said.has(`hand ${which}`)
  const expected = isSaid('returned') ? 'returned' : isSaid('paid') ? 'paid' : null
  expect(answers.find((one) => one.id === id)?.answer ?? null).toBe(expected)
  for (const which of ['paid', 'returned']) {
    const direction = (kind === 'collection') === (which === 'paid') ? 'credit' : 'debit'
    const own = entries.filter((one) => one.order_id === id && one.direction === direction)
    expect(own.length).toBeLessThanOrEqual(1)
    for (const one of own) expect(Number(one.amount)).toBe(amount)
    // A file confirms an answer by hand, unless it names another charge.
    const isConfirmed = said.has(`file ${which}`) && said.has(`hand ${which}`)
    const agree = which === 'paid' || fee === 0 || charge === 0 || fee === charge
    if (isConfirmed && agree) expect(own).toHaveLength(1)
  }
}

/** The number of histories in each run. Set `HISTORIES=5000` for more. */
const numRuns = Number(process.env.HISTORIES ?? 40)
const millisecondsEachMax = 4000

it(
  'each order has the answer that a file or a person gave, and each booking of the bank is kept',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (asked) => {
        const orders = await ordersOf(asked)
        const steps = stepsOf(asked, orders)
        const said = await taken(steps)
        const { answers, entries } = await stateOf(orders)
        for (const order of orders) expectOrder(order, said.get(order.id) ?? new Set(), { answers, entries })
        for (const { file } of steps.toReversed()) if (file !== undefined) await imported(file.bytes)
        expect(await stateOf(orders)).toEqual({ answers, entries })
      }),
      { numRuns },
    )
    // This test has no operations to which the orders belong.
    const checks = [...bankFileChecks, ...suspenseChecks].filter(
      ({ name }) => name !== 'bank_orders_are_for_something',
    )
    for (const check of checks) expect((await check.run(database)).findings).toEqual([])
  },
  numRuns * millisecondsEachMax,
)
