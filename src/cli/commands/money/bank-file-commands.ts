// The commands bank export, import, unmatched and resolve.
import { decimalText } from '../../../kernel/money.ts'
import { isUuid } from '../../../kernel/random.ts'
import { toTimestamp } from '../../../kernel/time.ts'
import type { CommandContext, CommandResult } from '../../context.ts'
import { done, refused, table } from '../answers.ts'
import { type Command, UsageError } from '../command.ts'

const unmatchedListedMax = 500

/** `bank files` is the old name of `bank export`. */
function exporting(name: string): Command {
  return {
    name,
    summary: 'Writes the orders for the bank into files: pain.008 for debits, pain.001 for transfers.',
    operands: [],
    examples: [`comporta ${name}`],
    options: {},
    changes: { action: 'Write files for the bank', of: 'gateway' },
    async local({ bank }) {
      const written = await bank.writeFiles()
      const json = written.map(({ name: file, kind, orders, total, path, createdAt }) => ({
        ...{ name: file, kind, orders, path },
        total: decimalText(total),
        created: toTimestamp(createdAt),
      }))
      const rows = json.map(({ name: file, orders, total, path }) => [file, String(orders), total, path])
      return done(
        { files: json },
        rows.length === 0
          ? 'There are no orders for the bank.'
          : table(['FILE', 'ORDERS', 'TOTAL', 'PATH'], rows),
      )
    },
  }
}

const importing: Command = {
  name: 'bank import',
  summary:
    'Imports files of the bank: statements (camt.053), notifications (camt.052, camt.054), status reports (pain.002).',
  examples: ['comporta bank import statement-2026-11-22.xml'],
  operands: ['<file>…'],
  operandsArePaths: true,
  options: {},
  changes: { action: 'Import a file of the bank', of: 'gateway' },
  async local({ bank }, input) {
    const files = []
    for (const file of input.operands) files.push({ file, imported: await bank.importFile(file) })
    const problems = files.flatMap(({ file, imported }) =>
      imported.ok ? [] : [`${file} was refused completely: ${imported.refusal}`],
    )
    const rows = files.map(({ file, imported }) => {
      if (!imported.ok) return { file, error: imported.refusal }
      const { kind: _, format, messageId, ...counts } = imported.value
      return { file, kind: format, message_id: messageId, ...counts }
    })
    const [only] = rows
    const error = { kind: 'file_refused', reason: problems.join('\n') }
    const json = {
      ...(rows.length === 1 ? only : {}),
      ...(rows.length === 1 ? {} : { files: rows }),
      ...(problems.length === 0 ? {} : { error }),
    }
    const lines = rows.flatMap((row) =>
      'kind' in row
        ? [[row.file, row.kind, ...[row.entries, row.matched, row.unmatched, row.repeated].map(String)]]
        : [],
    )
    const counted = table(['FILE', 'KIND', 'ENTRIES', 'MATCHED', 'UNMATCHED', 'REPEATED'], lines)
    const text = [...problems, ...(lines.length === 0 ? [] : [counted])].join('\n')
    return { json, text, exitCode: problems.length === 0 ? 0 : 1 }
  },
}

const unmatched: Command = {
  name: 'bank unmatched',
  summary: 'Lists unmatched bank entries, and orders with a hint from the bank, oldest first.',
  examples: ['comporta bank unmatched --json'],
  operands: [],
  options: {},
  changes: 'nothing',
  async local({ bank }) {
    const entries = await bank.unmatched(unmatchedListedMax)
    const json = entries.map((entry) => ({
      entry_id: entry.id,
      direction: entry.direction,
      amount: decimalText(entry.amount),
      booked_on: entry.bookedOn ?? null,
      servicer_reference: entry.servicerReference ?? null,
      end_to_end_id: entry.endToEndId ?? null,
      code: entry.code ?? null,
      name: entry.party.name ?? null,
      iban: entry.party.iban ?? null,
      text: entry.text || null,
      return_code: entry.returnCode ?? null,
      problem: entry.problem ?? null,
    }))
    const rows = json.map((one) => [
      one.entry_id,
      one.booked_on ?? '',
      `${one.direction === 'debit' && Number(one.amount) !== 0 ? '-' : ''}${one.amount}`,
      one.problem ?? '',
    ])
    const hinted = await bank.hinted(unmatchedListedMax)
    const orders = hinted.map(({ id, operationId, kind, amount, party, hint }) => ({
      ...{
        order_id: id,
        operation_id: operationId,
        kind,
        amount: decimalText(amount),
        name: party.name,
        hint,
      },
    }))
    const ordersText = orders.map((one) => [one.order_id, one.kind, one.amount, one.hint])
    const tables = [
      ...(rows.length === 0 ? [] : [table(['ENTRY', 'BOOKED', 'AMOUNT', 'PROBLEM'], rows)]),
      ...(orders.length === 0 ? [] : [table(['ORDER', 'KIND', 'AMOUNT', 'HINT'], ordersText)]),
    ]
    return done(
      { entries: json, orders },
      tables.length === 0 ? 'Every entry has been matched.' : tables.join('\n\n'),
    )
  },
}

const resolving: Command = {
  name: 'bank resolve',
  summary: 'Closes an unmatched entry: with a note, or as an incoming transfer.',
  examples: ['comporta bank resolve 17 --note "fee of the bank, booked by hand"'],
  operands: ['<entry>'],
  options: {
    note: { value: '<text>', help: 'explanation of the entry' },
    'as-transfer': { help: 'incoming money: credit the wallet in its text, or keep it for bank assign' },
  },
  changes: { action: 'Close an unmatched entry', of: async () => [] },
  async local(context, input) {
    const entryId = (input.operands[0] ?? '').toLowerCase()
    if (!isUuid(entryId)) throw new UsageError('<entry> must be an id from comporta bank unmatched')
    const note = input.value('note')?.trim()
    const asTransfer = input.flag('as-transfer')
    if (asTransfer === (note !== undefined && note !== ''))
      throw new UsageError('bank resolve takes either --note or --as-transfer')
    return asTransfer ? takenAsTransfer(context, entryId) : noted(context.bank, entryId, note ?? '')
  },
}

async function noted(bank: CommandContext['bank'], entryId: string, note: string): Promise<CommandResult> {
  if (!(await bank.resolve(entryId, note))) return notUnmatched(entryId)
  return done({ entry_id: entryId, resolution: note }, `Entry ${entryId} is closed: ${note}`)
}

async function takenAsTransfer({ bank, transfers }: CommandContext, entryId: string): Promise<CommandResult> {
  if (!(await bank.takeAsTransfer(entryId))) return notUnmatched(entryId, 'credit ')
  const text = `Entry ${entryId} is transfer ${entryId} now: comporta bank transfers`
  const walletId = await transfers.walletOfTransfer(entryId)
  const json = { entry_id: entryId, transfer_id: entryId }
  if (walletId === undefined) return done(json, text)
  const change = { field: `transfer ${entryId}`, old: '', new: `wallet ${walletId}` }
  return { ...done({ ...json, wallet_id: Number(walletId) }, text), changed: [change] }
}

function notUnmatched(entryId: string, what = ''): CommandResult {
  return refused({ kind: 'not_found', reason: `there is no unmatched ${what}entry ${entryId}` })
}

export const bankFileCommands: readonly Command[] = [
  exporting('bank export'),
  exporting('bank files'),
  importing,
  unmatched,
  resolving,
]
