// The commands payout, balance, bank transfers and bank assign.
import { cents, decimalText } from '../../../kernel/money.ts'
import { isUuid } from '../../../kernel/random.ts'
import { toTimestamp } from '../../../kernel/time.ts'
import type { KindTotal } from '../../../ledger/index.ts'
import { topUpReference } from '../../../methods/bank-transfer/rules.ts'
import type { CommandResult } from '../../context.ts'
import { done, refused, table } from '../answers.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { merchantNamed, transferAmountOf, walletNamed } from '../option-values.ts'

const transfersListedMax = 500

const payout: Command = {
  name: 'payout',
  summary: "Orders a transfer of a merchant's money to its IBAN (WALLETFUNDS).",
  examples: ['comporta payout --wallet 1000 --amount 250.00'],
  operands: [],
  options: {
    wallet: { value: '<wallet>', help: 'number or public id of the merchant' },
    amount: { value: '<euros>', help: 'such as 250.00; at most the balance without pending payouts' },
    'request-id': { value: '<uuid>', help: 'idempotency key: the same id orders the same payout' },
  },
  changes: {
    action: "Order a payout to the merchant's IBAN",
    of: async ({ wallets }, input) => [(await merchantNamed(wallets, requiredOf(input, 'wallet'))).id],
  },
  async local({ wallets, payouts }, input) {
    const wallet = await merchantNamed(wallets, requiredOf(input, 'wallet'))
    const amount = transferAmountOf('amount', requiredOf(input, 'amount'))
    const requestId = requestIdOf(input)
    const ordered = await payouts.payOut(wallet, amount, requestId)
    if (!ordered.ok) return refused(ordered.refusal)
    const { payout, isRepeated } = ordered.value
    const { id, status, error } = payout
    const { balance, onItsWay } = await payouts.fundsOf(wallet)
    const json = {
      operation_id: id,
      wallet_id: Number(wallet.id),
      status,
      amount: decimalText(payout.amount),
      iban: wallet.iban,
      balance: decimalText(balance),
      on_its_way: decimalText(onItsWay),
      ...(error === undefined ? {} : { error }),
      ...(requestId === undefined ? {} : { request_id: requestId, repeated: isRepeated }),
    }
    const rows = Object.entries(json).map(([name, value]) => [name, String(value)])
    const answer = done(json, `${table(['PAYOUT', 'VALUE'], rows)}\n\nNext: comporta bank export`)
    const change = { field: `operation ${id}`, old: '', new: `${status} ${decimalText(payout.amount)}` }
    return isRepeated ? answer : { ...answer, changed: [change] }
  },
}

const balance: Command = {
  name: 'balance',
  summary:
    "Shows a wallet's balance and the text of a top-up. Without a wallet: the sum of each kind of account.",
  examples: ['comporta balance 1000', 'comporta balance'],
  operands: ['[wallet]'],
  options: {},
  changes: 'nothing',
  async local({ wallets, payouts, totals }, input) {
    const [named] = input.operands
    if (named === undefined) return totalsShown(await totals())
    const wallet = await walletNamed(wallets, named)
    const funds = await payouts.fundsOf(wallet)
    const json = {
      wallet_id: Number(wallet.id),
      name: wallet.name,
      balance: decimalText(funds.balance),
      on_its_way: decimalText(funds.onItsWay),
      bank_reference: topUpReference(wallet.id),
    }
    return done(
      json,
      table(
        ['WALLET', 'VALUE'],
        Object.entries(json).map(([name, value]) => [name, String(value)]),
      ),
    )
  },
}

function totalsShown(totals: readonly KindTotal[]): CommandResult {
  const accounts = totals.map((one) => ({ ...one, balance: decimalText(cents(one.balance)) }))
  const rows = accounts.map((one) => [one.kind, String(one.accounts), one.balance])
  return done({ accounts }, table(['KIND', 'ACCOUNTS', 'BALANCE'], rows))
}

const transfers: Command = {
  name: 'bank transfers',
  summary: 'Lists incoming transfers, newest first.',
  examples: ['comporta bank transfers'],
  operands: [],
  options: { unassigned: { help: 'only those without a wallet' } },
  changes: 'nothing',
  async local({ transfers }, input) {
    const listed = await transfers.transfers(input.flag('unassigned'), transfersListedMax)
    const json = listed.map(({ id, text, iban, amount, walletId, operationId, problem, createdAt }) => ({
      transfer_id: id,
      text,
      iban: iban ?? null,
      amount: decimalText(amount),
      wallet_id: walletId === undefined ? null : Number(walletId),
      operation_id: operationId ?? null,
      problem: problem ?? null,
      date: toTimestamp(createdAt),
    }))
    const rows = json.map((one) => [
      one.transfer_id,
      one.amount,
      one.wallet_id === null ? `kept: ${one.problem}` : String(one.wallet_id),
      one.text,
    ])
    return done({ transfers: json }, table(['TRANSFER', 'AMOUNT', 'WALLET', 'TEXT'], rows))
  },
}

const assign: Command = {
  name: 'bank assign',
  summary: 'Assigns an incoming transfer without a wallet to a wallet.',
  examples: ['comporta bank assign 0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19 --wallet 1000'],
  operands: ['<transfer>'],
  options: { wallet: { value: '<wallet>', help: 'number or public id of the wallet' } },
  changes: {
    action: 'Assign a transfer to a wallet',
    of: async ({ wallets }, input) => [(await walletNamed(wallets, requiredOf(input, 'wallet'))).id],
  },
  async local({ wallets, transfers }, input) {
    const transferId = (input.operands[0] ?? '').toLowerCase()
    if (!isUuid(transferId)) throw new UsageError('<transfer> must be an id from comporta bank transfers')
    const wallet = await walletNamed(wallets, requiredOf(input, 'wallet'))
    const assigned = await transfers.assign(transferId, wallet.id)
    if (!assigned.ok) return refused(assigned.refusal)
    const { operationId } = assigned.value
    const json = { transfer_id: transferId, wallet_id: Number(wallet.id), operation_id: operationId }
    return {
      ...done(json, `Transfer ${transferId} is now wallet ${wallet.id}'s, as operation ${operationId}.`),
      changed: [{ field: `transfer ${transferId}`, old: '', new: `wallet ${wallet.id}` }],
    }
  },
}

export const bankCommands: readonly Command[] = [payout, balance, transfers, assign]

function requestIdOf(input: CommandInput): string | undefined {
  const id = input.value('request-id')
  if (id === undefined || isUuid(id)) return id?.toLowerCase()
  throw new UsageError(`--request-id takes a UUID; not ${JSON.stringify(id)}`)
}

function requiredOf(input: CommandInput, option: string): string {
  const value = input.value(option)
  if (value === undefined) throw new UsageError(`--${option} is needed`)
  return value
}
