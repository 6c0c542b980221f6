// Wires the notices of rails to the modules that ask the rail what happened.

import type { Cards } from '../cards/index.ts'
import type { Operations } from '../operations/index.ts'
import type { Notices, ReferencePayee } from '../rails/index.ts'
import type { Suspense } from '../suspense/index.ts'
import type { AccountMethods } from './account-methods.ts'
import type { Mobile } from './mobile.ts'

export interface NoticeParts {
  readonly cards: Pick<Cards, 'onNotice'>
  readonly mobile: Pick<Mobile, 'notice'>
  readonly accountMethods: Pick<AccountMethods, 'onlineWallet' | 'directDebits' | 'balances'>
  readonly bankReferences: { readonly payee: ReferencePayee }
  readonly suspense: Pick<Suspense, 'onNotice'>
  readonly operations: Pick<Operations, 'onRefundFailed' | 'onDispute'>
}

export function composeNotices(parts: NoticeParts): Notices {
  const { cards, mobile, accountMethods, bankReferences, operations, suspense } = parts
  const { onlineWallet, directDebits, balances } = accountMethods
  return {
    card: (key) => cards.onNotice(key),
    mobileWallet: mobile.notice,
    async onlineWallet(key) {
      await onlineWallet.onNotice(key)
    },
    async bankOrder(key) {
      if (await directDebits.onNotice(key)) return
      if (!(await suspense.onNotice(key))) await balances.onNotice(key)
    },
    incomingTransfer: (transfer) => balances.receive(transfer),
    refundFailed: operations.onRefundFailed,
    dispute: operations.onDispute,
    references: bankReferences.payee,
  }
}
