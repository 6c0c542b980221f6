// The commands cell, cell routes and cells.
import { readCellNumber, routesOf } from '../../cells/rules.ts'
import type { CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
import { type Asked, askCells, readCellsFile } from './ask-cells.ts'
import { type Command, UsageError } from './command.ts'

const cell: Command = {
  name: 'cell',
  summary: 'Shows the number of this cell, or sets it before there are wallets. Stop the gateway first.',
  examples: ['comporta cell', 'comporta cell --number 1'],
  operands: [],
  options: { number: { value: '<0-3843>', help: 'the number, which becomes part of every identifier' } },
  creates: true,
  changes: 'nothing',
  async local({ cell: { read, set } }, input) {
    const number = input.value('number')
    if (number === undefined) {
      const current = await read()
      return done({ number: current }, `This is cell ${current}.`)
    }
    const changed = await set(readCellNumber(number))
    if (!changed.ok) return refused(changed.refusal)
    return done({ number: Number(number) }, `This is cell ${number} now.`)
  },
}

const routes: Command = {
  name: 'cell routes',
  summary: 'Prints the map by which HAProxy sends a request to its cell.',
  examples: ['comporta cell routes 0 1'],
  operands: ['<number>…'],
  options: {},
  async remote(_session, { operands }) {
    const numbers = operands.map(readCellNumber)
    const wrong = numbers.findIndex(Number.isNaN)
    if (wrong !== -1)
      throw new UsageError(
        `the number of a cell must be from 0 to 3843, not ${JSON.stringify(operands[wrong])}`,
      )
    const map = routesOf(numbers)
    return done({ routes: map }, map.trimEnd())
  },
}

/** A command of one cell, and the rows of its answer. The columns of `sums` are added up. */
interface Question {
  readonly args: readonly string[]
  readonly head: readonly string[]
  readonly sums?: readonly number[]
  /** The first column is a kind, and each kind has a sum of its own. */
  readonly byKind?: true
  rows(answer: Answer): readonly (readonly string[])[]
}

// biome-ignore lint/suspicious/noExplicitAny: the answer of another process
type Answer = any

const questions: Readonly<Record<string, Question>> = {
  audit: {
    args: ['audit'],
    head: ['CORRECT', 'ROWS', 'PROBLEMS'],
    sums: [1, 2],
    rows: ({ ok, checks, problems }) => {
      const examined = Object.values(checks as Record<string, number>).reduce((sum, rows) => sum + rows, 0)
      return [[ok ? 'yes' : 'no', String(examined), String(problems.length)]]
    },
  },
  balance: {
    args: ['balance'],
    head: ['KIND', 'ACCOUNTS', 'BALANCE'],
    sums: [1, 2],
    byKind: true,
    rows: ({ accounts }) => accounts.map((one: Answer) => [one.kind, String(one.accounts), one.balance]),
  },
  reconcile: {
    args: ['reconcile'],
    head: ['CONNECTION', 'READ UNTIL', 'FAILING DAYS', 'OPEN', 'UNEXPLAINED', 'AMOUNT'],
    sums: [2, 3, 4, 5],
    rows: ({ connections }) =>
      connections.map((one: Answer) => [
        ...[String(one.connection), one.read_until ?? 'never', String(one.failing_days), String(one.open)],
        ...[String(one.unexplained), one.unexplained_amount],
      ]),
  },
  queues: {
    args: ['queues'],
    head: ['KIND', 'WAITING', 'DUE', 'DUE SINCE'],
    sums: [1, 2],
    byKind: true,
    rows: ({ queues }) =>
      queues.map((one: Answer) => [one.kind, String(one.waiting), String(one.due), one.oldest ?? '-']),
  },
  merchants: {
    args: ['merchant', 'list'],
    head: ['WALLET', 'PUBLIC ID', 'NAME'],
    rows: ({ merchants }) => merchants.map((one: Answer) => [String(one.wallet_id), one.public_id, one.name]),
  },
}

const names = Object.keys(questions)

const cells: Command = {
  name: 'cells',
  summary: 'Asks every cell and adds up. Exits with 1 if a cell does not answer or has a problem.',
  examples: ['comporta cells audit --file cells.txt', 'comporta cells merchants --json'],
  operands: [`<${names.join('|')}>`],
  operandWords: async () => names,
  options: {
    file: {
      value: '<file>',
      help: 'a line for each cell: its number, and the command that runs comporta there. Default: COMPORTA_CELLS',
    },
  },
  async remote(session, input) {
    const [name = ''] = input.operands
    const question = questions[name]
    if (question === undefined)
      throw new UsageError(`cells takes one of ${names.join(', ')}; not ${JSON.stringify(name)}`)
    const file = input.value('file') ?? session.env.COMPORTA_CELLS
    if (file === undefined) throw new UsageError('cells needs --file or COMPORTA_CELLS: the list of cells')
    return summary(question, await askCells(await readCellsFile(file), question.args, session.stopped))
  },
}

function summary({ head, sums = [], byKind, rows }: Question, asked: readonly Asked[]): CommandResult {
  const answered = asked.flatMap(({ number, answer }) =>
    answer === undefined ? [] : rows(answer).map((row) => ({ number, row })),
  )
  const away = asked.filter(({ answer }) => answer === undefined)
  const totals = totalsOf(
    answered.map(({ row }) => row),
    sums,
    byKind === true,
  )
  const isWell = asked.every(({ exitCode }) => exitCode === 0)
  const label = away.length === 0 ? 'all' : `${asked.length - away.length} of ${asked.length}`
  const lines = [
    ...answered.map(({ number, row }) => [String(number), ...row]),
    ...totals.map((row) => [label, ...row]),
  ]
  const missing = away.map(({ number, error }) => `Cell ${number} is missing: ${error}`)
  return {
    json: {
      is_complete: away.length === 0,
      cells: asked.map(({ number, answer, error }) =>
        answer === undefined ? { cell: number, error } : { cell: number, answer },
      ),
      totals: totals.map((row) => Object.fromEntries(row.map((text, index) => [keyOf(head[index]), text]))),
    },
    text: [table(['CELL', ...head], lines), ...missing].join('\n'),
    exitCode: isWell ? 0 : 1,
    isReport: true,
  }
}

const keyOf = (title = '') => title.toLowerCase().replaceAll(' ', '_')

/** One row for each kind, or one for all. Other columns are empty. */
function totalsOf(
  rows: readonly (readonly string[])[],
  sums: readonly number[],
  byKind: boolean,
): string[][] {
  if (sums.length === 0) return []
  const groups = Map.groupBy(rows, ([kind = '']) => (byKind ? kind : ''))
  return [...groups].map(([kind, some]) =>
    (some[0] ?? []).map((_, column) => {
      if (column === 0) return kind
      return sums.includes(column) ? sumOf(some.map((row) => row[column] ?? '0')) : ''
    }),
  )
}

/** Whole numbers, or amounts with two decimals. */
function sumOf(texts: readonly string[]): string {
  const isAmount = texts.some((text) => text.includes('.'))
  const sum = texts.reduce((total, text) => total + BigInt(text.replace('.', '')), 0n)
  if (!isAmount) return String(sum)
  const digits = (sum < 0n ? -sum : sum).toString().padStart(3, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const cellCommands: readonly Command[] = [cell, routes, cells]
