// What Stryker mutates, area by area, and the tests that have to notice.

/** Sources that are mutated together. */
export interface Part {
  readonly sources: readonly string[]
  /** Tests that reach the sources within their own process. */
  readonly tests: readonly string[]
  /** Whether they need the databases of the ordinary tests. */
  readonly withDatabase?: boolean
}

export interface Area {
  readonly name: string
  readonly parts: readonly Part[]
}

/** Files, each with the test beside it. */
function withTestBeside(...files: readonly string[]): Part[] {
  return files.map((file) => ({ sources: [`${file}.ts`], tests: [`${file}.test.ts`] }))
}

export const areas: readonly Area[] = [
  {
    name: 'kernel',
    parts: withTestBeside('src/kernel/money', 'src/kernel/lisbon', 'src/kernel/values/rational'),
  },
  {
    name: 'rules of money',
    parts: withTestBeside(
      'src/operations/rules',
      'src/operations/limits/rules',
      'src/operations/refunds/rules',
      'src/operations/shares/rules',
      'src/authorizations/rules',
      'src/balances/rules',
      'src/balances/statement/rules',
      'src/reconciliation/rules',
      'src/bank-files/incoming/rules',
      'src/chain/rules',
    ),
  },
  {
    name: 'rules of methods',
    parts: withTestBeside(
      'src/bank-references/rules',
      'src/cards/rules',
      'src/cards/vault/rules',
      'src/checkouts/rules',
      'src/checkouts/links/rules',
      'src/direct-debits/rules',
      'src/mandates/rules',
      'src/subscriptions/rules',
    ),
  },
  {
    name: 'splits',
    parts: [{ sources: ['src/splits/*.ts'], tests: ['src/splits/*.test.ts'] }],
  },
  {
    name: 'engine',
    parts: [
      {
        sources: ['src/operations/attempts/{engine,resolver,give-up,customers/engine}.ts'],
        tests: ['test/operations/engine{,-charges,-customers}.test.ts'],
        withDatabase: true,
      },
    ],
  },
  {
    name: 'settling',
    parts: [
      {
        sources: [
          'src/operations/settle/*.ts',
          'src/operations/attempts/{complete,approvals}.ts',
          'src/operations/refunds/settle-reported.ts',
          'src/operations/shares/{book,captures,captures-store}.ts',
        ],
        tests: ['test/operations/settl{ements,ement-events,ing-funds,ing-traces}.test.ts'],
        withDatabase: true,
      },
    ],
  },
  {
    name: 'timings of the engine',
    parts: [
      {
        sources: ['src/operations/attempts/model.ts'],
        tests: ['src/operations/attempts/model.test.ts', 'test/spec/states.test.ts'],
      },
    ],
  },
  {
    name: 'ledger',
    parts: [
      {
        sources: ['src/ledger/*.ts'],
        tests: ['src/ledger/*.test.ts', 'test/ledger/{rollups,books}.test.ts'],
        withDatabase: true,
      },
    ],
  },
  {
    name: 'idempotency',
    parts: [
      ...withTestBeside('src/idempotency/key'),
      {
        sources: ['src/idempotency/{answer-once,recall,store,purge}.ts'],
        tests: ['test/idempotency/*.test.ts'],
        withDatabase: true,
      },
    ],
  },
]
