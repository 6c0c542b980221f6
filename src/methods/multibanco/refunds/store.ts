// The SQL of refunds to a bank account.
import type { Day } from '../../../kernel/lisbon.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { execute, findFirst, hasRows } from '../../../storage/index.ts'
import { type AccountRefund, accountRefunds } from './model.ts'

export const insertAccountRefund = execute((refund: AccountRefund) => accountRefunds.values(refund))`
  insert into account_refunds (${accountRefunds.list()}) values (${accountRefunds.placeholders()})`

export const findAccountRefund = findFirst(accountRefunds, (walletId: bigint, id: string) => [walletId, id])`
  select ${accountRefunds.list()} from account_refunds where wallet_id = $1 and id = $2`

/** Only for an id from a signed link. */
export const findAccountRefundOfPage = findFirst(accountRefunds, (id: string) => [id])`
  select ${accountRefunds.list()} from account_refunds where id = $1`

type Key = Pick<AccountRefund, 'walletId' | 'id'>

/** Uses the page up. False if it was used or has ended, its refund is settled, or the merchant is suspended. */
export const markNamed = hasRows(({ walletId, id }: Key, sendOn: Day, now: Instant) => [
  walletId,
  id,
  sendOn,
  toTimestamp(now),
])`
  update account_refunds set named_at = $4, send_on = $3
  where wallet_id = $1 and id = $2 and named_at is null and ended_at is null and expires_at > $4
    and exists (
      select from operations where operations.wallet_id = $1 and operations.id = $2 and operations.status = 'PENDING'
    )
    and exists (select from wallets where wallets.id = $1 and wallets.suspended_at is null)
  returning id`

/** Ends an unused page after its last moment. False if it was used or is still open. */
export const markEnded = hasRows(({ walletId, id }: Key, now: Instant) => [walletId, id, toTimestamp(now)])`
  update account_refunds set ended_at = $3
  where wallet_id = $1 and id = $2 and named_at is null and ended_at is null and expires_at <= $3
  returning id`
