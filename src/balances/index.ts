// The entry point of balances: payments from them (WALLET), transfers to them (BANK), payouts (WALLETFUNDS).
import type { App } from '../http/index.ts'
import { inTurn } from '../kernel/in-turn.ts'
import type { Cents } from '../kernel/money.ts'
import type { Result } from '../kernel/result.ts'
import type { Posting } from '../ledger/index.ts'
import type { Operation } from '../operations/index.ts'
import type { IncomingTransfer } from '../rails/index.ts'
import type { Worker } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { BalancesDeps } from './deps.ts'
import { type AlsoPaid, type BalancePaid, type Credentials, payFromBalance, takeFromBalance } from './pay.ts'
import { type Funds, fundsOf, inquireByKey, type Ordered, payOut } from './payouts/payout.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { createPayoutSchedules } from './payouts/schedule.ts'
import { assign, previewAssign, receiveTransfer } from './receive.ts'
import { createDayRollUps } from './statement/roll-up.ts'
import { statementRoutes } from './statement/routes.ts'
import { findTransfer, listTransfers } from './store.ts'
import type { ReceivedTransfer } from './table.ts'

export { balanceChecks } from './audit.ts'
export type { BalancesDeps } from './deps.ts'
export type { BalancePaid } from './pay.ts'
export { type Funds, payoutRail } from './payouts/payout.ts'
export { topUpReference } from './rules.ts'
export { findPayer } from './store.ts'
export type { ReceivedTransfer } from './table.ts'

export interface Balances {
  /** Refusals: authentication_failed, pin_retries_exhausted. */
  pay(operation: Operation, consumer: Credentials, also?: AlsoPaid): Promise<Result<BalancePaid>>
  /** Who knows the PIN. Refusals: authentication_failed, pin_retries_exhausted. */
  consumerOf(consumer: Credentials): Promise<Result<bigint>>
  /** Takes an operation opened for it, without the consumer: they allowed that before. */
  take(operation: Operation, consumerId: bigint): Promise<BalancePaid>
  fundsOf(wallet: Wallet): Promise<Funds>
  receive(transfer: IncomingTransfer): Promise<ReceivedTransfer>
  /** Refusals: not_found, illegal_state. */
  assign(transferId: string, walletId: bigint): Promise<Result<ReceivedTransfer>>
  /** What assigning would book now. Refusals: those of `assign`. */
  previewAssign(transferId: string, walletId: bigint): Promise<Result<readonly Posting[]>>
  /** Newest first. */
  transfers(onlyUnassigned: boolean, limit: number): Promise<ReceivedTransfer[]>
  /** The wallet that a transfer was put to; undefined where it is nobody's. */
  walletOfTransfer(transferId: string): Promise<bigint | undefined>
  /** With a request id, which is a UUID in lower case, once. Refusals: see {@link payOut}. */
  payOut(wallet: Wallet, amount: Cents, requestId?: string | undefined): Promise<Result<Ordered>>
  /** Asks the bank about the payout or refund by transfer of this key, if it is one. */
  onNotice(key: string): Promise<void>
  /** Orders payouts when they are due by schedule. */
  readonly schedules: Worker
  /** Keeps statements quick to add up. */
  readonly days: Worker
  readonly routes: (app: App) => void
}

export function createBalances(deps: BalancesDeps): Balances {
  const { database, idempotency } = deps
  // The account lets one at a time pass: those that wait need not hold a connection each.
  const taking = inTurn<BalancePaid>()
  return {
    pay: (operation, consumer, also) => payFromBalance(deps, operation, consumer, also),
    consumerOf: ({ email, pin }) => deps.wallets.logInConsumer(email, pin),
    take: (operation, consumerId) =>
      taking(String(consumerId), () => takeFromBalance(deps, operation, consumerId)),
    fundsOf: (wallet) => fundsOf(deps, wallet),
    receive: (transfer) => receiveTransfer(deps, transfer),
    assign: (transferId, walletId) => assign(deps, transferId, walletId),
    previewAssign: (transferId, walletId) => previewAssign(deps, transferId, walletId),
    transfers: (onlyUnassigned, limit) => listTransfers(database, onlyUnassigned, limit),
    walletOfTransfer: async (transferId) => (await findTransfer(database, transferId))?.walletId,
    payOut(wallet, amount, requestId) {
      const fingerprint = idempotency.fingerprint(`payout ${amount}`)
      const key = requestId === undefined ? undefined : { requestId, fingerprint }
      return payOut(deps, wallet, { amount, key, channel: 'BACKOFFICE' })
    },
    onNotice: (key) => inquireByKey(deps, key),
    schedules: createPayoutSchedules(deps),
    days: createDayRollUps(deps),
    routes: (app) => {
      payoutRoutes(deps)(app)
      statementRoutes(deps)(app)
    },
  }
}
