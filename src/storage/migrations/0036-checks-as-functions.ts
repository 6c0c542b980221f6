// The checks of the tables that every payment writes, as one function each: every statement that writes a table first
// reads the text of all its checks, and of a lone payment's statements that was a quarter of the time.

/** Whatever names the checks were given. */
const dropChecks = (table: string) => `
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c' loop
    execute format('alter table ${table} drop constraint %I', name);
  end loop;
end $$;`

// What is neither true nor false, because a column is null, passes, as in any check. Functions in SQL would be
// read anew as well: those in PL/pgSQL are compiled once for each connection.
export const sql = `
create function operation_holds(
  type text, status text, amount bigint, fee bigint, under_approval boolean, settled_at timestamptz,
  refunded bigint, captured bigint, captures integer, released bigint, lapsed_at timestamptz,
  split jsonb, split_at timestamptz, takes jsonb, take_source text
) returns boolean language plpgsql immutable as $$
begin
  return
    type in ('PAYMENT', 'AUTH', 'CAPTURE', 'RELEASE', 'REFUND', 'USERTRANSFER', 'WALLETFUNDS')
    and status in ('NEW', 'PENDING', 'COMPLETED', 'FAIL', 'VOIDED')
    and (status in ('COMPLETED', 'FAIL', 'VOIDED')) = (settled_at is not null)
    and (not under_approval or status = 'PENDING')
    and amount <> 0
    and fee <= 0
    and refunded between 0 and greatest(amount, 0)
    and (status = 'COMPLETED' or refunded = 0)
    and captured >= 0 and released >= 0 and captured + released <= greatest(amount, 0)
    and captures between 0 and 10
    and (
      type = 'AUTH' and status = 'COMPLETED'
      or captured = 0 and captures = 0 and released = 0 and lapsed_at is null
    )
    and (split is null or type in ('PAYMENT', 'AUTH', 'CAPTURE'))
    and (split_at is null or type in ('PAYMENT', 'CAPTURE') and status = 'COMPLETED')
    and (takes is null) = (take_source is null)
    and (takes is null or type = 'REFUND')
    and take_source in ('proportion', 'listed', 'owner');
end $$;
${dropChecks('operations')}
alter table operations add constraint operations_hold check (operation_holds(
  type, status, amount, fee, under_approval, settled_at, refunded, captured, captures, released, lapsed_at,
  split, split_at, takes, take_source
));

create function delivery_holds(
  endpoint text, url text, state text, due_at timestamptz, finished_at timestamptz, attempts integer,
  claim_id uuid, claimed_until timestamptz
) returns boolean language plpgsql immutable as $$
begin
  return
    endpoint in ('operation', 'wallet', 'card', 'mandate')
    and (endpoint in ('operation', 'mandate')) = (url is not null)
    and state in ('DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT')
    and (state = 'DUE') = (due_at is not null)
    and (state in ('DELIVERED', 'GIVEN_UP', 'VERIFIED')) = (finished_at is not null)
    and attempts between 0 and 13
    and (claim_id is null) = (claimed_until is null);
end $$;
${dropChecks('deliveries')}
alter table deliveries add constraint deliveries_hold check (delivery_holds(
  endpoint, url, state, due_at, finished_at, attempts, claim_id, claimed_until
));

create function sandbox_authorisation_holds(
  merchant_id bigint, amount bigint, currency text, intent text, last4 text, decline text, approval_code text,
  captured bigint, released bigint, refunded bigint
) returns boolean language plpgsql immutable as $$
begin
  return
    amount > 0
    and intent in ('sale', 'hold')
    and length(last4) = 4
    and (decline is null) = (approval_code is not null)
    and captured >= 0 and released >= 0 and refunded >= 0 and captured + released <= amount
    and (decline is not distinct from 'cancelled' or num_nulls(merchant_id, amount, currency, intent, last4) = 0);
end $$;
${dropChecks('sandbox_authorisations')}
alter table sandbox_authorisations add constraint sandbox_authorisations_hold check (sandbox_authorisation_holds(
  merchant_id, amount, currency, intent, last4, decline, approval_code, captured, released, refunded
));
`
