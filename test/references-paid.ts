// Payments by bank reference in tests, and refunds of them.
import { openPage, type Page, submit } from './browserless.ts'
import { moneyOf } from './money.ts'
import type { Answer, Json, Merchant, World } from './world.ts'

export interface PaidReferences {
  /** A completed payment by reference; its operation. */
  paid(change?: Record<string, unknown>): Promise<Json>
  refund(id: string, body?: unknown, query?: string): Promise<Answer>
  refundsOf(id: string): Promise<Json[]>
  settle(refundId: string, outcome: 'paid' | 'returned'): Promise<Answer>
  /** To the day on which the bank gets orders, with the order there. */
  untilSent(refundId: string): Promise<void>
  /** Types an account on the page of a refund and confirms it; the page afterwards. */
  name(url: string, account: { readonly iban: string; readonly holder: string }): Promise<Page>
}

export function paidReferences(world: World, merchant: Merchant = world.shop): PaidReferences {
  const { sandbox } = moneyOf(world)
  const status = async (id: string) => (await merchant.get(`/api/v2/operations/${id}`)).body.status
  return {
    async paid(change = {}) {
      const made = await merchant.post('/api/v2/mb/pay', { amount: 10, currency: 'EUR', ...change })
      if (made.status !== 200) throw new Error(made.text)
      const { id, mb, amount } = made.body
      await sandbox('references/pay', { ...mb, amount })
      await world.eventually(async () => (await status(id)) === 'COMPLETED')
      return (await merchant.get(`/api/v2/operations/${id}`)).body
    },
    refund: (id, body, query = '') => merchant.post(`/api/v2/operations/${id}/refund${query}`, body),
    refundsOf: async (id) =>
      (await merchant.get('/api/v2/operations?type=REFUND&limit=30')).body.elements.filter(
        ({ parent }: Json) => parent === id,
      ),
    settle: (id, outcome) => sandbox(`sepa/${id}/settle`, { outcome }),
    async untilSent(id) {
      await world.eventually(async () => {
        await world.advance('PT6H')
        return (await world.request('/sandbox/bank')).text.includes(id)
      })
    },
    async name(url, { iban, holder }) {
      const form = await openPage(url)
      const review = await submit(form, form.forms[0] as never, { iban, holder })
      return submit(review, review.forms[0] as never)
    },
  }
}
