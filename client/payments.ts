// The commands payments list, get, refund and capture.
import { done, table } from '../src/cli/commands/answers.ts'
import type { CommandInput } from '../src/cli/commands/command.ts'
import type { CommandResult } from '../src/cli/context.ts'
import type { Session } from '../src/cli/session.ts'
import { type Gateway, gatewayAt, type Json } from './gateway.ts'
import { findPlace } from './place.ts'
import { amountTyped, euros, factsOf, idTyped, numberTyped, postOnce } from './values.ts'

const listedDefault = 20
const listedMax = 300
const perPage = 30

/** The filter of the API for each option of `list`. */
const filters = {
  method: 'method',
  type: 'type',
  from: 'startdate',
  to: 'enddate',
  invoice: 'ext_invoiceid',
  reference: 'mb_ref',
} as const

async function gatewayOf(session: Session, input: CommandInput): Promise<Gateway> {
  return gatewayAt(await findPlace(session, input), session.stopped)
}

export async function listPayments(session: Session, input: CommandInput): Promise<CommandResult> {
  const limit = numberTyped(input, 'limit', listedDefault, [1, listedMax])
  const gateway = await gatewayOf(session, input)
  const query = new URLSearchParams({ limit: String(Math.min(limit, perPage)) })
  for (const [option, name] of Object.entries(filters)) {
    const value = input.value(option)
    if (value !== undefined) query.set(name, /method|type/.test(option) ? value.toUpperCase() : value)
  }
  const found = new Map<string, Json>()
  let total = 0
  for (let page = 0; found.size < limit; page++) {
    query.set('offset', String(page))
    const answer = await gateway.ask(`/api/v2/operations?${query}`)
    total = answer.total
    for (const operation of answer.elements) found.set(operation.id, operation)
    if (answer.elements.length < perPage) break
  }
  const elements = [...found.values()].slice(0, limit)
  const rows = elements.map((one) => [
    one.date,
    one.id,
    one.type,
    one.method ?? '',
    one.status,
    euros(one.amount).padStart(10),
    one.ext_invoiceid ?? '',
  ])
  const head = ['DATE', 'ID', 'TYPE', 'METHOD', 'STATUS', 'AMOUNT'.padStart(10), 'INVOICE']
  const more = total > elements.length ? `\n${elements.length} of ${total}` : ''
  return done({ total, elements }, rows.length === 0 ? 'There are no operations.' : table(head, rows) + more)
}

export async function getPayment(session: Session, input: CommandInput): Promise<CommandResult> {
  const id = idTyped('<id>', input.operands[0] ?? '')
  const operation = await (await gatewayOf(session, input)).ask(`/api/v2/operations/${id}`)
  return done(operation, factsOf(operation))
}

export async function refundPayment(session: Session, input: CommandInput): Promise<CommandResult> {
  const id = idTyped('<id>', input.operands[0] ?? '')
  const amount = amountTyped(input, 'amount')
  const asked = amount === undefined ? { type: 'full' } : { type: 'partial', amount }
  return take(session, input, `/api/v2/operations/${id}/refund`, asked, 'refunded')
}

export async function capturePayment(session: Session, input: CommandInput): Promise<CommandResult> {
  const id = idTyped('<id>', input.operands[0] ?? '')
  const amount = amountTyped(input, 'amount')
  return take(
    session,
    input,
    `/api/v2/authorizations/${id}/capture`,
    amount === undefined ? {} : { amount },
    'captured',
  )
}

async function take(
  session: Session,
  input: CommandInput,
  path: string,
  asked: object,
  word: string,
): Promise<CommandResult> {
  const gateway = await gatewayOf(session, input)
  const notes = input.value('notes')
  const body = { ...asked, ...(notes !== undefined && { notes }) }
  if (input.flag('dry-run')) {
    const preview = await gateway.ask(`${path}?dry_run=true`, { body })
    return done(preview, `Nothing was ${word}. Preview:\n${factsOf(preview)}`)
  }
  const made = await postOnce(gateway, path, input, body)
  const sum = euros(made.amount).replace('-', '')
  const open =
    made.status === 'COMPLETED' ? '' : ` Its status is ${made.status}: see comporta payments get ${made.id}.`
  return done(made, `${sum} ${made.currency} ${word} as ${made.id}.${open}`)
}
