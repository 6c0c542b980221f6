// Tables of version 0.1.0, in the order of their references.
import * as backoffice from './baseline/backoffice.ts'
import * as bankFiles from './baseline/bank-files.ts'
import * as callbacks from './baseline/callbacks.ts'
import * as cards from './baseline/cards.ts'
import * as checkouts from './baseline/checkouts.ts'
import * as connections from './baseline/connections.ts'
import * as ledger from './baseline/ledger.ts'
import * as lists from './baseline/lists.ts'
import * as methods from './baseline/methods.ts'
import * as operations from './baseline/operations.ts'
import * as payouts from './baseline/payouts.ts'
import * as subscriptions from './baseline/subscriptions.ts'
import * as wallets from './baseline/wallets.ts'

export const sql = [
  wallets,
  ledger,
  callbacks,
  operations,
  lists,
  cards,
  checkouts,
  subscriptions,
  methods,
  bankFiles,
  connections,
  payouts,
  backoffice,
]
  .map((part) => part.sql)
  .join('')
