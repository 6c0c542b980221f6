// The areas for Stryker: sources, tests and least score.

export interface Area {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  readonly withDatabase?: boolean
  /**
   * The percentage of changes that the tests must notice: the last measured score (docs/inside/reliability.md),
   * rounded down.
   */
  readonly scoreMin: number
}

function withTestBeside(...files: readonly string[]): Pick<Area, 'sources' | 'tests'> {
  return { sources: files.map((file) => `${file}.ts`), tests: files.map((file) => `${file}.test.ts`) }
}

const rulesOfMoney = withTestBeside(
  'src/operations/rules',
  'src/operations/shares/rules',
  'src/authorizations/rules',
  'src/payouts/rules',
  'src/methods/bank-transfer/rules',
  'src/statements/rules',
  'src/reconciliation/rules',
  'src/bank-files/incoming/rules',
  'src/chain/rules',
)

export const areas: readonly Area[] = [
  {
    name: 'kernel',
    scoreMin: 90,
    ...withTestBeside('src/kernel/money', 'src/kernel/lisbon', 'src/kernel/values/rational'),
  },
  {
    name: 'rules of money',
    scoreMin: 94,
    ...rulesOfMoney,
    tests: [...rulesOfMoney.tests, 'src/operations/{refund,limit}-rules.test.ts'],
  },
  {
    name: 'rules of methods',
    scoreMin: 97,
    ...withTestBeside(
      'src/methods/multibanco/rules',
      'src/methods/cards/rules',
      'src/methods/cards/vault/rules',
      'src/checkouts/rules',
      'src/payment-links/rules',
      'src/methods/sepa-debit/rules',
      'src/methods/mbway/mandates/rules',
      'src/subscriptions/rules',
    ),
  },
  { name: 'splits', scoreMin: 91, sources: ['src/splits/*.ts'], tests: ['src/splits/*.test.ts'] },
  {
    name: 'engine',
    scoreMin: 94,
    sources: ['src/operations/attempts/{engine,resolver,customers/engine}.ts'],
    tests: ['test/operations/engine{,-charges,-customers}.test.ts'],
    withDatabase: true,
  },
  {
    name: 'settling',
    scoreMin: 96,
    sources: [
      'src/operations/settle/*.ts',
      'src/operations/attempts/approvals.ts',
      'src/operations/shares/{book,captures}.ts',
    ],
    tests: ['test/operations/settl{ements,ement-events,ing-funds,ing-traces}.test.ts'],
    withDatabase: true,
  },
  {
    name: 'timings of the engine',
    scoreMin: 95,
    sources: ['src/operations/attempts/model.ts'],
    tests: ['src/operations/attempts/model.test.ts', 'test/spec/states.test.ts'],
  },
  {
    name: 'ledger',
    scoreMin: 93,
    sources: ['src/ledger/*.ts'],
    tests: ['src/ledger/*.test.ts', 'test/ledger/{rollups,books}.test.ts'],
    withDatabase: true,
  },
  { name: 'keys of requests', scoreMin: 96, ...withTestBeside('src/idempotency/key') },
  {
    name: 'idempotency',
    scoreMin: 95,
    sources: ['src/idempotency/{answer-once,recall,store,purge}.ts'],
    tests: ['test/idempotency/*.test.ts'],
    withDatabase: true,
  },
]
