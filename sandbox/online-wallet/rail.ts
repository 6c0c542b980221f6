// The sandbox's online wallet as a rail.
import type { Randomness } from '../../src/kernel/random.ts'
import { after, type Clock, hour, type Instant } from '../../src/kernel/time.ts'
import type { OnlineWallet, WalletAnswer } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { refundsOver } from '../refunds.ts'
import { createAccounts } from './accounts.ts'
import { createHolds } from './holds.ts'
import { newTransaction, type Order, testPayers } from './model.ts'
import { findOrder, insertOrder, moveOrder } from './store.ts'

const orderHours = 3
const reviewHours = 24

export interface OnlineWalletDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly baseUrl: string
}

export const orderPath = '/sandbox/online-wallet'

/** @param path address of its pages at the gateway */
export function createOnlineWallet(deps: OnlineWalletDeps, path = orderPath): OnlineWallet {
  const { database, clock, random } = deps
  const pagesUrl = `${deps.baseUrl}${path}`

  async function stateOf(key: string): Promise<WalletAnswer | { readonly kind: 'not_found' }> {
    const order = await findOrder(database, key, clock.now())
    return order === undefined ? { kind: 'not_found' } : answerOf(order, pagesUrl, clock.now())
  }

  async function known(key: string): Promise<WalletAnswer> {
    const answer = await stateOf(key)
    if (answer.kind === 'not_found') throw new Error('the order was never placed')
    return answer
  }

  return {
    ...refundsOver(deps, 'sandbox.wallet_orders'),
    pagesUrl,
    async open({ merchant, intent = 'sale', saves: savesAccount = false, ...order }) {
      const now = clock.now()
      await insertOrder(database, {
        ...{ ...order, intent, savesAccount },
        merchantName: merchant.name,
        transaction: newTransaction(random),
        createdAt: now,
        expiresAt: after(now, orderHours * hour),
      })
      return known(order.key)
    },
    async capture(key) {
      const order = await findOrder(database, key, clock.now())
      if (order?.state === 'open') return { kind: 'declined', reason: 'not_agreed' }
      if (order?.state === 'agreed') {
        const taken = await moveOrder(database, key, outcomeOf(order))
        if (taken && order.payer === testPayers.silent) return new Promise(() => undefined)
      }
      return known(key)
    },
    inquire: stateOf,
    holds: createHolds(deps),
    saved: createAccounts(deps, known),
  }
}

function outcomeOf({ payer, amount }: Order) {
  return payer === testPayers.empty && amount > 0n
    ? ({ from: 'agreed', to: 'declined', decline: 'insufficient_funds' } as const)
    : ({ from: 'agreed', to: 'paid' } as const)
}

function answerOf(order: Order, pagesUrl: string, now: Instant): WalletAnswer {
  const { key, state, decline, transaction, payer, amount, createdAt } = order
  switch (state) {
    case 'open':
      return { kind: 'open', approveUrl: `${pagesUrl}/${key}` }
    case 'agreed':
      return { kind: 'agreed' }
    case 'paid':
      return payer === testPayers.reviewed && amount > 0n && now < after(createdAt, reviewHours * hour)
        ? { kind: 'waiting' }
        : { kind: 'paid', reference: transaction }
    case 'declined':
      return { kind: 'declined', reason: decline ?? 'refused' }
  }
}
