// Rows of many payments by token in three statements.
import { randomUUID } from 'node:crypto'
import type { BareStatement } from './bare-loop.ts'
import type { BareAccounts } from './bare-rows.ts'

export function groupOfPayments(
  walletId: number,
  accounts: BareAccounts,
  callback: string,
  size: number,
): readonly BareStatement[] {
  const ids = Array.from({ length: size }, () => randomUUID())
  const now = new Date()
  return [
    { text: openSql, values: [ids, walletId, callback, now] },
    { text: decideSql, values: [ids, walletId, now] },
    {
      text: settleSql,
      values: [ids, walletId, now, callback, accounts.clearing, accounts.merchant, accounts.fees],
    },
  ]
}

const openSql = `
  insert into operations (
    id, wallet_id, type, status, method, amount, currency, channel, attempt_id, under_approval, card,
    callback_url, created_at, modified_at
  )
  select id, $2::bigint, 'PAYMENT', 'PENDING', 'CC', 1000, 'EUR', 'API', id, true,
    '{"last4": "0027", "type": "visa"}'::jsonb, $3::text, $4::timestamptz, $4
  from unnest($1::uuid[]) as id`

const decideSql = `
  insert into sandbox.authorizations (
    key, merchant_id, amount, currency, intent, last4, reference, approval_code, decided_at
  )
  select id, $2::bigint, 1000, 'EUR', 'sale', '0027', id, '123456', $3::timestamptz
  from unnest($1::uuid[]) as id`

const settleSql = `
  with moved as (
    update operations set status = 'COMPLETED', fee = -25, under_approval = false,
      modified_at = $3::timestamptz, settled_at = $3
    from unnest($1::uuid[]) as input (id)
    where wallet_id = $2::bigint and operations.id = input.id and status = 'PENDING'
    returning operations.id, gen_random_uuid() as event_id
  ), posting as (
    insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
    select $2, id, 'settle', $5::bigint, side.credit_account, side.amount, $3
    from moved cross join (values ($6::bigint, 975), ($7::bigint, 25)) as side (credit_account, amount)
  ), event as (
    insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
    select $2, event_id, 'operation', id, 'COMPLETED', payload, sha256(convert_to(payload, 'UTF8')), $3
    from moved cross join lateral (
      select '{"operation_id":"' || id || '","event":"COMPLETED","amount":10}' as payload
    ) as text
  )
  insert into deliveries (wallet_id, event_id, lane, endpoint, url, state, finished_at)
  select $2, event_id, 'bench', 'operation', $4::text, 'DELIVERED', $3 from moved`
