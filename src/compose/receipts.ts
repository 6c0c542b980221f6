// Receipts for the sandbox's pages: operation, postings, callbacks.
import { eventsAbout } from '../callbacks/index.ts'
import { findCheckoutForCustomer } from '../checkouts/index.ts'
import { postingsOf } from '../ledger/index.ts'
import type { Database } from '../storage/index.ts'

/** Readers who only know the checkout's id do not see these fields. */
const customerFields = new Set(['ext_email', 'ext_customerid'])

export function receiptsOf(database: Database) {
  return async (checkoutId: string) => {
    const checkout = await findCheckoutForCustomer(database, checkoutId)
    if (checkout === undefined) return undefined
    const { walletId, kind, operation, subscription } = checkout
    const subjects = [operation?.id, subscription?.id].filter((id) => id !== undefined)
    const [postings, events] = await Promise.all([
      operation === undefined ? [] : postingsOf(database, walletId, operation.id),
      eventsAbout(database, walletId, subjects),
    ])
    const { status } = operation ?? subscription
    return {
      checkoutId,
      walletId,
      kind,
      status,
      ...(operation === undefined ? {} : { operation: operationOf(operation) }),
      subscriptionId: subscription?.id,
      postings,
      callbacks: events.map(({ kind, payload, ...sent }) => ({
        ...sent,
        body: kind === 'operation' ? withoutCustomer(payload) : undefined,
      })),
    }
  }
}

type Operation = NonNullable<NonNullable<Awaited<ReturnType<typeof findCheckoutForCustomer>>>['operation']>

function operationOf({ id, method, amount, error }: Operation) {
  return { id, method, amount, error }
}

function withoutCustomer(payload: string): Record<string, unknown> {
  const fields = Object.entries(JSON.parse(payload) as Record<string, unknown>)
  return Object.fromEntries(fields.filter(([name]) => !customerFields.has(name)))
}
