// The conformance suite of refunds: once per key, at most the payment.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import type { RefundsPayments } from '../../src/rails/index.ts'

/**
 * Adds its tests to the suite of a rail.
 * @param paid makes a payment of 10.00 over the rail and answers its key
 * @param isOrdered whether refunds wait for a booking; refusals are then not stored
 */
export function itRefundsPayments(
  rail: () => RefundsPayments,
  paid: () => Promise<string>,
  isOrdered: () => boolean = () => false,
): void {
  const taken = () => ({ kind: isOrdered() ? 'waiting' : 'approved' })
  const request = (of: string, amount: number) => ({
    key: randomUUID(),
    of,
    amount: cents(amount),
    currency: 'EUR',
  })

  it('refunds a payment in parts, up to the amount', async () => {
    const of = await paid()
    const [first, rest, tooMuch] = [request(of, 400), request(of, 600), request(of, 1)]
    const answer = await rail().refund(first)
    expect(answer).toMatchObject(taken())
    if (!isOrdered()) expect(answer).toMatchObject({ reference: expect.stringMatching(/./) })
    expect(await rail().refund(rest)).toMatchObject(taken())
    const refused = { kind: 'declined', reason: 'amount_exceeds_remaining' }
    expect(await rail().refund(tooMuch)).toMatchObject(refused)
    expect(await rail().inquireRefund(first.key)).toEqual(answer)
    const again = isOrdered() ? rail().refund(tooMuch) : rail().inquireRefund(tooMuch.key)
    expect(await again).toMatchObject(refused)
  })

  it('refunds once under one key, for repeated and concurrent calls', async () => {
    const of = await paid()
    const asked = request(of, 600)
    const answers = await Promise.all(Array.from({ length: 10 }, () => rail().refund(asked)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await rail().refund(request(of, 400))).toMatchObject(taken())
  })

  it('refunds nothing without a payment, and does not know unused keys', async () => {
    expect(await rail().refund(request(randomUUID(), 100))).toMatchObject({
      kind: 'declined',
      reason: 'unknown_payment',
    })
    expect(await rail().inquireRefund(randomUUID())).toEqual({ kind: 'not_found' })
  })
}
