// The tables of the sandbox leave the gateway's schema: those that hold something move to the schema sandbox, where its
// own migrations find them; those of a database in which no sandbox ran are dropped.

export const sql = `
do $$
declare
  -- The name as it was, and in the schema sandbox; references is a word of SQL.
  tables constant text[][] := array[
    ['sandbox_authorisations', 'authorisations'], ['sandbox_follow_ups', 'follow_ups'],
    ['sandbox_challenges', 'challenges'], ['sandbox_clock', 'clock'],
    ['sandbox_references', 'published_references'], ['sandbox_reference_payments', 'reference_payments'],
    ['sandbox_phone_requests', 'phone_requests'], ['sandbox_phone_mandates', 'phone_mandates'],
    ['sandbox_phone_changes', 'phone_changes'], ['sandbox_phone_movements', 'phone_movements'],
    ['sandbox_wallet_orders', 'wallet_orders'], ['sandbox_debits', 'debits'],
    ['sandbox_transfers', 'transfers'], ['sandbox_given_back', 'given_back']
  ];
  pair text[];
  one text;
  is_used boolean := false;
begin
  foreach pair slice 1 in array tables loop
    continue when is_used or to_regclass(pair[1]) is null;
    -- The clock has its one row from the start.
    execute format('select exists (select from %I %s)', pair[1],
      case pair[1] when 'sandbox_clock' then 'where offset_ms > 0' else '' end) into is_used;
  end loop;

  if is_used then
    create schema if not exists sandbox;
    foreach pair slice 1 in array tables loop
      continue when to_regclass(pair[1]) is null;
      -- An index that belongs to a constraint is renamed with it.
      for one in
        select conname from pg_constraint
        where conrelid = pair[1]::regclass and starts_with(conname, pair[1] || '_')
      loop
        execute format('alter table %I rename constraint %I to %I', pair[1], one,
          pair[2] || substr(one, length(pair[1]) + 1));
      end loop;
      for one in
        select relname from pg_index join pg_class on pg_class.oid = indexrelid
        where indrelid = pair[1]::regclass and starts_with(relname, pair[1] || '_')
      loop
        execute format('alter index %I rename to %I', one, pair[2] || substr(one, length(pair[1]) + 1));
      end loop;
      execute format('alter table %I set schema sandbox', pair[1]);
      execute format('alter table sandbox.%I rename to %I', pair[1], pair[2]);
    end loop;
    if exists (select from pg_proc where proname = 'sandbox_authorisation_holds') then
      alter function sandbox_authorisation_holds set schema sandbox;
      alter function sandbox.sandbox_authorisation_holds rename to authorisation_holds;
    end if;
  else
    foreach pair slice 1 in array tables loop
      execute format('drop table if exists %I', pair[1]);
    end loop;
    drop function if exists sandbox_authorisation_holds;
  end if;
end $$;
`
