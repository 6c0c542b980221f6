// Statements equal the ledger, to the cent, for bookings of any day.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, type Day, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { cents, sumOf } from '../../src/kernel/money.ts'
import { after, hour, instant, toTimestamp } from '../../src/kernel/time.ts'
import { createLedger, createRollups, merchantAccount } from '../../src/ledger/index.ts'
import { insertOperations, underApproval } from '../../src/operations/for-movements.ts'
import { statementChecks } from '../../src/statements/audit.ts'
import { entriesOfDay, type StatementEntry } from '../../src/statements/entries-store.ts'
import { createDayRollUps } from '../../src/statements/roll-up.ts'
import { statementOf } from '../../src/statements/rules.ts'
import { dayTotals, type Owner, postingsToAddUp } from '../../src/statements/store.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const firstDay = '2026-03-01'
const daysCount = 40
const insertPosting = statement(`
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  values ($1, $2, 'settle', $3, $4, $5, $6)`)
const postedOn = statement<{ total: bigint }>(`
  select coalesce(sum(case $1::bigint when credit_account then amount else -amount end), 0)::bigint as total
  from postings where $1::bigint in (credit_account, debit_account) and created_at < $2`)

const types = ['PAYMENT', 'CAPTURE', 'REFUND', 'WALLETFUNDS', 'USERTRANSFER'] as const
const movement = fc.record({
  type: fc.constantFrom(...types),
  method: fc.constantFrom('CC', 'MB', 'WALLET'),
  wallet: fc.constantFrom(0, 1),
  amount: fc.bigInt(2n, 100_000n),
  /** In percent; a fee may be the whole amount. */
  fee: fc.constantFrom(0n, 1n, 100n),
  isShared: fc.boolean(),
  day: fc.nat(daysCount - 1),
  hour: fc.constantFrom(0, 1, 12, 23),
})
type Movement = typeof movement extends fc.Arbitrary<infer Value> ? Value : never

