// The decision of an online wallet's customer.
import type { Notices } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { moveOrder } from './store.ts'

export type Decision = { readonly kind: 'agree'; readonly payer: string } | { readonly kind: 'cancel' }

export type Decide = (key: string, decision: Decision) => Promise<boolean>

export function createDecide(database: Database, notices: Pick<Notices, 'onlineWallet'>): Decide {
  return async (key, decision) => {
    const move =
      decision.kind === 'agree'
        ? ({ from: 'open', to: 'agreed', payer: decision.payer } as const)
        : ({ from: 'open', to: 'declined', decline: 'cancelled' } as const)
    const decided = await moveOrder(database, key, move)
    if (decided) await notices.onlineWallet(key)
    return decided
  }
}

/** The e-mail without spaces and in lower case. Empty if it is not a text. */
export function payerOf(email: unknown): string {
  return typeof email === 'string' ? email.trim().toLowerCase() : ''
}
