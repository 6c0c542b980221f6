// The demo shop in English.
import type { ShopWords } from './words.ts'

export const english: ShopWords = {
  title: 'Demo shop',
  lead: 'A pretend merchant, and a customer: you. Its server calls the API with the key of the Demo Shop, as yours would, and everything it and the gateway tell each other appears in the timeline.',
  tabs: { label: 'What to try', basket: 'Buy', subscription: 'Subscribe' },
  goods: { tshirt: 'T-shirt', mug: 'Mug' },
  basket: 'Basket',
  each: 'each',
  quantityOf: (name) => `${name}, quantity`,
  total: 'Total',
  hosted: {
    title: 'On the hosted checkout',
    says: 'The gateway asks for the card, on a page of its own. The least work for a merchant.',
  },
  fields: {
    title: 'Here, with secure form fields',
    says: 'The card is typed on this page, into a frame of the gateway. The shop gets ciphertext only.',
    cardHelp:
      'Try 4176 6600 0000 0027, or 4176 6600 0000 0092 which asks for the code 0101; any future expiry, any security code.',
    allCards: 'All test cards',
    store: 'Only store the card',
    withoutScript:
      'The fields encrypt the card in your browser and need JavaScript. The hosted checkout works without.',
    broken: 'The card fields could not be loaded:',
  },
  stored: {
    title: 'With the stored card',
    says: 'The shop has kept its token. Paying is one call, and its answer says COMPLETED.',
    forget: 'Forget the card',
  },
  pay: 'Pay',
  paying: 'One moment…',
  ways: { checkout: 'Hosted checkout', fields: 'Secure fields', token: 'Stored card', card: 'Card to store' },
  states: {
    begun: 'Begun',
    pending: 'Pending',
    done: 'Done',
    failed: 'Failed',
    refused: 'Refused',
  },
  notices: {
    payment: {
      begun: 'The payment has begun.',
      pending: 'The payment is under way. A callback will tell how it ends.',
      done: 'Paid, thank you. The shop asked the gateway and heard: COMPLETED.',
      failed: 'Not paid. Nothing was charged; try again, or another card.',
      refused: 'The gateway did not take the request:',
    },
    card: {
      begun: 'The card is being stored.',
      pending: 'The card is being stored. A callback will tell how it ends.',
      done: 'The card is stored. Now pay with it, without typing it again.',
      failed: 'The card was not stored: its bank did not confirm the holder.',
      refused: 'The gateway did not take the request:',
    },
  },
  problems: {
    empty_basket: 'The basket is empty. Put something into it first.',
    no_card_fields: 'The card did not arrive. Type it once more.',
    no_stored_card: 'The shop has no card of yours. Store one first.',
  },
  orders: 'Orders',
  order: 'Order',
  amount: 'Amount',
  state: 'State',
  callbacksHere:
    'Callbacks about hosted checkouts, subscriptions and stored cards go to the address that is set for the merchant. The shop sets its own where there is none. To send them to a server of yours:',
  callbacksElsewhere: [
    'Callbacks about hosted checkouts, subscriptions and stored cards go to',
    'so they do not appear here. To have them sent here:',
  ],
  timeline: {
    title: 'What they tell each other',
    says: 'Newest first. Open an entry to read it; keys are hidden and ciphertext is cut.',
    empty: 'Nothing yet. Pay for something.',
    request: 'API',
    callback: 'Callback',
    browserOut: 'Browser goes to',
    browserBack: 'Browser is back at',
    sent: 'The shop’s server sent',
    answered: (status, durationMs) => `The gateway answered ${status} after ${durationMs} ms`,
    unanswered: 'No answer came',
    received: 'The gateway sent',
    genuine: 'genuine',
    forged: 'forged',
    verified: 'The shop posted it to /api/v2/callback/verify and heard true: it is the gateway’s.',
    rejected:
      'The shop posted it to /api/v2/callback/verify and heard false: somebody else sent it. It was ignored.',
  },
}
