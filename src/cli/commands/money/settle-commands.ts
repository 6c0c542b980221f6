// The commands bank orders and bank settle.
import type { OpenOrder, SettledOrder } from '../../../bank-files/index.ts'
import { cents, decimalText } from '../../../kernel/money.ts'
import { isUuid } from '../../../kernel/random.ts'
import type { Result } from '../../../kernel/result.ts'
import { toTimestamp } from '../../../kernel/time.ts'
import type { CommandResult } from '../../context.ts'
import { done, refused, table } from '../answers.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { centsOf } from '../option-values.ts'

const ordersListedMax = 500
const reasonLengthMax = 300
/** All users of the command line count as one person, so two of them cannot approve each other. */
const byCommand = 'command line'

const orders: Command = {
  name: 'bank orders',
  summary: 'Lists orders without an answer of the bank, and settlements that wait, oldest first.',
  examples: ['comporta bank orders'],
  operands: [],
  options: { waiting: { help: 'only orders whose settlement waits for a second person' } },
  changes: 'nothing',
  async local({ bank }, input) {
    const open = await bank.openOrders(ordersListedMax)
    const shown = input.flag('waiting') ? open.filter(({ waiting }) => waiting !== undefined) : open
    const json = shown.map(onWire)
    const rows = json.map((one) => [
      ...[one.order_id, one.kind, one.amount, one.name, one.due_on],
      one.waiting === null
        ? (one.hint ?? '')
        : `${one.waiting.answer}, proposed by ${one.waiting.settled_by}`,
    ])
    return done(
      { orders: json },
      rows.length === 0
        ? 'The bank has answered every order.'
        : table(['ORDER', 'KIND', 'AMOUNT', 'NAME', 'DUE', 'WAITS OR HINT'], rows),
    )
  },
}

function onWire({ waiting, ...order }: OpenOrder) {
  return {
    order_id: order.id,
    operation_id: order.operationId,
    wallet_id: order.walletId === 0n ? null : Number(order.walletId),
    kind: order.kind,
    amount: decimalText(order.amount),
    name: order.party.name,
    iban: order.maskedIban,
    due_on: order.dueOn,
    file: order.fileName ?? null,
    answer: order.answer ?? null,
    hint: order.hint ?? null,
    waiting:
      waiting === undefined
        ? null
        : {
            ...{ answer: waiting.answer, fee: decimalText(waiting.fee), reason: waiting.reason },
            ...{ settled_by: waiting.settledBy, settled_at: toTimestamp(waiting.settledAt) },
          },
  }
}

const settle: Command = {
  name: 'bank settle',
  summary:
    'Settles an order that the bank answered outside its files. <order> is its id or its operation id.',
  examples: [
    'comporta bank settle 0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19 --paid --reason "letter of 3 May"',
    'comporta bank settle 0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19 --approve',
  ],
  operands: ['<order>'],
  options: {
    paid: { help: 'the bank executed the order' },
    returned: { help: 'the bank refused the order, or returned it after payment' },
    fee: { value: '<euros>', help: 'bank charge, such as 3.50' },
    reason: { value: '<text>', help: 'source of the information; required with --paid and --returned' },
    approve: { help: 'as second person, approve the settlement that someone else proposed' },
    withdraw: { help: 'delete a settlement that waits for a second person' },
  },
  changes: {
    action: 'Answer an order for the bank by hand',
    of: async ({ bank }, input) => {
      const found = await bank.findOrder(orderNamed(input))
      return found.ok && found.value.walletId !== 0n ? [found.value.walletId] : []
    },
  },
  async local({ bank }, input) {
    const order = orderNamed(input)
    const verb = verbOf(input)
    if (verb === 'approve') return answer(await bank.approve(order, byCommand))
    if (verb === 'withdraw') return answer(await bank.withdraw(order))
    const fee = input.value('fee')
    const settlement = {
      answer: verb,
      fee: fee === undefined ? cents(0) : centsOf('fee', fee),
      reason: reasonOf(input),
      by: byCommand,
    }
    return answer(await bank.settle(order, settlement))
  },
}

export const settleCommands: readonly Command[] = [orders, settle]

function orderNamed(input: CommandInput): string {
  const id = (input.operands[0] ?? '').toLowerCase()
  if (!isUuid(id)) throw new UsageError('<order> must be an id from comporta bank orders')
  return id
}

const verbs = ['paid', 'returned', 'approve', 'withdraw'] as const

function verbOf(input: CommandInput): (typeof verbs)[number] {
  const [verb, ...others] = verbs.filter((one) => input.flag(one))
  if (verb === undefined || others.length > 0)
    throw new UsageError('bank settle takes one of --paid, --returned, --approve, --withdraw')
  const isAnswer = verb === 'paid' || verb === 'returned'
  if (!isAnswer && (input.value('fee') ?? input.value('reason')) !== undefined)
    throw new UsageError('--fee and --reason need --paid or --returned')
  return verb
}

function reasonOf(input: CommandInput): string {
  const reason = input.value('reason')?.trim() ?? ''
  if (reason === '' || reason.length > reasonLengthMax)
    throw new UsageError(`--reason must have 1 to ${reasonLengthMax} characters`)
  return reason
}

function answer(result: Result<SettledOrder>): CommandResult {
  if (!result.ok) return refused(result.refusal)
  const { order, settlement, state, change } = result.value
  const json = {
    ...{ order_id: order.id, operation_id: order.operationId },
    wallet_id: order.walletId === 0n ? null : Number(order.walletId),
    ...{
      answer: settlement.answer,
      amount: decimalText(settlement.amount),
      fee: decimalText(settlement.fee),
    },
    ...{
      reason: settlement.reason,
      settled_by: settlement.settledBy,
      approved_by: settlement.approvedBy ?? null,
    },
    state,
  }
  const rows = Object.entries(json).map(([name, value]) => [name, String(value ?? '')])
  const next =
    state === 'waiting' ? '\n\nNext: a second person approves it, in the backoffice or by --approve.' : ''
  return {
    ...done(json, table(['ORDER', 'VALUE'], rows) + next),
    changed: [change],
  }
}
