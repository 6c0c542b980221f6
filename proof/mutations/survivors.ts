// Mutants that no test can kill, because nobody could see a difference; each was read.

export interface Explanation {
  readonly file: string
  readonly from: string
  readonly to: string
  readonly why: string
}

const engine = 'src/operations/attempts'
const settling = 'src/operations/settle'

export const explanations: readonly Explanation[] = [
  {
    file: 'src/kernel/money.ts',
    from: 'amount < 0n',
    to: 'amount <= 0n',
    why: 'minus zero is zero: nothing is negated, and the sign has a comparison of its own',
  },
  {
    file: 'src/kernel/lisbon.ts',
    from: '{ return undefined }',
    to: '{}',
    why: 'a function that ends answers undefined',
  },
  {
    file: 'src/kernel/lisbon.ts',
    from: "{ overflow: 'constrain' }",
    to: '{}',
    why: 'it is what Temporal does where nothing is said; it is said because it is what is wanted',
  },
  ...['numerator !== undefined', 'denominator !== undefined'].map((from) => ({
    file: 'src/kernel/values/rational.ts',
    from,
    to: 'true',
    why: 'the pattern has both groups or neither',
  })),
  {
    file: 'src/kernel/values/rational.ts',
    from: 'numerator !== undefined && denominator !== undefined',
    to: 'numerator !== undefined || denominator !== undefined',
    why: 'the pattern has both groups or neither',
  },
  {
    file: 'src/kernel/values/rational.ts',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'the first element of a match is never read',
  },
  {
    file: 'src/kernel/values/rational.ts',
    from: '2n * s',
    to: '2n / s',
    why: 's is the sign, 1 or -1',
  },
  ...['operation.method !== undefined', 'method === undefined', 'price === undefined'].map((from) => ({
    file: 'src/operations/rules.ts',
    from,
    to: from.includes('!') ? 'true' : 'false',
    why: 'no set of methods has undefined in it; the comparison is for the types',
  })),
  {
    file: 'src/operations/rules.ts',
    from: 'amount < 0n',
    to: 'amount <= 0n',
    why: 'no operation is over nothing: the schema refuses it',
  },
  {
    file: 'src/operations/rules.ts',
    from: "'free'",
    to: '""',
    why: 'what is not charged is free, whatever it is called',
  },
  {
    file: 'src/operations/limits/rules.ts',
    from: 'taken < dayLimit',
    to: 'taken <= dayLimit',
    why: 'nothing is left either way',
  },
  ...['src/operations/refunds/rules.ts', 'src/authorizations/rules.ts'].map((file) => ({
    file,
    from: 'asked !== undefined',
    to: 'true',
    why: 'undefined is neither above nor below an amount; the comparison is for the types',
  })),
  {
    file: 'src/authorizations/rules.ts',
    from: 'expires !== undefined',
    to: 'true',
    why: 'no moment is at or after undefined; the comparison is for the types',
  },
  ...['src/balances/statement/rules.ts', 'src/chain/rules.ts'].map((file) => ({
    file,
    from: file.includes('chain') ? 'one.walletId < other.walletId' : 'one < other',
    to: file.includes('chain') ? 'one.walletId <= other.walletId' : 'one <= other',
    why: 'no two are the same',
  })),
  ...[
    [
      "request.url.split('?', 1)[0]?.replace",
      "request.url.split('?', 1)[0].replace",
      'split always has a first part',
    ],
    [
      "typeof id !== 'string'",
      'false',
      'what is no text is not written as a UUID; the comparison is for the types',
    ],
    ['schema === null', 'false', 'a route has a schema or none; null is there for the types'],
    ['write === undefined', 'true', 'a writer that is made again writes the same, only later'],
    ['writers.set(schema, write)', ';', 'a writer that is made again writes the same, only later'],
    [
      "''",
      '"Stryker was here!"',
      'no whole body is absent, and what a reader would say of a field is not shown',
    ],
    ['value === null', 'false', 'null was taken out by who calls it'],
    ['a.key < b.key', 'a.key <= b.key', 'no two members of an object have the same name'],
  ].map(([from = '', to = '', why = '']) => ({ file: 'src/idempotency/key.ts', from, to, why })),
  {
    file: 'src/idempotency/answer-once.ts',
    from: "case 'unknown': return undefined",
    to: "case 'unknown':",
    why: 'a function that ends answers undefined',
  },
  {
    file: 'src/idempotency/answer-once.ts',
    from: "'unknown'",
    to: '""',
    why: 'a function that ends answers undefined',
  },
  {
    file: 'src/idempotency/store.ts',
    from: '`\u0024{row.wallet_id} \u0024{row.request_id}`',
    to: '``',
    why: 'answers would be kept one after the other, each by a statement of its own',
  },
  ...[
    ['src/idempotency/answer-once.ts', "'made, answer not kept'"],
    ['src/ledger/ledger.ts', "'ledger account opened, nothing booked'"],
    [`${engine}/engine.ts`, "'rail answered, nothing written'"],
    [`${engine}/engine.ts`, "'attempt opened, rail not asked'"],
    [`${engine}/resolver.ts`, "'given up and failed, rail not asked again'"],
    [`${engine}/customers/engine.ts`, "'attempt opened, rail not asked'"],
    [`${engine}/customers/engine.ts`, "'rail answered, nothing written'"],
    [`${engine}/customers/engine.ts`, "'settled, its attempt still open'"],
    [`${engine}/customers/engine.ts`, "'payment failed, its attempt still open'"],
    [`${engine}/customers/engine.ts`, "'attempt given up, its operation not failed'"],
    [`${settling}/settle.ts`, "'settled, answer not sent'"],
    ['src/operations/refunds/settle-reported.ts', "'return opened, not settled'"],
  ].map(([file = '', from = '']) => ({
    file,
    from,
    to: '""',
    why: 'names of crash points are compared with their list by the tests of crashes',
  })),
  {
    file: 'src/ledger/rollups.ts',
    from: "'balance roll-ups'",
    to: '""',
    why: 'names of workers are for the log and for metrics',
  },
  ...comparedForTheTypes('src/bank-references/rules.ts', {
    'end !== undefined': 'true',
    'starts !== undefined': 'true',
    'over === undefined': 'false',
    'limits.amountMax !== undefined': 'true',
    'reference.expires !== undefined': 'true',
    'reference.starts !== undefined': 'true',
  }),
  ...comparedForTheTypes('src/cards/rules.ts', {
    'expiry === undefined': 'false',
    "''": '"Stryker was here!"',
  }),
  ...comparedForTheTypes('src/checkouts/rules.ts', {
    "''": '"Stryker was here!"',
    'starts.at === undefined': 'false',
  }),
  ...comparedForTheTypes('src/checkouts/links/rules.ts', {
    'usesMax !== undefined': 'true',
    'expiresAt !== undefined': 'true',
    'most === undefined': 'false',
    'amountMin !== undefined && amountMax !== undefined': 'true',
    'amountMin !== undefined': 'true',
    'amountMax !== undefined': 'true',
    '[]': '["Stryker was here"]',
  }),
  ...comparedForTheTypes('src/checkouts/links/rules.ts', {
    'amountMin !== undefined && amountMax !== undefined':
      'amountMin !== undefined || amountMax !== undefined',
  }),
  ...comparedForTheTypes('src/direct-debits/rules.ts', { "''": '"Stryker was here!"' }),
  ...comparedForTheTypes('src/subscriptions/rules.ts', { 'last === undefined': 'false' }),
  {
    file: 'src/bank-references/rules.ts',
    from: 'starts === undefined',
    to: 'false',
    why: 'a window that starts at undefined starts at once',
  },
  ...[
    ['src/checkouts/rules.ts', 'asked < lapses', 'asked <= lapses'],
    ['src/checkouts/rules.ts', 'expiresAt < end', 'expiresAt <= end'],
    ['src/direct-debits/rules.ts', 'now < collected', 'now <= collected'],
    ['src/mandates/rules.ts', 'end < latest', 'end <= latest'],
    ['src/subscriptions/rules.ts', 'last < endDate', 'last <= endDate'],
  ].map(([file = '', from = '', to = '']) => ({
    file,
    from,
    to,
    why: 'the earlier of two that are the same is either',
  })),
  ...[
    [
      'src/ledger/rollups-store.ts',
      '(await db.run(selectBacklog))[0]?.backlog',
      '(await db.run(selectBacklog))[0].backlog',
    ],
    [
      'src/ledger/rollups-store.ts',
      '(await tx.run(selectLastId))[0]?.last',
      '(await tx.run(selectLastId))[0].last',
    ],
    ['src/ledger/store.ts', 'row?.balance', 'row.balance'],
  ].map(([file = '', from = '', to = '']) => ({
    file,
    from,
    to,
    why: 'a sum without rows to add is a row too',
  })),
  {
    file: 'src/ledger/store.ts',
    from: 'known !== undefined',
    to: 'false',
    why: 'an account that is there already is inserted once more, on conflict do nothing, and found: slower, and the same',
  },
  {
    file: 'src/ledger/store.ts',
    from: 'opened === undefined',
    to: 'false',
    why: 'an account that was inserted is found: it says what is wrong where somebody deletes it in between',
  },
  ...comparedForTheTypes(`${engine}/engine.ts`, {
    'method === undefined': 'false',
    'current === undefined': 'false',
    'key === undefined || claim === undefined': 'key === undefined && claim === undefined',
    'key === undefined': 'false',
    'claim === undefined': 'false',
    "outcome.kind === 'settled'": 'true',
  }),
  ...comparedForTheTypes(`${engine}/give-up.ts`, { 'handler?.cancel': 'handler.cancel' }),
  ...comparedForTheTypes(`${engine}/resolver.ts`, {
    'operation !== undefined && isLeftOpen(operation, attempt)':
      'operation !== undefined || isLeftOpen(operation, attempt)',
    'operation !== undefined': 'true',
    'current?.status': 'current.status',
    "''": '"Stryker was here!"',
  }),
  {
    file: `${engine}/resolver.ts`,
    from: 'id === key',
    to: 'true',
    why: 'a movement without a customer has the id of its attempt',
  },
  ...["{ kind: 'unclear' }", "'unclear'"].flatMap((from) =>
    [`${engine}/resolver.ts`, `${engine}/customers/engine.ts`].map((file) => ({
      file,
      from,
      to: from.startsWith('{') ? '{}' : '""',
      why: 'whatever is neither approved nor declined is asked about again, as what is unclear is',
    })),
  ),
  ...comparedForTheTypes(`${engine}/customers/engine.ts`, { 'expiresAt !== undefined': 'true' }),
  ...[
    ['true', 'false', 'it is set before it is read: who begins an approval says whether it is theirs'],
    ['!isOurs', 'true', 'an attempt that somebody else asks for is not OPEN any more, and is not ended'],
    ["kind === 'decided'", 'true', 'an attempt that was given up is not ASKED any more, and is not ended'],
    ['{ kind: outcome }', '{}', 'whatever is neither waiting nor approved is asked about again soon'],
    ['next < expiresAt', 'next <= expiresAt', 'the earlier of two that are the same is either'],
  ].map(([from = '', to = '', why = '']) => ({ file: `${engine}/customers/engine.ts`, from, to, why })),
  ...comparedForTheTypes(`${settling}/settle.ts`, {
    'method === undefined': 'false',
    'request === undefined': 'false',
    'priced === undefined': 'false',
    'split === undefined': 'false',
    'event === undefined': 'false',
    'row.answer?.answer': 'row.answer.answer',
    '(await findOperation(database, walletId, id))?.status':
      '(await findOperation(database, walletId, id)).status',
    'offers.get(each)?.committed': 'offers.get(each).committed',
  }),
  ...comparedForTheTypes(`${settling}/settle-sql.ts`, { 'settled.expires !== undefined': 'true' }),
  ...[
    ["status === 'NEW'", 'false', 'only captures take turns, and they are PENDING when they are opened'],
    ["'NEW'", '""', 'only captures take turns, and they are PENDING when they are opened'],
    ['tracing === undefined', 'false', 'where nothing is traced, an event has no trace either way'],
    ['settled.subscriptionId === undefined', 'false', 'who is asked looks whether there is a subscription'],
    ["type !== 'REFUND'", 'false', 'of what a balance paid only refunds have a parent'],
  ].map(([from = '', to = '', why = '']) => ({ file: `${settling}/settle.ts`, from, to, why })),
  ...[`${settling}/settle-sql.ts`, 'src/operations/shares/book.ts'].map((file) => ({
    file,
    from: '[]',
    to: '["Stryker was here"]',
    why: 'a row with nothing in it belongs to no operation, and is not written',
  })),
  {
    file: `${settling}/settle-sql.ts`,
    from: 'one.settled.id < other.settled.id',
    to: 'one.settled.id <= other.settled.id',
    why: 'no two are the same',
  },
  {
    file: `${settling}/funded.ts`,
    from: 'operation.attemptId === attemptId',
    to: 'true',
    why: 'what a rail decides about by another attempt is neither held nor chosen, and is too late either way',
  },
  {
    file: 'src/operations/shares/book.ts',
    from: 'refund.amount < 0n',
    to: 'refund.amount <= 0n',
    why: 'no refund is over nothing: the schema refuses it',
  },
]

/** Comparisons with undefined that TypeScript asks for: without them the next one decides the same. */
function comparedForTheTypes(file: string, changes: Readonly<Record<string, string>>): Explanation[] {
  const why =
    'what is compared with undefined is neither below nor above it, and what it guards is not reached'
  return Object.entries(changes).map(([from, to]) => ({ file, from, to, why }))
}
