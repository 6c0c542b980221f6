// The hosted pages in English.
import type { Texts } from './texts.ts'

const nothingCharged = 'You have not been charged.'
const otherCard = 'Use another card'
const orAskBank = 'or contact your bank.'

export const english: Texts = {
  languageName: 'English',
  switchLanguage: 'Change language',
  sandboxBanner: 'Sandbox: no real money moves.',
  sandboxCards: 'Test cards',
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
    subscription: 'Nothing is charged now. Your bank only confirms that it is you.',
  },
  itemsSummary: (count) => (count === 1 ? '1 item' : `${count} items`),
  quantity: (count, each) => `${count} × ${each}`.trim(),
  payableUntil: ({ time, day }) => `Valid until ${day === undefined ? 'today' : day}, ${time} (Lisbon time)`,

  chooseMethod: 'How would you like to pay?',
  methodNames: {
    CC: 'Card',
    MBWAY: 'MB WAY',
    MB: 'Multibanco reference',
    PAYPAL: 'PayPal',
    WALLET: 'Comporta balance',
    SEPA: 'SEPA direct debit',
  },
  acceptedBrands: 'Visa, Mastercard and American Express',
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
    iban: 'Of an account in euros within SEPA',
  },
  vcodeHintAmex: '4 digits on the front',
  expiryPlaceholder: 'MM / YY',
  problems: {
    number: {
      missing: 'Enter the card number.',
      invalid: 'This card number is not right. Check the digits.',
    },
    expiry: {
      missing: 'Enter the expiry date of the card.',
      invalid: 'Enter the expiry date as month and year, such as 08 / 29.',
      expired: 'This card is no longer valid. Check the date or use another card.',
      ends_early: 'This card ends before the subscription begins. Check the date or use another card.',
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
    mandate: { missing: 'Accept the mandate, so that your bank may pay.' },
    street: {
      missing: 'Enter the street and door number.',
      invalid: 'Enter a street, without card numbers.',
    },
    postalcode: {
      missing: 'Enter the postal code.',
      invalid: 'This postal code is not right. In Portugal it is like 1000-001.',
    },
    city: { missing: 'Enter the town.', invalid: 'Enter the name of the town, without card numbers.' },
    country: { missing: 'Choose the country.', invalid: 'Choose a country of the list.' },
  },
  problemSummary: 'Please correct',

  submit: {
    payment: (amount) => `Pay ${amount}`,
    authorization: (amount) => `Reserve ${amount}`,
    subscription: () => 'Accept',
  },
  submitting: 'Processing…',
  cancel: 'Cancel and return to the shop',

  declined: {
    do_not_honour: {
      title: 'Your bank declined the payment',
      detail: `${nothingCharged} The bank did not say why. ${otherCard} ${orAskBank}`,
    },
    insufficient_funds: {
      title: 'There is not enough money on the card',
      detail: `${nothingCharged} ${otherCard}, or try again after topping up the account.`,
    },
    expired_card: {
      title: 'The card has expired',
      detail: `${nothingCharged} Check the expiry date you entered or use another card.`,
    },
    lost_or_stolen: {
      title: 'This card cannot be used',
      detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
    },
    wrong_security_code: {
      title: 'The security code is not right',
      detail: `${nothingCharged} Check the code on the card and try again.`,
    },
    invalid_card: {
      title: 'The bank does not recognise this card',
      detail: `${nothingCharged} Check the number and expiry date or use another card.`,
    },
    limit_exceeded: {
      title: 'This is above the limit of the card',
      detail: `${nothingCharged} ${otherCard}, or raise the limit in your bank's app.`,
    },
    not_permitted: {
      title: 'This card does not allow this payment',
      detail: `${nothingCharged} ${otherCard}, or check in your bank's app that online payments are on.`,
    },
    suspected_fraud: {
      title: 'Your bank stopped this payment',
      detail: `${nothingCharged} Contact your bank to allow it, or use another card.`,
    },
    authentication_required: {
      title: 'Your bank wants to check that it is you',
      detail: `${nothingCharged} Try again and confirm the payment with your bank.`,
    },
  },
  authenticationFailed: {
    failed: {
      title: 'Your bank could not confirm that it is you',
      detail: `${nothingCharged} Try again or use another card.`,
    },
    cancelled: {
      title: 'The confirmation was cancelled',
      detail: `${nothingCharged} You can try again or use another card.`,
    },
    rejected: {
      title: 'Your bank refused the confirmation',
      detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
    },
    issuer_unavailable: {
      title: 'Your bank does not answer',
      detail: `${nothingCharged} Try again in a few minutes or use another card.`,
    },
    not_enrolled: {
      title: 'This card does not support secure online payments',
      detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
    },
  },
  tryAgain: { title: 'The payment was not made', detail: `${nothingCharged} Please try again.` },
  tooManyCards: {
    title: 'Too many cards were tried',
    detail: `${nothingCharged} Choose another method, or return to the shop.`,
  },

  waiting: {
    title: 'Confirming with your bank',
    detail: 'This usually takes a few seconds. Do not close this page or pay again.',
  },
  waitingLong: 'This is taking longer than usual. We keep asking the bank; the result will appear here.',
  waitingRefresh: 'Check again',
  timeLeft: (clock) => `Time left: ${clock}`,
  timeLeftSpoken: { minutes: '{minutes} minutes left.', seconds: '{seconds} seconds left.' },

  checkingWithBank: { title: 'Talking to your bank', detail: 'One moment. Do not close this page.' },
  bankFrame: 'Check by the bank',
  toBank: {
    title: 'Confirm with your bank',
    detail: 'You are going to the page of your bank to confirm that it is you. You will return here.',
  },
  proceed: 'Continue',

  reference: {
    explained: 'You get an entity and a reference to pay at any ATM or in your home banking.',
    submit: 'Get the reference',
    title: 'Pay with this reference',
    how: 'At an ATM or in your home banking, under payment of services or purchases.',
    entity: 'Entity',
    ref: 'Reference',
    amount: 'Amount',
    beneficiary: 'Beneficiary',
    from: 'Pay from',
    until: 'Pay by',
    moment: ({ time, day }) => `${day ?? 'today'}, ${time}`,
    copy: 'Copy',
    copied: 'Copied',
    copyOf: (what) => `Copy ${what}`,
    waiting: 'Waiting for the payment. This page changes by itself when it arrives; you may also close it.',
    print: 'Print',
    otherMethod: 'Pay another way',
    payInSandbox: 'Pay it in the sandbox’s home banking',
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

  problemsPages: {
    not_found: {
      title: 'There is nothing to pay here',
      detail: 'The link may be incomplete or no longer valid. Return to the shop and start again.',
    },
    internal: {
      title: 'Something went wrong on our side',
      detail: 'We have been told. If you were paying, go back to the payment page to see how it ended.',
    },
    unavailable: {
      title: 'We are unavailable for a moment',
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
