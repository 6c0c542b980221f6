// What pages say where the rails move no real money: that it is so, and how to act as the customer's bank or wallet.

interface Link {
  readonly text: string
  /** On the gateway's own address. */
  readonly path: string
}

/** In one language of the pages. */
interface PretendedMoneyWords {
  /** At the top of every page, with a link to what can be tried. */
  readonly banner: string
  readonly cards: Link
  /** Beside the fields of a method. */
  readonly hints: Readonly<Partial<Record<string, string>>>
  /** Where the bank's answer to a debit is given. */
  readonly answerDebit: Link
  /** Where a request to a phone is answered: the path is followed by its number as a query. */
  readonly answerPhone: Link
  /** Where a reference is paid: the path is followed by its entity, number and amount as a query. */
  readonly payReference: Link
}

export type SimulatedMoney = Readonly<Record<'pt' | 'en', PretendedMoneyWords>>
