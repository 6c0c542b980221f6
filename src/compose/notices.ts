// Wires the notices of rails to the modules that ask the rail what happened.

import type { Authorizations } from '../authorizations/index.ts'
import type { BankTransfers } from '../methods/bank-transfer/index.ts'
import type { Cards } from '../methods/cards/index.ts'
import type { Paypal } from '../methods/paypal/index.ts'
import type { SepaDebit } from '../methods/sepa-debit/index.ts'
import { type ChargeHandler, findOperationByKey, type Operations } from '../operations/index.ts'
import type { Payouts } from '../payouts/index.ts'
import type { Notices, ReferencePayee } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Suspense } from '../suspense/index.ts'
import type { Mobile } from './mobile.ts'

export interface NoticeParts {
  readonly database: Database
  readonly cards: Pick<Cards, 'onNotice'>
  readonly mobile: Pick<Mobile, 'notice'>
  readonly paypal: Pick<Paypal, 'onNotice'>
  readonly sepaDebit: Pick<SepaDebit, 'onNotice'>
  readonly transfers: Pick<BankTransfers, 'receive'>
  readonly payouts: Pick<Payouts, 'onNotice'>
  readonly authorizations: Pick<Authorizations, 'onNotice'>
  readonly multibanco: { readonly payee: ReferencePayee }
  readonly charges: ChargeHandler
  readonly suspense: Pick<Suspense, 'onNotice'>
  readonly operations: Pick<Operations, 'engine' | 'onRefundFailed' | 'onDispute'>
}

export function composeNotices(parts: NoticeParts): Notices {
  const { database, cards, mobile, paypal, sepaDebit, transfers, payouts, authorizations, multibanco } = parts
  const { charges, operations, suspense } = parts

  /** Of an operation that its rail was asked about without a customer, or that it holds money for. */
  async function about(key: string, walletId: bigint | undefined, isOfCustomer: boolean): Promise<void> {
    const operation = await findOperationByKey(database, key, walletId)
    if (operation === undefined) return
    if (operation.status === 'PENDING' && !isOfCustomer) await operations.engine.onNotice(operation, charges)
    if (operation.status === 'COMPLETED' && operation.type === 'AUTH' && operation.lapsedAt === undefined)
      await authorizations.onNotice(operation)
  }

  return {
    card: async (key, walletId) => about(key, walletId, await cards.onNotice(key)),
    mobileWallet: async (notice, walletId) => about(notice.key, walletId, await mobile.notice(notice)),
    onlineWallet: async (key, walletId) => about(key, walletId, await paypal.onNotice(key)),
    async bankOrder(key, walletId) {
      if ((await sepaDebit.onNotice(key)) || (await suspense.onNotice(key))) return
      await payouts.onNotice(key)
      await about(key, walletId, false)
    },
    incomingTransfer: (transfer) => transfers.receive(transfer),
    refundFailed: operations.onRefundFailed,
    dispute: operations.onDispute,
    references: multibanco.payee,
  }
}
