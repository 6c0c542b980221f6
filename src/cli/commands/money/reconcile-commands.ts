// The commands reconcile and reconcile explain.
import { cents, decimalText } from '../../../kernel/money.ts'
import type { Reconciliation } from '../../../reconciliation/index.ts'
import { done, refused, table } from '../answers.ts'
import { type Command, UsageError } from '../command.ts'

const loadDays = () => import('../../../kernel/lisbon.ts')

const differencesListedMax = 500

type Difference = Awaited<ReturnType<Reconciliation['differences']>>[number]

const euros = (amount: bigint) => decimalText(cents(amount))

function differenceInJson(one: Difference) {
  const { id, connectionId, day, kind, walletId, operationId, lineId, ledgerAmount, statementAmount } = one
  return {
    difference: Number(id),
    connection: Number(connectionId),
    ...{ day, kind },
    age_days: one.ageDays,
    wallet_id: walletId === undefined ? null : Number(walletId),
    operation_id: operationId ?? null,
    line: lineId ?? null,
    ledger: euros(ledgerAmount),
    statement: euros(statementAmount),
    difference_amount: euros(statementAmount - ledgerAmount),
    note: one.note ?? null,
  }
}

function differencesText(rows: readonly ReturnType<typeof differenceInJson>[]): string {
  if (rows.length === 0) return 'There are no differences.'
  return table(
    ['DIFFERENCE', 'DAY', 'AGE', 'CONNECTION', 'KIND', 'LEDGER', 'STATEMENT', 'ABOUT', 'NOTE'],
    rows.map((one) => [
      String(one.difference),
      one.day,
      `${one.age_days} d`,
      String(one.connection),
      one.kind,
      one.ledger,
      one.statement,
      one.operation_id === null ? `line ${one.line}` : `operation ${one.operation_id}`,
      one.note ?? '',
    ]),
  )
}

const reconcile: Command = {
  name: 'reconcile',
  summary: 'Shows differences between the statements of providers and the ledger, of all days or of one.',
  examples: ['comporta reconcile', 'comporta reconcile --day 2026-11-22'],
  operands: [],
  options: { day: { value: 'D', help: 'one day as yyyy-mm-dd, with the totals of both sides and fees' } },
  changes: 'nothing',
  async local({ reconciliation }, input) {
    const text = input.value('day')
    const { parseDay } = await loadDays()
    const day = text === undefined ? undefined : parseDay(text)
    if (text !== undefined && day === undefined)
      throw new UsageError(`--day takes a day as yyyy-mm-dd; not ${JSON.stringify(text)}`)
    const differences = (await reconciliation.differences(day, differencesListedMax)).map(differenceInJson)
    if (day === undefined) {
      const connections = (await reconciliation.states()).map((one) => ({
        connection: Number(one.connectionId),
        read_until: one.readUntil ?? null,
        failing_days: one.failing,
        last_error: one.lastError ?? null,
        ...{ open: one.open, unexplained: one.unexplained },
        unexplained_amount: euros(one.unexplainedAmount),
        oldest: one.oldest ?? null,
      }))
      const head = ['CONNECTION', 'READ UNTIL', 'FAILING DAYS', 'OPEN', 'UNEXPLAINED', 'AMOUNT', 'OLDEST']
      const rows = connections.map((one) => [
        ...[String(one.connection), one.read_until ?? 'never', String(one.failing_days), String(one.open)],
        ...[String(one.unexplained), one.unexplained_amount, one.oldest ?? '-'],
      ])
      const overview = rows.length === 0 ? 'No statement has been read yet.' : table(head, rows)
      return done({ connections, differences }, `${overview}\n\n${differencesText(differences)}`)
    }
    const accounts = (await reconciliation.sumsOf(day)).map((one) => ({
      connection: Number(one.connectionId),
      account: one.method === undefined ? null : `clearing:${one.method}`,
      ledger: euros(one.ledger),
      statement: euros(one.statement),
      difference: euros(one.statement - one.ledger),
      ...{ fees: euros(one.fees), paid_out: euros(-one.others) },
    }))
    const head = ['CONNECTION', 'ACCOUNT', 'LEDGER', 'STATEMENT', 'DIFFERENCE', 'FEES', 'PAID OUT']
    const rows = accounts.map((one) => [
      ...[String(one.connection), one.account ?? 'without an operation', one.ledger, one.statement],
      ...[one.difference, one.fees, one.paid_out],
    ])
    const sums = rows.length === 0 ? `Nothing was booked on ${day}.` : table(head, rows)
    return done({ day, accounts, differences }, `${sums}\n\n${differencesText(differences)}`)
  },
}

const explain: Command = {
  name: 'reconcile explain',
  summary: 'Adds a note to a difference. The audit then accepts it while its amount stays the same.',
  examples: ['comporta reconcile explain 17 --note "paid out by the provider a day later"'],
  operands: ['<difference>'],
  options: { note: { value: 'TEXT', help: 'cause of the difference, and action taken' } },
  changes: { action: 'Explain a difference', of: 'gateway' },
  async local({ reconciliation }, input) {
    const [id = ''] = input.operands
    const note = input.value('note')?.trim() ?? ''
    if (!/^\d{1,18}$/.test(id)) throw new UsageError(`${JSON.stringify(id)} is not a number of a difference`)
    if (note === '') throw new UsageError('--note is required: give the cause of the difference')
    if (await reconciliation.explain(BigInt(id), note))
      return done({ difference: Number(id), note }, `Difference ${id} is explained.`)
    return refused({ kind: 'not_found', reason: `there is no open difference ${id}` })
  },
}

// The longer name comes first, because it begins with the other one.
export const reconcileCommands = [explain, reconcile] as const
