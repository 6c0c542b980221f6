// The largest allowed cost of each kind of request in PostgreSQL, with its callback and its part in the search. If
// you raise a value, say why in the commit.

export interface Budget {
  /** Bytes of the write-ahead log. Deletes of workers at other times do not count. */
  readonly bytes: number
  /** Rows inserted or updated. */
  readonly rows: number
  readonly statements: number
  /** Commits of transactions that write. */
  readonly commits: number
}

export const budgets = {
  'a payment, alone': { bytes: 4750, rows: 12.5, statements: 6, commits: 4.5 },
  'a payment, of 64 at once': { bytes: 3800, rows: 8.9, statements: 1, commits: 0.7 },
  'a payment with an idempotency key, alone': { bytes: 6000, rows: 14.6, statements: 6, commits: 4.5 },
  'a payment with an idempotency key, of 64 at once': {
    bytes: 5050,
    rows: 10.5,
    statements: 0.4,
    commits: 0.3,
  },
  'a checkout, alone': { bytes: 1350, rows: 4.5, statements: 1.6, commits: 1.3 },
  'a checkout for a customer, alone': { bytes: 1400, rows: 4.5, statements: 2.6, commits: 1.3 },
  'a checkout, of 64 at once': { bytes: 920, rows: 2.4, statements: 0.2, commits: 0.1 },
  'a read, alone': { bytes: 80, rows: 0.1, statements: 1.2, commits: 0.1 },
  'a refund, alone': { bytes: 4000, rows: 11.6, statements: 5, commits: 3.5 },
  'a delivery that is sent again, alone': { bytes: 1300, rows: 4.2, statements: 3.5, commits: 3.5 },
} as const satisfies Readonly<Record<string, Budget>>
