// Wires what the rails send by themselves to the modules that ask the rail what happened.
import type { Notices, ReferencePayee } from '../rails/index.ts'
import type { Mobile } from './mobile.ts'
import type { OtherMethods } from './other-methods.ts'

export interface NoticeParts {
  readonly mobile: Pick<Mobile, 'notice'>
  readonly others: Pick<OtherMethods, 'onlineWallet' | 'directDebits' | 'balances'>
  readonly bankReferences: { readonly payee: ReferencePayee }
}

export function composeNotices({ mobile, others, bankReferences }: NoticeParts): Notices {
  const { onlineWallet, directDebits, balances } = others
  return {
    mobileWallet: mobile.notice,
    async onlineWallet(key) {
      await onlineWallet.onNotice(key)
    },
    async bankOrder(key) {
      if (!(await directDebits.onNotice(key))) await balances.onNotice(key)
    },
    incomingTransfer: (transfer) => balances.receive(transfer),
    references: bankReferences.payee,
  }
}
