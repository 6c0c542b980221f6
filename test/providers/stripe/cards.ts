// Test cards and their results: https://docs.stripe.com/testing.

export interface CardProblem {
  readonly code: string
  readonly decline_code?: string
}

const declined = (decline_code: string): CardProblem => ({ code: 'card_declined', decline_code })

export const declinedCards: Readonly<Record<string, CardProblem>> = {
  '4000000000000002': declined('generic_decline'),
  '4000000000009995': declined('insufficient_funds'),
  '4000000000009987': declined('lost_card'),
  '4000000000009979': declined('stolen_card'),
  '4000000000006975': declined('card_velocity_exceeded'),
  '4000000000000069': { code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc' },
  '4100000000000019': declined('fraudulent'),
}

/** Pays with its holder present, and is declined later. */
export const declinedLater = '4000000000000341'
export const wrongNumber = '4242424242424241'
export const authenticatedCards = ['4000000000003220', '4000002760003184']
/** Refunds to this card succeed later. */
export const refundSucceedsLater = '4000000000007726'
