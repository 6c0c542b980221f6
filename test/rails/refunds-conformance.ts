// What every rail that gives money back must do: once per key, never more than was paid, the truth when asked.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import type { RefundsPayments } from '../../src/rails/index.ts'

/**
 * Adds its tests to the suite of a rail.
 *
 * @param paid makes a payment of 10.00 over the rail and answers its key
 * @param isOrdered whether a refund is an order, which waits until it is booked; what it refuses is refused again, and
 * not remembered
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

  it('gives a payment back in parts, and not a cent more', async () => {
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

  it('gives back once under one key, however often and at once it is asked', async () => {
    const of = await paid()
    const asked = request(of, 600)
    const answers = await Promise.all(Array.from({ length: 10 }, () => rail().refund(asked)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await rail().refund(request(of, 400))).toMatchObject(taken())
  })

  it('gives nothing back of what was never paid, and knows no request it never got', async () => {
    expect(await rail().refund(request(randomUUID(), 100))).toMatchObject({
      kind: 'declined',
      reason: 'unknown_payment',
    })
    expect(await rail().inquireRefund(randomUUID())).toEqual({ kind: 'not_found' })
  })
}
