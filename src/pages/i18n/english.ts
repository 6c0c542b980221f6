// The hosted pages in English.
import { refusals } from './refusals.ts'
import type { Texts } from './shape.ts'

const nothingCharged = 'You have not been charged.'

export const english: Texts = {
  languageName: 'English',
  switchLanguage: 'Change language',
  secureFooter: 'Secure payment with',

  pageTitle: {
    payment: (merchant) => `Pay ${merchant}`,
    authorization: (merchant) => `Reserve for ${merchant}`,
    subscription: (merchant) => `Subscribe to ${merchant}`,
  },
  titleOnError: (title) => `Error: ${title}`,
  amountLabel: {
    payment: 'Total to pay',
    authorization: 'Amount to reserve',
    subscription: 'You allow up to',
  },
  kindExplained: {
    payment: undefined,
    authorization: 'The amount is reserved. You are charged only when the shop confirms it.',
    subscription: 'Nothing is charged now. Your bank only confirms your identity.',
  },
  itemsSummary: (count) => (count === 1 ? '1 item' : `${count} items`),
  quantity: (count, each) => `${count} × ${each}`.trim(),
  payableUntil: ({ time, day }) => `Valid until ${day === undefined ? 'today' : day}, ${time} (Lisbon time)`,

  otherMethod: 'Pay another way',
  chooseMethod: 'How would you like to pay?',
  labels: {
    number: 'Card number',
    expiry: 'Expiry date',
    vcode: 'Security code',
    name: 'Name on card',
    fullname: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    pin: 'PIN',
    holder: 'Account holder',
    iban: 'IBAN',
    mandate: 'I accept this direct debit mandate',
    street: 'Street and door number',
    postalcode: 'Postal code',
    city: 'Town',
    country: 'Country',
  },
  hints: {
    vcode: '3 digits on the back',
    phone: 'With country code, such as +351\u00a0912\u00a0345\u00a0678',
    pin: '4 to 8 digits; three wrong ones lock your balance for 24 hours',
    iban: 'From an account in euros within SEPA',
  },
  problems: {
    number: {
      missing: 'Enter the card number.',
      invalid: 'This card number is not right. Check the digits.',
    },
    expiry: {
      missing: 'Enter the expiry date of the card.',
      invalid: 'Enter the expiry date as month and year, such as 08 / 29.',
      expired: 'This card is no longer valid. Check the date or use another card.',
      ends_early: 'This card expires before the subscription starts. Check the date or use another card.',
    },
    vcode: {
      missing: 'Enter the security code.',
      invalid: 'The code has 3 digits, on the back (American Express: 4, on the front).',
    },
    name: {
      missing: 'Enter the name on the card.',
      invalid: 'Enter the name as it is on the card, without the number.',
    },
    fullname: { missing: 'Enter your name.', invalid: 'Enter your name without any card number.' },
    email: {
      missing: 'Enter your e-mail address.',
      invalid: 'Enter a complete e-mail address, such as name@example.com.',
    },
    phone: {
      missing: 'Enter your phone number.',
      invalid: 'Enter a complete number, such as +351\u00a0912\u00a0345\u00a0678.',
      unregistered: 'This number has no MB WAY. Check the digits or choose another way to pay.',
    },
    pin: { missing: 'Enter your PIN.', invalid: 'The PIN has 4 to 8 digits.' },
    holder: {
      missing: 'Enter the name of the account holder.',
      invalid: 'Enter the name as your bank knows it, without numbers.',
    },
    iban: {
      missing: 'Enter your IBAN.',
      invalid: 'This IBAN is not right. Check its letters and digits.',
      not_sepa: 'This account is outside SEPA and cannot be debited. Use another account.',
    },
    mandate: { missing: 'Tick the box to accept the mandate. Without it your bank cannot pay.' },
    street: {
      missing: 'Enter the street and door number.',
      invalid: 'Enter a street, without card numbers.',
    },
    postalcode: {
      missing: 'Enter the postal code.',
      invalid: 'This postal code is not right. In Portugal it has the form 1000-001.',
    },
    city: { missing: 'Enter the town.', invalid: 'Enter the name of the town, without card numbers.' },
    country: { missing: 'Choose the country.', invalid: 'Choose a country from the list.' },
  },
  problemSummary: 'Please correct',

  submit: {
    payment: (amount) => `Pay ${amount}`,
    authorization: (amount) => `Reserve ${amount}`,
    subscription: () => 'Accept',
  },
  submitting: 'Processing…',
  cancel: 'Cancel and return to the shop',

  ...refusals.en,
  tryAgain: { title: 'The payment was not made', detail: `${nothingCharged} Please try again.` },
  tooManyCards: {
    title: 'Too many cards were tried',
    detail: `${nothingCharged} Choose another method, or return to the shop.`,
  },

  late: {
    open: {
      title: 'Your last answer was not used',
      detail: `The page it came from was out of date. ${nothingCharged} You can pay here.`,
    },
    waiting: 'Your last answer was not used: the payment is already on its way, as shown here.',
    done: {
      payment:
        'Your last answer was not used: the payment had already been made. You were charged only once.',
      authorization: 'Your last answer was not used: the amount had already been reserved, and only once.',
      subscription: 'Your last answer was not used: the subscription had already been accepted.',
    },
    ended: 'Your last answer came too late and was not used.',
  },

  waiting: {
    title: 'Confirming with your bank',
    detail: 'This usually takes a few seconds. Do not close this page or pay again.',
  },
  waitingLong: 'This is taking longer than usual. We keep asking the bank. The result will appear here.',
  waitingRefresh: 'Check again',
  timeLeft: (clock) => `Time left: ${clock}`,
  timeLeftSpoken: { minutes: '{minutes} minutes left.', seconds: '{seconds} seconds left.' },

  proceed: 'Continue',

  beyondLimits: {
    title: 'This shop cannot take this payment at present',
    detail: `${nothingCharged} Try again tomorrow, or ask the shop.`,
  },

  outcomes: {
    paid: { title: 'Payment made', detail: 'Thank you. The shop receives the confirmation.' },
    reserved: {
      title: 'Amount reserved',
      detail: 'Thank you. You are charged only when the shop confirms it.',
    },
    accepted: { title: 'Subscription accepted', detail: 'Thank you. Nothing was charged now.' },
    failed: {
      title: 'The payment was not made',
      detail: `${nothingCharged} Return to the shop to try again.`,
    },
    cancelled: { title: 'Payment cancelled', detail: nothingCharged },
    expired: {
      title: 'The time to pay is over',
      detail: `${nothingCharged} Return to the shop to start again.`,
    },
    voided: { title: 'The shop withdrew this payment', detail: nothingCharged },
    suspended: {
      title: 'This shop takes no payments at present',
      detail: `${nothingCharged} Return to the shop, and ask it when you can pay.`,
    },
    too_many_cards: {
      title: 'Too many cards were tried',
      detail: `${nothingCharged} No other card can be tried here. Return to the shop to start again.`,
    },
  },
  paidWith: (brand, last4) => `${brand} ending in ${last4}`,
  receipt: {
    amount: { payment: 'Amount paid', authorization: 'Amount reserved', subscription: 'Paid now' },
    paidTo: 'Shop',
    method: 'Method',
    date: 'Date',
    moment: (day, time) => `${day}, ${time} (Lisbon time)`,
    number: {
      payment: 'Payment number',
      authorization: 'Reservation number',
      subscription: 'Subscription number',
    },
    print: 'Print',
  },
  backToShop: 'Back to the shop',
  forwarding: 'Returning to the shop in {seconds} s.',
  stayHere: 'Stay on this page',
  stayByKey: 'Press Escape to stay.',
  staying: 'You will stay on this page.',

  problemsPages: {
    not_found: {
      title: 'There is nothing to pay here',
      detail: 'The link may be incomplete or no longer valid. Return to the shop and start again.',
    },
    internal: {
      title: 'Something went wrong on our side',
      detail: 'We have been notified. If you were paying, go back to the payment page to see the result.',
    },
    unavailable: {
      title: 'The service is unavailable at the moment',
      detail: 'Please try again in a few minutes.',
    },
    too_many_requests: { title: 'Too many requests', detail: 'Wait a minute and try again.' },
    bad_request: {
      title: 'We did not understand this request',
      detail: 'Go back to the previous page and try again.',
    },
  },
  requestId: 'Request number',
  retry: 'Try again',
}
