// Migration: each reference of an operation has its own mail.

export const sql = `
-- A customer who leaves Multibanco and comes back gets another reference for the same operation.
create function note_reference_mail() returns trigger language plpgsql as $$
begin
  insert into mails (wallet_id, id, kind, subject, occasion, due_at, created_at)
  select new.wallet_id, mail_id(new.modified_at), kind, new.id, new.mb_ref, new.modified_at, new.modified_at
  from mail_switches
  where wallet_id = new.wallet_id and kind = 'reference' and is_on
  on conflict (wallet_id, kind, subject, occasion) do nothing;
  return null;
end
$$;

create or replace function note_reminder() returns trigger language plpgsql as $$
begin
  insert into mails (wallet_id, id, kind, subject, occasion, due_at, created_at)
  select new.wallet_id, mail_id(new.modified_at), kind, new.id, new.mb_ref, new.expires - interval '1 day',
    new.modified_at
  from mail_switches
  where wallet_id = new.wallet_id and kind = 'reference_reminder' and is_on
  on conflict (wallet_id, kind, subject, occasion) do nothing;
  return null;
end
$$;

drop trigger new_references_are_mailed on operations;
drop trigger references_are_mailed on operations;
create trigger new_references_are_mailed after insert on operations for each row
  when (new.mb_ref is not null and new.status = 'PENDING' and new.type = 'PAYMENT')
  execute function note_reference_mail();
create trigger references_are_mailed after update on operations for each row
  when (new.mb_ref is not null and new.status = 'PENDING' and new.mb_ref is distinct from old.mb_ref)
  execute function note_reference_mail();
`
