// SQL that writes the rows of a large wallet.

const idSql = (salt: string) => `
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' ||
      substr(md5(n || '${salt}' || $1::bigint), 1, 15))::uuid`

/** One row for each of `size`, oldest first, with `n`, `at` and `id`. $1 is the wallet, $2 is `size`. */
const momentsSql = (salt: string) => `
  select n, at, ${idSql(salt)} as id
  from generate_series(1, $2::integer) as n
  cross join lateral (select now() - (($2::integer - n) * 365.0 / $2::integer) * interval '1 day' as at) as moment`

const operations = `
  insert into operations (id, wallet_id, type, status, method, amount, fee, currency, channel, ext_invoiceid, card,
    mb_entity, mb_ref, phone, client, store, payment_link_id, created_at, modified_at, settled_at)
  select id, $1::bigint, type,
    case when type = 'PAYMENT' and n % 100 < 4 then 'FAIL' else 'COMPLETED' end, method,
    case when type in ('REFUND', 'WALLETFUNDS') then -1000 - n % 5000 else 1000 + n % 5000 end,
    case type when 'PAYMENT' then -25 else 0 end, 'EUR', case n % 3 when 0 then 'WEB' else 'API' end, 'BENCH-' || n,
    case method when 'CC' then jsonb_build_object('bin', '417666', 'last4', lpad((n % 10000)::text, 4, '0'), 'type', 'visa') end,
    case method when 'MB' then '21312' end, case method when 'MB' then lpad(n::text, 9, '0') end,
    case method when 'MBWAY' then '+35191' || lpad((n % 10000000)::text, 7, '0') end,
    jsonb_build_object('name', 'Ana Silva', 'email', 'ana' || n % 50000 || '@example.com'), null,
    case when type = 'PAYMENT' and n % 2 = 0 then (select id from payment_links where wallet_id = $1::bigint order by id limit 1) end,
    at, at, at
  from (${momentsSql('operation')}) as made
  cross join lateral (
    select case when n % 100 < 85 then 'PAYMENT' when n % 100 < 90 then 'REFUND' when n % 100 < 95 then 'AUTH'
      else 'WALLETFUNDS' end as type
  ) as typed
  cross join lateral (
    select case when type = 'WALLETFUNDS' then null when type = 'AUTH' then 'CC'
      else (array['CC', 'CC', 'MBWAY', 'MBWAY', 'MB', 'PAYPAL', 'SEPA'])[1 + n % 7] end as method
  ) as paid`

const operationCounts = `
  insert into operation_counts (wallet_id, type, operations)
  select wallet_id, type, count(*) from operations where wallet_id = $1::bigint and $2::integer > 0 group by 1, 2`

const postings = `
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  select $1::bigint, operations.id, 'settle', side.debit, side.credit, side.amount, created_at
  from operations
  cross join (
    select (select id from accounts where wallet_id = $1::bigint and kind = 'merchant') as merchant,
      (select id from accounts where wallet_id = 0 and kind = 'fees') as fees,
      (select id from accounts where wallet_id = 0 and kind = 'clearing:CC') as clearing
  ) as account
  cross join lateral (
    values (clearing, merchant, amount - 25, type = 'PAYMENT'), (clearing, fees, 25, type = 'PAYMENT'),
      (merchant, clearing, -amount, amount < 0)
  ) as side (debit, credit, amount, is_booked)
  where wallet_id = $1::bigint and $2::integer > 0 and status = 'COMPLETED' and is_booked
  order by operations.id, side.amount desc`

const paymentLinks = `
  insert into payment_links (id, wallet_id, code, description, amount, currency, uses_max, closed_at, created_at)
  select id, $1::bigint, substr(md5(n || 'code' || $1::bigint), 1, 22), 'Link ' || n, 1000, 'EUR',
    case when n % 2 = 0 then 3 end, case when n % 5 = 0 then at end, at
  from (${momentsSql('link')}) as made
  where n % 100 = 0`

const events = `
  insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at, written_in)
  select $1::bigint, id, 'operation', md5(n::text)::uuid, case when n % 25 = 0 then 'FAIL' else 'COMPLETED' end,
    '{"event":"COMPLETED","type":"PAYMENT","operation_id":"' || id || '","amount":10}',
    decode(repeat('00', 32), 'hex'), at, 0
  from (${momentsSql('event')}) as made`

/** One in ten is given up. Of the others, every second one is delivered but not verified. */
const deliveries = `
  insert into deliveries (wallet_id, event_id, lane, endpoint, state, attempts, last_status, finished_at)
  select wallet_id, id, 'wallet', 'wallet', state, 1, case state when 'GIVEN_UP' then 500 else 200 end, created_at
  from events
  cross join lateral (select ascii(right(id::text, 1)) % 10 as digit) as drawn
  cross join lateral (
    select case digit when 0 then 'GIVEN_UP' else case when digit % 2 = 0 then 'VERIFIED' else 'DELIVERED' end end as state
  ) as ended
  where wallet_id = $1::bigint and kind = 'operation' and $2::integer > 0
  on conflict do nothing`

