// Guards of keyed requests, attempts at rails, and claimed work.
import type { GuardsOfFile } from './guard.ts'

export const guardsOfRequests: readonly GuardsOfFile[] = [
  {
    file: 'src/idempotency/with-idempotency.ts',
    tests: [
      'test/operations/children.test.ts',
      'test/operations/settling.test.ts',
      'test/races/checkouts.test.ts',
      'test/crashes/suspensions.test.ts',
    ],
    guards: [
      'on conflict (wallet_id, request_id) do nothing',
      {
        text: 'request_id is null or request_resource_id in (select resource_id from claimed)',
        instead: 'true',
      },
      'and requests.resource_id = ${source}.id',
      'and requests.http_status is null',
    ],
  },
  {
    file: 'src/idempotency/store.ts',
    tests: ['test/idempotency/store.test.ts'],
    guards: ['requests.wallet_id = input.wallet_id and', 'and requests.http_status is null'],
  },
  {
    file: 'src/storage/leases.ts',
    tests: ['test/storage/conformance.test.ts'],
    guards: ['for update skip locked'],
  },
  {
    file: 'src/operations/attempts/store.ts',
    tests: [
      'test/operations/attempts.test.ts',
      'test/storage/locks.test.ts',
      'test/storage/conformance.test.ts',
    ],
    guards: [
      'for update skip locked',
      "where operations.status in ('NEW', 'PENDING')",
      'on conflict (wallet_id, id) do nothing',
      { text: 'and state = $5', instead: 'and $5::text is not null', place: 1 },
      { text: 'and state = $5', instead: 'and $5::text is not null', place: 2 },
      "and attempt_id = $2 and status = 'PENDING' and under_approval",
      'for no key update',
      {
        text: "attempts.state = 'ASKED' and ($4::integer is null or attempts.tries < $4)",
        instead: '$4::integer is null or attempts.tries < $4',
      },
      {
        text: 'and ($4::integer is null or attempts.tries < $4)',
        instead: 'and ($4::integer is null or true)',
      },
      { text: "where attempts.state = 'ASKED'`)", instead: '`)' },
      "and ${endedOtherwise('operations', '$2::uuid')}",
      "where attempts.state in ('ASKED', 'DECLINED', 'GIVEN_UP', 'CLOSED')",
    ],
  },
  {
    file: 'src/operations/attempts/customers/store.ts',
    tests: [
      'test/operations/attempts.test.ts',
      'test/operations/given-up.test.ts',
      'test/races/checkouts.test.ts',
    ],
    guards: [
      { text: "and owner is not null and state = 'OPEN' )", instead: 'and owner is not null )' },
      'on conflict (wallet_id, operation_id, method, page_token) where owner is not null do nothing',
      {
        text: "and details ->> 'step' is not distinct from $4",
        instead: 'and $4::text is not distinct from $4::text',
      },
      {
        text: 'wallet_id = $1 and id = $2 and state = $4',
        instead: 'wallet_id = $1 and id = $2 and $4::text is not null',
      },
      "and state = 'ASKED' and details -> $3::text is not null",
      {
        text: "and state = 'ASKED' and owner is not null returning *",
        instead: 'and owner is not null returning *',
      },
      { text: "and state = 'OPEN' returning id", instead: 'returning id' },
      "and state = 'ASKED' and withdrawn_at is null",
      { text: 'and (expires_at is null or expires_at > $3)', instead: 'and $3::timestamptz is not null' },
      { text: 'and ($5::integer is null or tries < $5)', instead: 'and ($5::integer is null or true)' },
      { text: 'and state = $3 and due_at is not null', instead: 'and $3::text is not null' },
      { text: 'and state = any($3::text[])', instead: 'and $3::text[] is not null' },
      {
        text: "and (state <> 'OPEN' or details ->> 'step' is not distinct from $9)",
        instead: 'and $9::text is not distinct from $9::text',
      },
    ],
  },
  {
    file: 'src/callbacks/store.ts',
    tests: ['test/storage/locks.test.ts', 'test/callbacks/workers.test.ts', 'test/callbacks/verify.test.ts'],
    guards: [
      'and deliveries.claim_id is null',
      'and claimed_until <= now()',
      { text: 'for update skip locked', place: 2 },
      'and deliveries.claim_id = input.claim_id',
      {
        text: "state = case deliveries.state when 'DUE' then input.state else deliveries.state end",
        instead: 'state = input.state',
      },
    ],
  },
  {
    file: 'src/storage/postgres/postgres.ts',
    tests: ['test/storage/conformance.test.ts'],
    guards: [{ text: '(error as { code?: string }).code === deadlock ||', instead: '' }],
  },
  {
    file: 'src/storage/reads/batched.ts',
    tests: ['test/storage/conformance.test.ts'],
    guards: [{ text: '|| error instanceof DatabaseUnavailable', instead: '' }],
  },
]
