// Guards of the payment methods.
import type { GuardsOfFile } from './guard.ts'

export const guardsOfMethods: readonly GuardsOfFile[] = [
  {
    file: 'src/methods/multibanco/delete.ts',
    tests: ['test/spec/references.test.ts'],
    guards: [{ text: 'reference?.walletId === walletId ? reference : undefined', instead: 'reference' }],
  },
  {
    file: 'src/methods/multibanco/store.ts',
    tests: [
      'test/storage/late.test.ts',
      'test/connections/references.test.ts',
      'test/races/references.test.ts',
    ],
    guards: [
      { text: 'bank_reference_requests.withdrawn_at is null', instead: 'true' },
      'for update of bank_reference_requests',
      'and deleted_at is null',
    ],
  },
  {
    file: 'src/methods/multibanco/payments/notices-store.ts',
    tests: ['test/storage/late.test.ts', 'test/races/references.test.ts'],
    guards: [
      { text: 'bank_references.deleted_at is null', instead: 'true' },
      'for share of bank_references',
      { text: 'on conflict (payment_id) do nothing', place: 1 },
      { text: 'on conflict (payment_id) do nothing', place: 2 },
    ],
  },
  {
    file: 'src/authorizations/store.ts',
    tests: ['test/storage/locks.test.ts'],
    guards: [
      'and (authorization_timers.leased_until is null or authorization_timers.leased_until <= $1)',
      {
        text: 'for update of authorization_timers skip locked',
        unnoticed:
          'the lock of the operation passes over what another is claiming; the one of the timer matters where the other ' +
          'commits between reading the row and locking it, a moment that no test can hold open',
      },
      'for no key update of operations skip locked',
      { text: 'and lapsed_at is null and expires', instead: 'and expires' },
      { text: 'and id = $2 and lapsed_at is null', instead: 'and id = $2' },
    ],
  },
  {
    file: 'src/methods/mbway/mandates/allowances-store.ts',
    tests: ['test/storage/locks.test.ts', 'test/mandates/allowances.test.ts'],
    guards: [
      "and state = 'ACTIVE'",
      { text: 'and expiry_date >= $5', instead: 'and $5::text is not null' },
      'for share',
      'where amount_limit >= $4::bigint',
      {
        text: 'mandate_allowances.used + excluded.used <= (select amount_limit from mandate)',
        instead: 'true',
      },
    ],
  },
  {
    file: 'src/methods/mbway/mandates/questions.ts',
    tests: ['test/storage/late.test.ts', 'test/races/mobile-units.test.ts'],
    guards: [
      { text: 'select pg_advisory_xact_lock(hashtextextended($1::text, 0))', instead: 'select $1::text' },
    ],
  },
  {
    file: 'src/subscriptions/charging/process.ts',
    tests: ['test/storage/late-subscriptions.test.ts', 'test/races/subscriptions.test.ts'],
    guards: [
      { text: "and charges.status = 'PROCESSING' and not charges.opened", place: 1 },
      { text: "and charges.status = 'PROCESSING' and not charges.opened", place: 2 },
    ],
  },
  {
    file: 'src/subscriptions/transitions-store.ts',
    tests: ['test/storage/late-subscriptions.test.ts', 'test/races/subscriptions.test.ts'],
    guards: [
      { text: "and status = 'NEW' for update", instead: "and status = 'NEW'" },
      {
        text: "and status = 'NEW' and under_approval and attempt_id = $3",
        instead: 'and $3::uuid is not null',
      },
    ],
  },
  {
    file: 'src/methods/bank-transfer/store.ts',
    tests: ['test/bank-files/files.test.ts'],
    guards: ['on conflict (id) do nothing', { text: 'id = $1 and wallet_id is null', instead: 'id = $1' }],
  },
  {
    file: 'src/payouts/schedule.ts',
    tests: ['test/races/balances.test.ts', 'test/races/payout-runs.test.ts'],
    guards: ['on conflict (wallet_id, day) do nothing', 'for update skip locked'],
  },
  {
    file: 'src/suspense/store.ts',
    tests: ['test/suspense/entries.test.ts'],
    guards: [
      'on conflict (payment_id) do nothing',
      { text: "and state = 'OPEN' returning id", instead: 'returning id' },
      {
        text: "where refund_key = $1 and state = 'REFUNDING' returning",
        instead: 'where refund_key = $1 returning',
      },
      {
        text: "and state in ('REFUNDING', 'REFUNDED')",
        unnoticed: 'an entry has a key of a refund in these two states alone: going back removes it',
      },
      'for update',
      { text: "and state = 'OPEN' returning amount", instead: 'returning amount' },
    ],
  },
  {
    file: 'src/payment-links/store.ts',
    tests: ['test/storage/locks.test.ts'],
    guards: [{ text: 'and id = $2 for update', instead: 'and id = $2' }],
  },
  {
    file: 'src/bank-files/store.ts',
    tests: ['test/bank-files/files.test.ts'],
    guards: [
      'and file_id is null',
      { text: 'for update skip locked', place: 1 },
      { text: 'for update skip locked', place: 2 },
    ],
  },
  {
    file: 'src/methods/cards/attempts/authenticate.ts',
    tests: ['test/rails/sandbox-three-d-secure.test.ts', 'test/spec/card-outcomes.test.ts'],
    guards: ['|| !timingSafeEqual(given, expected)'],
  },
]