/** Blocks of 200 requests in plain JSON, which is the format of an older version. */
const requests = `
  insert into request_log_blocks (wallet_id, last_id, first_id, requests, failed, answered_until, packed)
  select $1::bigint, (array_agg(id order by id desc))[1], (array_agg(id order by id))[1], count(*),
    count(*) filter (where status >= 400), max(at),
    convert_to(json_agg(json_build_object(
      'id', id, 'answeredAt', floor(extract(epoch from at) * 1000)::bigint, 'keyId', 'k' || n % 3,
      'method', case n % 4 when 0 then 'POST' else 'GET' end, 'route', '/api/v2/checkout',
      'path', '/api/v2/checkout/' || n, 'status', status, 'durationMs', 12, 'body', '{"amount":10}', 'answer', '{"id":1}'
    ) order by id desc)::text, 'UTF8')
  from (select *, case when n % 50 = 0 then 400 else 200 end as status from (${momentsSql('request')}) as made) as request
  group by n / 200`

const cards = `
  insert into stored_cards (wallet_id, token, wrapped_key, sealed_pan, fingerprint, bin, last4, brand, valdate, name,
    verification_status, created_at, modified_at)
  select $1::bigint, gen_random_uuid(), '\\x00', '\\x00', sha256(n::text::bytea), '417666', lpad((n % 10000)::text, 4, '0'),
    'visa', '12/2030', 'Ana Silva', 'VERIFIED', at, at
  from (${momentsSql('card')}) as made`

const mandates = `
  insert into mandates (id, wallet_id, type, state, phone, amount_limit, expiry_date, asked_until, created_at, modified_at, due_at)
  select id, $1::bigint, 'ONECLICK', case when n % 3 = 0 then 'VOIDED' else 'ACTIVE' end,
    '+35191' || lpad((n % 10000000)::text, 7, '0'), 10000, '2030-12-31', at, at, at,
    case when n % 3 > 0 then timestamptz '2030-12-31' end
  from (${momentsSql('mandate')}) as made`

const subscriptions = `
  insert into subscriptions (id, wallet_id, status, amount, currency, frequency, period, start_date, created_at, modified_at)
  select id, $1::bigint, 'VOIDED', 1000, 'EUR', 1, 'MONTH', '2026-01-01', at, at
  from (${momentsSql('subscription')}) as made`

const references = `
  insert into bank_references (wallet_id, id, kind, entity, ref, operation_id, amount_min, amount_max, expires, created_at, number_held)
  select $1::bigint, id, 'time_limited', '21312', lpad(n::text, 9, '0'), id, 1000, 1000, at + interval '3 days', at, false
  from (${momentsSql('operation')}) as made`

const actions = `
  insert into backoffice.actions (at, wallet_id, user_id, email, action, target, status, tid)
  select at, $1::bigint, 'bench', 'ana@example.com', 'Refund', '/refund', 200, id
  from (${momentsSql('action')}) as made`

const suspense = `
  insert into suspense_entries (id, wallet_id, method, payment_id, reference, amount, reason, paid_at, state,
    refund_key, refund_by, resolved_at, created_at)
  select id, $1::bigint, 'MB', md5(id::text)::uuid, '21312 000000001', 1000, 'REFERENCE_CLOSED', at,
    case when n % 10 = 0 then 'OPEN' else 'REFUNDED' end, case when n % 10 > 0 then md5('key' || id)::uuid end,
    case when n % 10 > 0 then 'rail' end, case when n % 10 > 0 then at end, at
  from (${momentsSql('suspense')}) as made`

const accounts = `
  insert into accounts (id, wallet_id, kind)
  select -nextval(pg_get_serial_sequence('accounts', 'id')), 0, kind from (values ('fees'), ('clearing:CC')) as own (kind)
  where $1::bigint > 0 and $2::integer > 0
  on conflict do nothing`

/** In this order, because later rows refer to earlier ones. Parameters: the wallet and the number of rows. */
export const listRows: Readonly<Record<string, string>> = {
  accounts,
  paymentLinks,
  operations,
  operationCounts,
  postings,
  events,
  deliveries,
  requests,
  cards,
  mandates,
  subscriptions,
  references,
  actions,
  suspense,
}

export async function fillLists(
  run: (text: string, parameters: unknown[]) => Promise<unknown>,
  walletId: number,
  size: number,
): Promise<void> {
  for (const text of Object.values(listRows)) await run(text, [walletId, size])
}
