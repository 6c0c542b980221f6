// The dependencies of payouts.

import type { Idempotency } from '../idempotency/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { Core } from '../module.ts'
import type { Engine } from '../operations/for-movements.ts'
import type { Settle } from '../operations/index.ts'
import type { CreditTransfer } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface PayoutsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'onError'> {
  readonly ledger: Ledger
  readonly settle: Settle
  readonly engine: Engine
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly rail: CreditTransfer
  readonly idempotency: Pick<Idempotency, 'fingerprint' | 'recall'>
}