describe.each(databaseKinds)('statements on %s', (kind) => {
  let database: Database
  let owners: Owner[]
  let clearing: bigint
  let fees: bigint
  let third: bigint

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    const ledger = createLedger({ database })
    owners = await Promise.all(
      [71n, 72n].map(async (walletId) => ({
        walletId,
        accountId: await ledger.numberOf(merchantAccount(walletId)),
      })),
    )
    clearing = await ledger.numberOf({ walletId: 0n, kind: 'clearing:CC' })
    third = await ledger.numberOf(merchantAccount(79n))
    fees = await ledger.numberOf({ walletId: 0n, kind: 'fees' })
  })
  afterAll(() => database.close())

  async function book({ type, method, wallet, amount, fee, isShared, ...when }: Movement): Promise<void> {
    const own = owners[wallet] as Owner
    const other = owners[1 - wallet] as Owner
    const at = after(startOfLisbonDay(addDays(firstDay, when.day)), when.hour * hour)
    const id = randomUUID()
    const isIncome = type === 'PAYMENT' || type === 'CAPTURE'
    const kept = isIncome ? (amount * fee) / 100n : 0n
    const operation = underApproval({
      id,
      walletId: own.walletId,
      type,
      status: 'PENDING',
      method,
      amount: cents(isIncome ? amount : -amount),
      currency: 'EUR',
      channel: 'API',
      createdAt: at,
    })
    await insertOperations(database, [{ operation, claim: undefined }])
    const post = (debit: bigint, credit: bigint, moved: bigint) =>
      moved > 0n && database.run(insertPosting, [own.walletId, id, debit, credit, moved, toTimestamp(at)])
    if (!isIncome) return void (await post(own.accountId, clearing, amount))
    await post(clearing, own.accountId, amount - kept)
    await post(clearing, fees, kept)
    if (isShared)
      for (const account of [other.accountId, third]) await post(own.accountId, account, (amount - kept) / 3n)
  }

  const throwIt = (error: unknown) => {
    throw error
  }
  const rollUp = async () => {
    await createRollups({ database, onError: throwIt, backlog: 0n }).runDue()
    await createDayRollUps({ database, onError: throwIt, batch: 7n }).runDue()
  }
  const postedBefore = async ({ accountId }: Owner, day: Day) => {
    const rows = await database.run(postedOn, [accountId, toTimestamp(startOfLisbonDay(day))])
    return rows[0]?.total
  }

  async function inPagesOf(limit: number, owner: Owner, day: Day): Promise<StatementEntry[]> {
    const entries: StatementEntry[] = []
    for (let page: StatementEntry[] | undefined; page === undefined || page.length === limit; ) {
      page = await entriesOfDay(database, owner, day, entries.at(-1)?.position ?? 0n, limit)
      entries.push(...page)
    }
    return entries
  }

  it('equal the ledger on every day, and the sum of their entries', async () => {
    const plan = fc.array(fc.oneof(movement, fc.constant('roll up' as const)), {
      minLength: 20,
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(daysCount - 1), async (steps, from) => {
        for (const step of steps) await (step === 'roll up' ? rollUp() : book(step))
        const first = addDays(firstDay, from)
        const last = addDays(firstDay, daysCount)
        for (const owner of owners) {
          const whole = statementOf(await dayTotals(database, owner, first, last))
          expect(whole.opening).toBe(await postedBefore(owner, first))
          expect(whole.closing).toBe(await postedBefore(owner, addDays(last, 1)))
          for (const day of whole.days) {
            expect(day.opening).toBe(await postedBefore(owner, day.day))
            expect(day.closing).toBe(await postedBefore(owner, addDays(day.day, 1)))
            const { payments, refunds, payouts, shares, other, fees: charged } = day
            const moved = [...Object.values(payments), refunds, payouts, shares, other, charged]
            expect(sumOf(moved)).toBe(day.closing - day.opening)
            const entries = await entriesOfDay(database, owner, day.day, 0n, 10_000)
            expect(sumOf(entries.map(({ gross, fee }) => cents(gross - fee)))).toBe(day.closing - day.opening)
            expect(-sumOf(entries.map(({ fee }) => fee))).toBe(charged)
            expect(entries).toHaveLength(day.entries)
            const names = entries.map(({ operationId, kind, position }) =>
              operationId ? `${operationId} ${kind}` : position,
            )
            expect(new Set(names).size).toBe(names.length)
          }
          const { day } = whole.days.at(-1) ?? { day: first }
          expect(await inPagesOf(2, owner, day)).toEqual(await entriesOfDay(database, owner, day, 0n, 10_000))
        }
      }),
      { numRuns: 6 },
    )
    const checks = statementChecks.filter(({ name }) => name === 'days_of_accounts_add_up_to_their_postings')
    const [found] = await Promise.all(checks.map((check) => check.run(database)))
    expect(found?.findings).toEqual([])
  })

  it('show each movement on its Lisbon day', async () => {
    const owner = {
      walletId: 73n,
      accountId: await createLedger({ database }).numberOf(merchantAccount(73n)),
    }
    owners[0] = owner
    const shared = { method: 'MB', wallet: 0, amount: 1000n, fee: 1n, isShared: true } as const
    // In summer the Lisbon day begins at 23:00 UTC.
    await book({ ...shared, type: 'PAYMENT', day: 30, hour: 0 })
    await book({ ...shared, type: 'REFUND', day: 31, hour: 23 })
    const { days, ...whole } = statementOf(await dayTotals(database, owner, firstDay, addDays(firstDay, 60)))
    expect(whole).toEqual({
      opening: 0n,
      payments: { MB: 1000n },
      fees: -10n,
      refunds: -1000n,
      payouts: 0n,
      shares: -660n,
      other: 0n,
      closing: -670n,
      entries: 3,
    })
    expect(days.map(({ day, closing }) => [day, closing])).toEqual([
      ['2026-03-31', 330n],
      ['2026-04-01', -670n],
    ])
    const [taken, given] = await entriesOfDay(database, owner, '2026-03-31', 0n, 10)
    expect(taken).toMatchObject({ kind: 'payment', gross: 1000n, fee: 10n })
    expect(given).toMatchObject({ kind: 'share', gross: -660n, fee: 0n })
    expect(taken?.createdAt).toEqual(instant(Date.parse('2026-03-30T23:00:00Z')))
    const next = await entriesOfDay(database, owner, '2026-03-31', taken?.position ?? 0n, 10)
    expect(next).toHaveLength(1)
  })

  it('show the shares of a payment as one entry, on any page', async () => {
    const ledger = createLedger({ database })
    const owner = { walletId: 74n, accountId: await ledger.numberOf(merchantAccount(74n)) }
    owners[0] = owner
    const day = addDays(firstDay, 5)
    await book({
      type: 'PAYMENT',
      method: 'MB',
      wallet: 0,
      amount: 1000n,
      fee: 1n,
      isShared: true,
      day: 5,
      hour: 1,
    })
    const entries = await entriesOfDay(database, owner, day, 0n, 10)
    expect(entries.map(({ kind, gross }) => [kind, gross])).toEqual([
      ['payment', 1000n],
      ['share', -660n],
    ])
    expect(await inPagesOf(1, owner, day)).toEqual(entries)
  })

  it('are summed during a vacuum of the table', async () => {
    if (kind === 'pglite') return
    await book({
      type: 'PAYMENT',
      method: 'CC',
      wallet: 0,
      amount: 500n,
      fee: 1n,
      isShared: false,
      day: 3,
      hour: 1,
    })
    await createRollups({ database, onError: throwIt, backlog: 0n }).runDue()
    await database.transaction(async (vacuum) => {
      await vacuum.run(statement('lock table postings in share update exclusive mode'))
      await createDayRollUps({ database, onError: throwIt }).runDue()
    })
    expect(await postingsToAddUp(database)).toBe(0n)
  })
})
