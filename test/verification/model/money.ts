// Checks that no cent is lost or made, in operations and wallets.
import type { Json } from '../world/notes.ts'
import { centsOf, euros, feeOf, sharesOf } from './arithmetic.ts'
import type { Books } from './books.ts'
import type { Notes } from './notes.ts'

const capturesMax = 10
const takesMoney = ['PAYMENT', 'CAPTURE']

export function checkMoney(notes: Notes, books: readonly Books[]): string[] {
  const all = books.flatMap(({ operations }) => operations)
  const children = groupedBy(all, 'parent')
  const wrong = all.flatMap((operation) => [
    ...checkFee(operation),
    ...checkRefunds(operation, childrenOf(children, operation, ['REFUND']), children),
    ...(operation.type === 'AUTH' ? checkHold(operation, children) : []),
  ])
  return [...wrong, ...checkShares(notes, all, children), ...checkBalances(books, all)]
}

function groupedBy(operations: readonly Json[], field: string): Map<string, Json[]> {
  const groups = new Map<string, Json[]>()
  for (const operation of operations) {
    const name = operation[field]
    if (name === undefined) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [operation])
    else group.push(operation)
  }
  return groups
}

function childrenOf(children: ReadonlyMap<string, Json[]>, { id }: Json, types: readonly string[]): Json[] {
  return (children.get(id) ?? []).filter(({ type, status }) => types.includes(type) && status === 'COMPLETED')
}

const sumOf = (operations: readonly Json[], field = 'amount') =>
  operations.reduce((sum, operation) => sum + centsOf(operation[field]), 0)

function checkFee({ id, type, status, method, amount, amount_net, fee, instant }: Json): string[] {
  const cents = centsOf(amount)
  const isPriced = status === 'COMPLETED' && takesMoney.includes(type)
  const right = isPriced ? feeOf(cents, method, instant === true) : 0
  const isOpen = status === 'PENDING'
  const wrong = []
  if (!isOpen && -centsOf(fee) !== right)
    wrong.push(
      `operation ${id} (${type} ${status} by ${method}, ${amount}) has the fee ${fee}, and should have ${euros(-right)}`,
    )
  if (centsOf(amount_net) !== cents + centsOf(fee))
    wrong.push(`operation ${id}: amount ${amount} with fee ${fee} leaves ${amount_net}`)
  return wrong
}

function checkRefunds(
  operation: Json,
  refunds: readonly Json[],
  children: ReadonlyMap<string, Json[]>,
): string[] {
  const { id, type, status, amount, method, refundable } = operation
  const refunded = -sumOf(refunds)
  const cents = centsOf(amount)
  const wrong = []
  // A clawback can take money that a refund brought back. That money cannot be refunded again.
  const kept = refunded - sumOf(refunds.flatMap((refund) => childrenOf(children, refund, ['REFUND'])))
  if (kept > 0 && (kept > cents || status !== 'COMPLETED'))
    wrong.push(`operation ${id} (${type} ${status}) of ${amount} has refunds of ${euros(kept)}`)
  if (refunds.some((refund) => refund.fee !== 0)) wrong.push(`a refund of operation ${id} has a fee`)
  const isOpen = status === 'COMPLETED' && takesMoney.includes(type) && refunded < cents
  const right = isOpen && !['MB', 'BANK'].includes(method)
  if (refundable !== right)
    wrong.push(
      `operation ${id} (${type} ${status} by ${method}, ${euros(refunded)} of ${amount} refunded) has refundable ${refundable}`,
    )
  return wrong
}

function checkHold(authorization: Json, children: ReadonlyMap<string, Json[]>): string[] {
  const { id, status, amount } = authorization
  const captures = childrenOf(children, authorization, ['CAPTURE'])
  const releases = childrenOf(children, authorization, ['RELEASE'])
  const taken = sumOf(captures) + sumOf(releases)
  const wrong = []
  if (taken > centsOf(amount))
    wrong.push(`authorization ${id} of ${amount} was captured and released for ${euros(taken)}`)
  if (taken > 0 && status !== 'COMPLETED')
    wrong.push(`authorization ${id} is ${status}, and was captured or released`)
  if (captures.length > capturesMax) wrong.push(`authorization ${id} has ${captures.length} captures`)
  return wrong
}

function checkShares(notes: Notes, all: readonly Json[], children: ReadonlyMap<string, Json[]>): string[] {
  const asked = splitsByMarker(notes)
  return all
    .filter(({ splits, status }) => splits !== undefined && status === 'COMPLETED')
    .flatMap((operation) => {
      const { id, type, amount, fee, splits, ext_invoiceid } = operation
      const given = splits.elements.map((element: Json) => centsOf(element.amount))
      const net = centsOf(amount) + centsOf(fee)
      const wrong = []
      if (given.some((cents: number) => cents < 0) || sum(given) > net)
        wrong.push(
          `operation ${id} with a net of ${euros(net)} was divided into ${given.map(euros).join(', ')}`,
        )
      const descriptors = type === 'PAYMENT' ? asked.get(ext_invoiceid) : undefined
      if (descriptors !== undefined) {
        const right = sharesOf(centsOf(amount), -centsOf(fee), descriptors)
        if (right.join() !== given.join())
          wrong.push(
            `operation ${id} of ${amount} was divided into ${given.map(euros).join(', ')}, and should be into ${right.map(euros).join(', ')}`,
          )
      }
      const transfers = childrenOf(children, operation, ['USERTRANSFER'])
      if (sumOf(transfers) !== sum(given))
        wrong.push(
          `operation ${id}: its sub-merchants see ${euros(sumOf(transfers))} of ${euros(sum(given))}`,
        )
      return wrong
    })
}

const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0)

function splitsByMarker({ requests }: Notes): Map<string, Json[]> {
  const splits = new Map<string, Json[]>()
  for (const [{ call } = {}] of requests.values()) {
    if (call?.marker === undefined || call.request.body === undefined) continue
    const body = JSON.parse(call.request.body)
    const { split } = body.payment ?? body
    if (Array.isArray(split) && split.length > 0 && call.verb !== 'refund') splits.set(call.marker, split)
  }
  return splits
}

function checkBalances(books: readonly Books[], all: readonly Json[]): string[] {
  const byId = new Map(all.map((operation) => [operation.id, operation]))
  const given = new Map<number, number>()
  for (const transfer of all) {
    if (transfer.type !== 'USERTRANSFER' || transfer.status !== 'COMPLETED') continue
    // A returned share names the share, and the share names the payment.
    let source = transfer
    while (source?.type === 'USERTRANSFER') source = byId.get(source.parent)
    const owner = Number(source?.merchant.id)
    given.set(owner, (given.get(owner) ?? 0) + centsOf(transfer.amount))
  }
  return books.flatMap(({ merchant, operations, balance }) => {
    const moved = operations.filter(
      ({ type, status }) => status === 'COMPLETED' && !['AUTH', 'RELEASE'].includes(type),
    )
    const right = sumOf(moved, 'amount_net') - (given.get(merchant.wallet_id) ?? 0)
    return centsOf(balance.balance) === right
      ? []
      : [
          `wallet ${merchant.wallet_id} has a balance of ${balance.balance}, and its operations bring ${euros(right)}`,
        ]
  })
}
