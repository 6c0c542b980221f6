// Cards accepted for a subscription are kept for that alone; merchants' own are theirs to charge.

export const sql = `
alter table stored_cards
  -- Who may charge it: its merchant at any time, or the charges of the subscription that names its token.
  add column kept_for text not null default 'merchant' check (kept_for in ('merchant', 'subscription'));
-- Until now both shared one record. What the merchant stored itself stays the merchant's.
update stored_cards set kept_for = 'subscription'
where exists (
    select 1 from subscriptions
    where subscriptions.wallet_id = stored_cards.wallet_id and subscriptions.card_token = stored_cards.token
  )
  and not exists (
    select 1 from card_storings
    where card_storings.wallet_id = stored_cards.wallet_id and card_storings.token = stored_cards.token
  );
drop index stored_cards_by_fingerprint;
create unique index stored_cards_by_fingerprint on stored_cards (wallet_id, fingerprint)
  where voided_at is null and kept_for = 'merchant';
create index subscriptions_by_card on subscriptions (wallet_id, card_token) where card_token is not null;
`
