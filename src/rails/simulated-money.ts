// Texts of the pages if the rails move no real money.

interface Link {
  readonly text: string
  readonly path: string
}

interface SimulatedMoneyTexts {
  readonly banner: string
  readonly cards: Link
  readonly hints: Readonly<Partial<Record<string, string>>>
  readonly answerDebit: Link
  readonly answerPhone: Link
  readonly payReference: Link
}

export type SimulatedMoney = Readonly<Record<'pt' | 'en', SimulatedMoneyTexts>>
