// Statements over HTTP: days, entries, CSV, and monthly fees.
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { type App, answers, callerOf, csvQuery, documented, readSeparator } from '../http/index.ts'
import { type Day, lisbonDayOf, parseDay } from '../kernel/lisbon.ts'
import { deny, ok, type Result, refuse, unwrap } from '../kernel/result.ts'
import { accountOf } from '../ledger/index.ts'
import { csvOf } from './csv.ts'
import type { StatementsDeps } from './deps.ts'
import { entriesOfDay, type StatementEntry } from './entries-store.ts'
import { type DayOfStatement, feesByMonth, statementOf } from './rules.ts'
import {
  dayEntriesExample,
  dayEntriesSchema,
  entriesMax,
  entriesQuery,
  entryOnWire,
  feesExample,
  feesOnWire,
  feesSchema,
  rangeQuery,
  readRange,
  statementExample,
  statementOnWire,
  statementSchema,
} from './schemas.ts'
import { dayTotals, type Owner, postingsToAddUp } from './store.ts'

const auth = { permission: 'operations' } as const
/** Entries that one read for the CSV file fetches. */
const entriesPerRead = 1000
/** The most postings that a read adds up. This takes some tenths of a second. */
const addedUpByReadMax = 200_000n
/** The rate of a slow machine, from which the refusal estimates the wait. */
const addedUpPerSecond = 50_000n
const refusals = ['invalid_parameter'] as const
const csvSchema = {
  description: 'The file, in UTF-8.',
  content: { 'text/csv': { schema: { type: 'string' } } },
}

export function statementRoutes(deps: StatementsDeps): (app: App) => void {
  const { database, clock, ledger, wallets } = deps
  const rangeOf = (query: Parameters<typeof readRange>[0]) =>
    unwrap(readRange(query, lisbonDayOf(clock.now())))

  /** After an upgrade, years of postings may have to be added up. A read does not wait for that. */
  async function ownerOf(walletId: bigint): Promise<Owner> {
    const left = await postingsToAddUp(database)
    if (left > addedUpByReadMax) {
      const reason = `the statement is not ready: ${left} postings must still be added up; try again later`
      const retrySeconds = Number(left / addedUpPerSecond) + 1
      deny({ kind: 'service_unavailable', reason, retrySeconds })
    }
    return { walletId, accountId: await ledger.numberOf(accountOf(await wallets.get(walletId))) }
  }

  async function* entriesOf(
    owner: Owner,
    days: readonly DayOfStatement[],
  ): AsyncGenerator<readonly StatementEntry[]> {
    for (const { day } of days) {
      for (let after = 0n, isOver = false; !isOver; ) {
        const page = await entriesOfDay(database, owner, day, after, entriesPerRead)
        yield page
        after = page.at(-1)?.position ?? after
        isOver = page.length < entriesPerRead
      }
    }
  }

  return (app) => {
    app.get(
      '/api/v2/statement',
      {
        config: { auth, refusals: [...refusals] },
        schema: {
          operationId: 'getStatement',
          summary: 'Read the statement day by day',
          description:
            'Income, expenses, and the balance before and after. Default: this month until today. At most one year.',
          tags: ['Payouts'],
          querystring: rangeQuery,
          response: answers(statementSchema, statementExample),
        },
      },
      async (request) => {
        const range = rangeOf(request.query)
        const owner = await ownerOf(callerOf(request).walletId)
        return statementOnWire(statementOf(await dayTotals(database, owner, range.first, range.last)), range)
      },
    )

    app.get(
      '/api/v2/statement/:day',
      {
        config: { auth, refusals: [...refusals] },
        schema: {
          operationId: 'listStatementEntries',
          summary: 'Read the entries of a day, in the order of booking',
          description: 'To read the next page, send `next` of this page as `after`.',
          tags: ['Payouts'],
          params: Type.Object({
            day: Type.String({
              description: 'A Lisbon day as yyyy-mm-dd.',
              ...documented({ format: 'date', examples: ['2026-03-01'] }),
            }),
          }),
          querystring: entriesQuery,
          response: answers(dayEntriesSchema, dayEntriesExample),
        },
      },
      async (request) => {
        const day = unwrap(dayOf(request.params.day))
        const after = unwrap(wholeOf('after', request.query.after, 0n, undefined))
        const limit = Number(
          unwrap(wholeOf('limit', request.query.limit, BigInt(entriesMax), BigInt(entriesMax))),
        )
        const owner = await ownerOf(callerOf(request).walletId)
        const found = await entriesOfDay(database, owner, day, after, limit + 1)
        const shown = found.slice(0, limit)
        const next = found.length > limit ? { next: String(shown.at(-1)?.position) } : {}
        return { day, elements: shown.map(entryOnWire), ...next }
      },
    )

    app.get(
      '/api/v2/statement.csv',
      {
        config: { auth, refusals: [...refusals] },
        schema: {
          operationId: 'downloadStatement',
          summary: 'Read the entries of the statement as a CSV file',
          description: 'For spreadsheets and accounting. Default: this month until today. At most one year.',
          tags: ['Payouts'],
          querystring: Type.Object({ ...rangeQuery.properties, ...csvQuery }),
          response: { 200: csvSchema as never },
        },
      },
      async (request, reply) => {
        const separator = unwrap(readSeparator(request.query))
        const { first, last } = rangeOf(request.query)
        const owner = await ownerOf(callerOf(request).walletId)
        const { opening, days } = statementOf(await dayTotals(database, owner, first, last))
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="statement-${first}-${last}.csv"`)
          .send(Readable.from(csvOf(opening, entriesOf(owner, days), separator)))
      },
    )

    app.get(
      '/api/v2/fees',
      {
        config: { auth, refusals: [...refusals] },
        schema: {
          operationId: 'listFees',
          summary: 'Read the fees by month and method',
          description: 'Default: this month until today. At most one year.',
          tags: ['Payouts'],
          querystring: rangeQuery,
          response: answers(feesSchema, feesExample),
        },
      },
      async (request) => {
        const { first, last } = rangeOf(request.query)
        const owner = await ownerOf(callerOf(request).walletId)
        const elements = feesByMonth(await dayTotals(database, owner, first, last)).map(feesOnWire)
        return { startdate: first, enddate: last, currency: 'EUR', elements }
      },
    )
  }
}

function dayOf(text: string): Result<Day> {
  const day = parseDay(text)
  return day === undefined
    ? refuse('invalid_parameter', 'day must be a day as yyyy-mm-dd, such as 2026-03-01')
    : ok(day)
}

function wholeOf(
  field: string,
  text: string | undefined,
  absent: bigint,
  max: bigint | undefined,
): Result<bigint> {
  if (text === undefined) return ok(absent)
  const whole = /^\d{1,18}$/.test(text) ? BigInt(text) : undefined
  if (whole === undefined || (max !== undefined && (whole < 1n || whole > max)))
    return refuse(
      'invalid_parameter',
      max === undefined
        ? `${field} must be the value of next from the page before`
        : `${field} must be a whole number from 1 to ${max}`,
    )
  return ok(whole)
}
