// Indexes of lists that people page through, however long they are.

export const sql = `
-- Authorizations are few among many operations, as payouts are.
create index operations_authorizations on operations (wallet_id, id) where type = 'AUTH';
create index stored_cards_by_time on stored_cards (wallet_id, created_at, token) where kept_for = 'merchant';
create index stored_cards_by_last4 on stored_cards (wallet_id, last4, created_at, token) where kept_for = 'merchant';
-- By digit, whatever the language of the database.
create index bank_references_by_ref on bank_references (wallet_id, ref collate "C");
create index suspense_entries_by_time on suspense_entries (created_at);
`
