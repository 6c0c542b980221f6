// The commands suspense list, refund and assign.
import { decimalText } from '../../../kernel/money.ts'
import { isUuid } from '../../../kernel/random.ts'
import type { Result } from '../../../kernel/result.ts'
import { toTimestamp } from '../../../kernel/time.ts'
import type { SuspenseEntry } from '../../../suspense/model.ts'
import type { CommandResult } from '../../context.ts'
import { done, refused, table } from '../answers.ts'
import { type Command, UsageError } from '../command.ts'
import { walletNamed } from '../option-values.ts'

const entriesListedMax = 500
const beneficiaryLengthMax = 70

const list: Command = {
  name: 'suspense list',
  summary: 'Lists money in suspense, newest first: received by a rail without a payment.',
  examples: ['comporta suspense list'],
  operands: [],
  options: { all: { help: 'also entries that were refunded or assigned' } },
  changes: 'nothing',
  async local({ suspense }, input) {
    const entries = (await suspense.list(input.flag('all'), entriesListedMax)).map(onWire)
    const rows = entries.map((one) => [
      one.entry_id,
      one.amount,
      one.state,
      one.reason,
      one.wallet_id === null ? '' : String(one.wallet_id),
      one.reference,
    ])
    return done({ entries }, table(['ENTRY', 'AMOUNT', 'STATE', 'REASON', 'WALLET', 'REFERENCE'], rows))
  },
}

const refund: Command = {
  name: 'suspense refund',
  summary: 'Refunds money in suspense: through its provider, or by transfer to an IBAN.',
  examples: ['comporta suspense refund 17 --iban PT50000201231234567890154 --name "Ana Silva"'],
  operands: ['<entry>'],
  options: {
    iban: { value: '<iban>', help: 'account of the payer. Default: the provider refunds it' },
    name: { value: '<name>', help: 'holder of that account' },
    bic: { value: '<bic>', help: 'BIC of its bank, if the provider asks for it' },
  },
  changes: { action: 'Give money in suspense back', of: async () => [] },
  async local({ suspense }, input) {
    const id = entryNamed(input.operands[0])
    const iban = input.value('iban')
    const name = input.value('name')?.trim()
    if ((iban === undefined) !== (name === undefined))
      throw new UsageError('--iban and --name must be given together')
    if (iban === undefined || name === undefined) return answer(await suspense.refund(id, undefined))
    if (name === '' || name.length > beneficiaryLengthMax)
      throw new UsageError(`--name takes at most ${beneficiaryLengthMax} characters`)
    return answer(await suspense.refund(id, { iban, name, bic: bicOf(input.value('bic')) }))
  },
}

function bicOf(text: string | undefined): string | undefined {
  const bic = text?.trim().toUpperCase()
  if (bic !== undefined && !/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic))
    throw new UsageError('--bic takes the 8 or 11 characters of a BIC, such as CGDIPTPL')
  return bic
}

const assign: Command = {
  name: 'suspense assign',
  summary: 'Pays money in suspense to a merchant, as a payment of its own.',
  examples: ['comporta suspense assign 17 --wallet 1000'],
  operands: ['<entry>'],
  options: {
    wallet: { value: '<wallet>', help: 'number or public id. Default: the owner of the paid reference' },
    operation: { value: '<uuid>', help: 'the intended payment, whose merchant references are copied' },
  },
  changes: { action: 'Assign money in suspense to a merchant', of: async () => [] },
  async local({ wallets, suspense }, input) {
    const id = entryNamed(input.operands[0])
    const named = input.value('wallet')
    const operationId = input.value('operation')?.toLowerCase()
    if (operationId !== undefined && !isUuid(operationId))
      throw new UsageError('--operation takes the id of a payment')
    const walletId = named === undefined ? undefined : (await walletNamed(wallets, named)).id
    return answer(await suspense.assign(id, { walletId, operationId }))
  },
}

export const suspenseCommands: readonly Command[] = [list, refund, assign]

function entryNamed(operand: string | undefined): string {
  const id = (operand ?? '').toLowerCase()
  if (!isUuid(id)) throw new UsageError('<entry> must be an id from comporta suspense list')
  return id
}

function answer(result: Result<SuspenseEntry>): CommandResult {
  if (!result.ok) return refused(result.refusal)
  const json = onWire(result.value)
  const rows = Object.entries(json).map(([name, value]) => [name, String(value ?? '')])
  return { ...done(json, table(['ENTRY', 'VALUE'], rows)), changed: [stateOf(result.value)] }
}

function stateOf({ id, state }: SuspenseEntry) {
  return { field: `suspense ${id}`, old: 'OPEN', new: state }
}

function onWire(entry: SuspenseEntry) {
  const { walletId, assignedWalletId } = entry
  return {
    entry_id: entry.id,
    state: entry.state,
    amount: decimalText(entry.amount),
    reason: entry.reason,
    method: entry.method,
    reference: entry.reference,
    wallet_id: walletId === 0n ? null : Number(walletId),
    payment_id: entry.paymentId,
    paid_at: toTimestamp(entry.paidAt),
    refunded_by: entry.refundBy ?? null,
    problem: entry.problem ?? null,
    assigned_wallet_id: assignedWalletId === undefined ? null : Number(assignedWalletId),
    operation_id: entry.operationId ?? null,
  }
}
