// Random histories of statements and notifications: every cent is credited once.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bankFileChecks } from '../../src/bank-files/audit.ts'
import { importBankFile } from '../../src/bank-files/incoming/import.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { creditorReference } from '../../src/kernel/values/creditor-reference.ts'
import { createLedger } from '../../src/ledger/index.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { suspenseChecks } from '../../src/suspense/audit.ts'
import { suspenseAccounts } from '../../src/suspense/index.ts'
import { accountReport, type Line } from '../bank-statements.ts'
import { createPostgresDatabase } from '../database.ts'

let database: Database
let importText: (text: string) => Promise<unknown>

beforeAll(async () => {
  database = openPostgres({ url: await createPostgresDatabase() })
  const accounts = await suspenseAccounts(createLedger({ database }))
  const deps = {
    database,
    clock: systemClock,
    creditor: { name: 'Comporta', iban: 'PT50000201231234567890154', bic: 'SBOXPTPL', id: 'PT00ZZZ000000' },
    suspenseAccounts: async () => accounts,
  }
  importText = async (text) => {
    const imported = await importBankFile(deps, 'from-bank.xml', text)
    expect(imported).toMatchObject({ ok: true })
    return imported
  }
})
afterAll(() => database.close())

/** There are few payers, amounts and texts, so that most histories have similar lines. */
const booking = fc.record({
  day: fc.constantFrom(0, 1),
  amount: fc.constantFrom(1000, 1000, 1500),
  payer: fc.constantFrom('PT50000201231234567890001', 'PT50000201231234567890002'),
  wallet: fc.constantFrom(0, 1),
  text: fc.constantFrom('RENT', 'FOOD'),
})

const kinds = ['statement', 'notification'] as const
type Kind = (typeof kinds)[number]

/** The differences between a bank's two kinds of files. */
const bank = fc.record({
  /** The bank gives no reference, one for each line, or one for all lines of the day. */
  references: fc
    .record({
      statement: fc.constantFrom('none', 'each', 'day'),
      notification: fc.constantFrom('none', 'each', 'day'),
    })
    .filter((of) => of.statement === of.notification || Object.values(of).includes('none')),
  accounts: fc.constantFrom<readonly Kind[]>(kinds, ['statement'], ['notification']),
  prefix: fc.constantFrom('', 'TRF '),
  /** A statement of each day, or one of all before too, with their balances, or several of a day. */
  statements: fc.constantFrom('days', 'balances', 'parts'),
  /** The bank sends the same notification again under another id. */
  isRepeated: fc.boolean(),
})
type Bank = typeof bank extends fc.Arbitrary<infer T> ? T : never

/** Decision 0013: equal lines under one batch reference are one line if files report the batch in parts. */
const isDecided = ({ references, statements }: Bank) =>
  references.statement !== 'day' || statements !== 'parts'

const history = fc.record({
  bank: bank.filter(isDecided),
  bookings: fc.array(booking, { minLength: 1, maxLength: 6 }),
  /** The number of lines in each notification. */
  sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 6, maxLength: 6 }),
  /** The order in which the files are imported. */
  order: fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }),
})

type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Each history has its own days, references and ids, because all use one database. */
let histories = 0

const firstDay = Date.UTC(2020, 0, 1)
const dayMilliseconds = 86_400_000
const walletReferences = ['CMP1000', 'CMP1001'].map(creditorReference)

/** The files of a bank in the order in which they come; each time one is written it is another message with the same lines. */
function filesOf({ bank, bookings, sizes, order }: History) {
  const number = histories++
  const days = [0, 1].map((day) =>
    new Date(firstDay + (3 * number + day) * dayMilliseconds).toISOString().slice(0, 10),
  )
  const all = bookings.toSorted((a, b) => a.day - b.day).map((one, place) => ({ ...one, place }))
  const lineOf = (kind: Kind, { day, amount, payer, wallet, text, place }: (typeof all)[number]): Line => {
    const references = { none: undefined, each: `${number}-${place}`, day: `${number} ${day}` }
    const reference = references[bank.references[kind]]
    const words = `${kind === 'notification' ? bank.prefix : ''}${text} ${walletReferences[wallet]}`
    return {
      ...{ amount: (amount / 100).toFixed(2), bookedOn: days[day] ?? null, valueOn: days[day] ?? null },
      ...(reference !== undefined && { reference }),
      details: [{ text: words, ...(bank.accounts.includes(kind) && { iban: payer }) }],
    }
  }
  const file = (kind: Kind, lines: typeof all, extra = '') => {
    const id = randomUUID()
    return () =>
      accountReport(
        kind,
        lines.map((one) => lineOf(kind, one)),
        { id, extra },
      )
  }
  const inParts = (kind: Kind) => {
    const rest = [...all]
    const parts: (typeof all)[] = []
    while (rest.length > 0) parts.push(rest.splice(0, sizes[parts.length]))
    return parts.map((part) => file(kind, part))
  }
  const sumBefore = (day: number) =>
    all.filter((one) => one.day < day).reduce((sum, { amount }) => sum + amount, 5000)
  const ofDays = (from: number, to: number) => {
    const lines = all.filter(({ day }) => day >= from && day < to)
    const balances = balance('OPBD', sumBefore(from)) + balance('CLBD', sumBefore(to))
    return lines.length === 0
      ? []
      : [file('statement', lines, bank.statements === 'balances' ? balances : '')]
  }
  const files = [
    ...(bank.statements === 'parts' ? inParts('statement') : [...ofDays(0, 1), ...ofDays(1, 2)]),
    ...(bank.statements === 'balances' ? ofDays(0, 2) : []),
    ...inParts('notification'),
    ...(bank.isRepeated ? inParts('notification').slice(0, 1) : []),
  ]
  const places = files.map((one, index) => ({ one, at: order[index % order.length] ?? 0 }))
  return { days, all, files: places.toSorted((a, b) => a.at - b.at).map(({ one }) => one) }
}

function balance(code: string, amount: number): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${(amount / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-24</Dt></Dt></Bal>`
}

const selectEntries = statement<{ id: string; state: string; amount: bigint; remittance: string }>(`
  select id, state, amount, remittance from bank_entries where booked_on = any($1::date[]) order by id`)

/** The number of histories in each run. Set `HISTORIES=5000` for more. */
const numRuns = Number(process.env.HISTORIES ?? 60)
const millisecondsEachMax = 4000

it(
  'credits incoming money once to the named wallet, or keeps it in suspense',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (asked) => {
        const { days, all, files } = filesOf(asked)
        for (const text of files) await importText(text())
        const entries = await database.run(selectEntries, [days])
        for (const [wallet, reference] of walletReferences.entries()) {
          const sumOf = (...states: string[]) =>
            entries
              .filter(({ state, remittance }) => states.includes(state) && remittance.includes(reference))
              .reduce((sum, { amount }) => sum + Number(amount), 0)
          const came = all.filter((one) => one.wallet === wallet).reduce((sum, { amount }) => sum + amount, 0)
          expect(sumOf('TRANSFER')).toBeLessThanOrEqual(came)
          expect(sumOf('TRANSFER', 'UNMATCHED')).toBeGreaterThanOrEqual(came)
        }
        // A second import of all files, in any order, changes nothing.
        for (const text of files.toReversed()) await importText(text())
        expect(await database.run(selectEntries, [days])).toEqual(entries)
      }),
      { numRuns },
    )
    for (const check of [...bankFileChecks, ...suspenseChecks])
      expect((await check.run(database)).findings).toEqual([])
  },
  numRuns * millisecondsEachMax,
)
