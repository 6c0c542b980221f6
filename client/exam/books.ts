// Reads the books of an examination by the API.
import { type Cents, cents, parseAmount, sumOf } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import type { Gateway, Json } from '../gateway.ts'
import type { ExamEvent, Played } from './events.ts'
import type { Booked, Books } from './judge.ts'
import type { Treatment } from './plan.ts'

/** Reads every payment of the examination with its completed refunds. */
export async function readBooks(
  gateway: Gateway,
  { events, withoutOwn }: Played,
  how: ReadonlyMap<ExamEvent, Treatment>,
): Promise<Books> {
  const books = new Map<string, Booked>()
  for (const { payment, body, story, isRequired } of events) {
    if (body.operation_id === undefined || books.has(payment)) continue
    const { status, amount } = await gateway.ask(`/api/v2/operations/${payment}`)
    const children = await gateway.ask(`/api/v2/operations?parent=${payment}&type=REFUND`)
    const refunds = children.elements.filter((refund: Json) => refund.status === 'COMPLETED')
    books.set(payment, {
      story,
      status,
      amount: amountOf(amount),
      refunded: cents(-sumOf(refunds.map((refund: Json) => amountOf(refund.amount)))),
      isRequired,
      knowsRefunds: !(withoutOwn && story === 'refunded'),
      sent: events
        .filter((event) => event.payment === payment)
        .map((event) => ({ name: event.name, how: how.get(event) ?? 'twice' })),
    })
  }
  return books
}

function amountOf(value: unknown): Cents {
  return unwrap(parseAmount(value, 'amount'))
}
