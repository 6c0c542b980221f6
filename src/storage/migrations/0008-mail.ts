// Migration: mail to customers and merchants, and its switches.

export const sql = `
-- Absent: the default of the kind.
create table mail_switches (
  wallet_id bigint not null references wallets,
  kind text not null,
  is_on boolean not null,
  modified_at timestamptz not null,
  primary key (wallet_id, kind)
);

-- Mail with its status. Written in the transaction that causes it.
create table mails (
  wallet_id bigint not null,
  id uuid not null,
  kind text not null,
  subject uuid not null,
  occasion text not null default '',
  state text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'REFUSED', 'GIVEN_UP', 'SKIPPED')),
  recipient text,
  language text,
  title text,
  details jsonb,
  sealed bytea,
  attempts integer not null default 0,
  due_at timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (wallet_id, id),
  unique (wallet_id, kind, subject, occasion),
  check ((state = 'WAITING') = (due_at is not null)),
  check ((state = 'WAITING') = (finished_at is null))
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_finished on mails (finished_at) where finished_at is not null;

-- Addresses that want no more mail of a kind from a merchant, as digests.
create table mail_stops (
  wallet_id bigint not null,
  kind text not null,
  digest bytea not null,
  stopped_at timestamptz not null,
  primary key (wallet_id, kind, digest)
);

-- The language of the page on which a customer paid, while a kind for customers is on.
create table mail_languages (
  wallet_id bigint not null,
  subject uuid not null,
  language text not null,
  primary key (wallet_id, subject)
);

-- Ids grow with time and contain the cell, as those of the gateway.
create function mail_id(at timestamptz) returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(made.hex, 14, 3)
    || substr(made.hex, 17, 1) || lpad(to_hex(cell.number), 3, '0') || substr(made.hex, 21))::uuid
  from cell, (select replace(gen_random_uuid()::text, '-', '') as hex) as made
$$;

-- Its argument is the kind. A kind that is off reads one row of a small table and writes nothing.
create function note_mail() returns trigger language plpgsql as $$
begin
  insert into mails (wallet_id, id, kind, subject, due_at, created_at)
  select new.wallet_id, mail_id(new.modified_at), kind, new.id, new.modified_at, new.modified_at
  from mail_switches
  where wallet_id = new.wallet_id and kind = tg_argv[0] and is_on
  on conflict (wallet_id, kind, subject, occasion) do nothing;
  return null;
end
$$;

create function note_reminder() returns trigger language plpgsql as $$
begin
  insert into mails (wallet_id, id, kind, subject, due_at, created_at)
  select new.wallet_id, mail_id(new.modified_at), kind, new.id, new.expires - interval '1 day', new.modified_at
  from mail_switches
  where wallet_id = new.wallet_id and kind = 'reference_reminder' and is_on
  on conflict (wallet_id, kind, subject, occasion) do nothing;
  return null;
end
$$;

create trigger receipts_are_mailed after update on operations for each row
  when (new.status = 'COMPLETED' and old.status <> 'COMPLETED' and new.type in ('PAYMENT', 'CAPTURE'))
  execute function note_mail('receipt');
create trigger refunds_are_mailed after update on operations for each row
  when (new.status = 'COMPLETED' and old.status <> 'COMPLETED' and new.type = 'REFUND' and new.amount < 0
    and new.channel not in ('BANK', 'RAIL'))
  execute function note_mail('refund');
create trigger payouts_are_mailed after update on operations for each row
  when (new.status = 'COMPLETED' and old.status <> 'COMPLETED' and new.type = 'WALLETFUNDS' and new.amount < 0)
  execute function note_mail('payout');
create trigger disputes_are_mailed after insert on operations for each row
  when (new.type = 'REFUND' and new.amount < 0 and new.channel in ('BANK', 'RAIL'))
  execute function note_mail('dispute');

create trigger new_references_are_mailed after insert on operations for each row
  when (new.mb_ref is not null and new.status = 'PENDING' and new.type = 'PAYMENT')
  execute function note_mail('reference');
create trigger references_are_mailed after update on operations for each row
  when (new.mb_ref is not null and new.status = 'PENDING' and new.mb_ref is distinct from old.mb_ref)
  execute function note_mail('reference');
create trigger reminders_of_new_references_are_mailed after insert on operations for each row
  when (new.mb_ref is not null and new.status = 'PENDING' and new.type = 'PAYMENT'
    and new.expires > new.modified_at + interval '25 hours')
  execute function note_reminder();
create trigger reminders_are_mailed after update on operations for each row
  when (new.mb_ref is not null and new.status = 'PENDING' and new.mb_ref is distinct from old.mb_ref
    and new.expires > new.modified_at + interval '25 hours')
  execute function note_reminder();

create trigger failed_charges_are_mailed after update on charges for each row
  when (new.status = 'FAIL' and old.status <> 'FAIL')
  execute function note_mail('charge_failed');
`
