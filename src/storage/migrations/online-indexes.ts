// Indexes of tables that grow with every payment, built after the steps (docs/decisions/0171).
import type { OnlineIndexes } from '../indexes.ts'

export const onlineIndexes: OnlineIndexes = {
  // Authorizations are few among many operations, as payouts are.
  operations_authorizations: "operations (wallet_id, id) where type = 'AUTH'",
  stored_cards_by_time: "stored_cards (wallet_id, created_at, token) where kept_for = 'merchant'",
  stored_cards_by_last4: "stored_cards (wallet_id, last4, created_at, token) where kept_for = 'merchant'",
  // By digit, whatever the language of the database.
  bank_references_by_ref: 'bank_references (wallet_id, ref collate "C")',
  limit_uses_open: 'limit_uses (wallet_id, day) where not final',
  bank_entries_about_order: 'bank_entries (wallet_id, order_id) where order_id is not null',
  bank_entries_by_reference: 'bank_entries (servicer_reference) where servicer_reference is not null',
  bank_orders_open: 'bank_orders (created_at, id) where answer is null and file_id is not null',
  bank_entries_by_report: 'bank_entries (report_id)',
  bank_orders_hinted: 'bank_orders (created_at) where answer is null and hint is not null',
  // They find what was written last, and cost a payment nothing.
  postings_in_order: 'postings using brin (written_in)',
  events_by_transaction: 'events using brin (written_in)',
  // The newest key that signed a batch: none below it may sign again.
  chain_batches_by_key: 'chain_batches (key)',
  rail_webhooks_by_request: 'rail_webhooks (about) where about is not null',
}
