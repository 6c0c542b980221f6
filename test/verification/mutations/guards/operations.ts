// Guards of operations: opening, settlement, refunds, splits, limits.
import type { GuardsOfFile } from './guard.ts'

export const guardsOfOperations: readonly GuardsOfFile[] = [
  {
    file: 'src/operations/settle/settle-sql.ts',
    tests: ['test/operations/settling.test.ts', 'test/races/settling.test.ts'],
    guards: [
      "and operations.status in ('NEW', 'PENDING')",
      'and operations.method is not distinct from input.method',
      {
        text: "when 'no_method_chosen' then operations.status = 'NEW'",
        instead: "when 'no_method_chosen' then true",
      },
      {
        text: "when 'no_rail_deciding' then not operations.under_approval",
        instead: "when 'no_rail_deciding' then true",
      },
      {
        text: "when 'attempt' then operations.under_approval and operations.attempt_id = input.attempt_id",
        instead: "when 'attempt' then operations.under_approval",
      },
      {
        text: "when 'attempt' then operations.under_approval and operations.attempt_id = input.attempt_id",
        instead: "when 'attempt' then operations.attempt_id = input.attempt_id",
      },
      {
        text: "when 'awaited_attempt' then not operations.under_approval and operations.attempt_id = input.attempt_id",
        instead: "when 'awaited_attempt' then not operations.under_approval",
      },
      {
        text: "when 'awaited_attempt' then not operations.under_approval and operations.attempt_id = input.attempt_id",
        instead: "when 'awaited_attempt' then operations.attempt_id = input.attempt_id",
      },
    ],
  },
  {
    file: 'src/operations/open/open.ts',
    tests: [
      'test/operations/children.test.ts',
      'test/operations/unreserved.test.ts',
      'test/storage/locks.test.ts',
    ],
    guards: [
      'for no key update of operations',
      "parent.status = 'COMPLETED' and",
      { text: "'CAPTURE' then parent.type = 'AUTH' and", instead: "'CAPTURE' then" },
      {
        text: "'CAPTURE' then parent.type = 'AUTH' and parent.lapsed_at is null",
        instead: "'CAPTURE' then parent.type = 'AUTH'",
      },
      'and parent.captures < ${capturesPerAuthorizationMax}',
      {
        text: "and parent.captured + parent.released + input.amount <= parent.amount\n      when 'RELEASE'",
        instead: "when 'RELEASE'",
      },
      {
        text: "'RELEASE' then parent.type = 'AUTH' and parent.lapsed_at is null",
        instead: "'RELEASE' then parent.type = 'AUTH'",
      },
      'and (parent.captures = 0 or input.channel in (${reportedList}))',
      {
        text: '(${reportedList}))\n        and parent.captured + parent.released + input.amount <= parent.amount',
        instead: '(${reportedList}))',
      },
      "parent.type in ('PAYMENT', 'CAPTURE') and",
      {
        text: 'else parent.came_back\n            end <= parent.amount',
        instead: 'else 0 end is not null',
      },
      'and (parent.split_at is null) = (input.parent_revision is null)',
      'and coalesce(parent.refund_revision = input.parent_revision, true)',
      {
        text: "status in ('FAIL', 'VOIDED') and type in ('CAPTURE', 'RELEASE', 'REFUND')",
        instead: "type in ('CAPTURE', 'RELEASE', 'REFUND')",
      },
      "where ${moved}.status in ('FAIL', 'VOIDED')",
    ],
  },
  {
    file: 'src/operations/shares/captures.ts',
    tests: ['test/races/authorizations.test.ts'],
    guards: [
      'and operations.split_revision = ${turns}.split_revision',
      {
        text: 'and ${turns}.operation_id not in (select operation_id from turn_taken)',
        instead: 'and false',
      },
    ],
  },
  {
    file: 'src/operations/shares/split.ts',
    tests: ['test/storage/late.test.ts', 'test/races/refunds.test.ts', 'test/spec/splits.test.ts'],
    guards: [
      'for no key update of operations',
      'and payment.refunded = 0',
      "and payment.status = 'COMPLETED'",
      'and payment.split is null and payment.split_at is null',
    ],
  },
  {
    file: 'src/operations/limits-store.ts',
    tests: ['test/storage/late.test.ts', 'test/races/limits.test.ts', 'test/spec/limits.test.ts'],
    guards: [
      { text: '$6::bigint is null or limit_days.taken + excluded.taken <= $6::bigint', instead: 'true' },
      'and ($6::bigint is null or $4::bigint <= $6::bigint)',
      'not exists (select from renewed) and',
      'for update skip locked',
      { text: 'and day = $2::date for update', instead: 'and day = $2::date' },
      'for no key update of operations skip locked',
      { text: 'and not final and ${isTaken}', instead: 'and not final' },
    ],
  },
  {
    file: 'src/ledger/store.ts',
    tests: ['test/storage/locks.test.ts', 'test/ledger/rollups.test.ts'],
    guards: ['on conflict do nothing', 'for no key update'],
  },
  {
    file: 'src/ledger/rollups.ts',
    tests: ['test/ledger/rollups.test.ts'],
    guards: [
      'where balance_rollups.upto < excluded.upto',
      { text: "statement('lock table postings in share mode')", instead: "statement('select 1')" },
      { text: 'and postings.id <= $1', instead: '' },
    ],
  },
]
