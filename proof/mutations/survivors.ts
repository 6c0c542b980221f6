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
]
