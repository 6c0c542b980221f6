// Guards of the schema: unique keys, bounds, append-only books.
import type { GuardsOfFile } from './guard.ts'

const tests = ['test/storage/constraints.test.ts']
const baseline = 'src/storage/migrations/baseline'

export const guardsOfSchema: readonly GuardsOfFile[] = [
  {
    file: `${baseline}/ledger.ts`,
    tests,
    guards: [
      ', unique (wallet_id, kind, currency)',
      ', check ((id < 0) = (wallet_id = 0))',
      'check (amount > 0)',
      ', check (debit_account <> credit_account)',
      'primary key (operation_id, purpose, debit_account, credit_account),',
      'create trigger postings_append_only before update or delete or truncate on postings for each statement execute function refuse_change();',
    ],
  },
  {
    file: `${baseline}/operations.ts`,
    tests,
    guards: [
      "and (status in ('COMPLETED', 'FAIL', 'VOIDED')) = (settled_at is not null)",
      "and (not under_approval or status = 'PENDING')",
      'and amount <> 0',
      'and fee <= 0',
      'and refunded between 0 and greatest(amount, 0)',
      "and (status = 'COMPLETED' or refunded = 0)",
      'and captured + released <= greatest(amount, 0)',
      'and captures between 0 and 10',
      { text: 'create unique index attempts_by_key', instead: 'create index attempts_by_key' },
      { text: 'create unique index attempts_by_page', instead: 'create index attempts_by_page' },
      {
        text: 'create unique index attempts_by_three_ds_id',
        instead: 'create index attempts_by_three_ds_id',
      },
      "constraint attempts_card_check check (state in ('OPEN', 'ASKED') or sealed_card is null),",
      ', unique (wallet_id, operation_id, merchant_wallet_id)',
      'check (merchant_wallet_id <> wallet_id)',
      'check (refunded between 0 and amount)',
      'check (taken >= 0)',
    ],
  },
  {
    file: `${baseline}/subscriptions.ts`,
    tests,
    guards: [
      'check (used >= 0)',
      { text: 'create unique index charges_by_operation', instead: 'create index charges_by_operation' },
      ", check (opened or status <> 'SUCCESS')",
      ", constraint charges_due check ((due_at is not null) = (status in ('NEW', 'PROCESSING') and not opened))",
    ],
  },
  {
    file: `${baseline}/methods.ts`,
    tests,
    guards: [
      {
        text: 'create unique index balance_payments_paid',
        instead: 'create index balance_payments_paid',
      },
    ],
  },
]
