// Mutants that no test can kill, because nobody could see a difference; each was read.

export interface Explanation {
  readonly file: string
  readonly from: string
  readonly to: string
  readonly why: string
}

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
]
