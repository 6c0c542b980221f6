// Wires the notices of rails to the modules that ask the rail what happened.
import type { Notices, ReferencePayee } from '../rails/index.ts'
import type { AccountMethods } from './account-methods.ts'
import type { Mobile } from './mobile.ts'

export interface NoticeParts {
  readonly mobile: Pick<Mobile, 'notice'>
  readonly accountMethods: Pick<AccountMethods, 'onlineWallet' | 'directDebits' | 'balances'>
  readonly bankReferences: { readonly payee: ReferencePayee }
}

export function composeNotices({ mobile, accountMethods, bankReferences }: NoticeParts): Notices {
  const { onlineWallet, directDebits, balances } = accountMethods
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
