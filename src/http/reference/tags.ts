// Groups of the API reference, in the order of the specification.

const groups = {
  Checkout:
    'A page of the gateway on which a customer pays, authorizes or subscribes by a method of their choice. Create a checkout, and send the customer to its `url_redirect`.',
  'Payment links':
    'Addresses that lead to a checkout each time somebody opens one: for messages, bills and posters.',
  'Card API':
    'Payments and authorizations by card without a checkout, and stored cards. For partner merchants: every call needs the ESB token as well as the key. Plain card data needs the right `pci_dss`; others send what the secure form fields have encrypted, or the token of a stored card.',
  Authorizations:
    'Amounts that are reserved on a card or by phone. Capture up to 10 times what you charge, and release what you do not need: releases come first, because after the first capture none is accepted. What remains lapses a month after the authorization.',
  Operations:
    'Every movement of money is an operation: payments, authorizations, captures, releases, refunds, transfers and payouts. Here they are listed, read, refunded and divided among sub-merchants.',
  'Bank references':
    'An entity, a reference and an amount that customers type at an ATM or in home banking (method MB). For partner merchants.',
  'Mobile wallet':
    'Payments and authorizations that a customer approves on the phone (method MBWAY), and mandates, under which later ones need no approval. Mandates are for partner merchants.',
  Subscriptions:
    'What a customer has allowed a merchant to charge, up to an amount per billing cycle. A subscription begins as a checkout; here it is read, charged and ended.',
  Callbacks:
    'The gateway posts status changes to the address of the merchant, signed, and again for about two days until it is answered with any 2xx. Verify each one before you act on it; it may come twice. The bodies stand under webhooks. What a program missed is read in order as events.',
  Payouts: 'The balance of the merchant, its statement and fees, and payouts to its bank account.',
  Requests: 'What became of a request that carried a `request_id`, and what your programs asked lately.',
  Audit:
    'The signed head of what was written in the wallet: who keeps one can prove later that nothing before it was changed.',
} as const

export type Tag = keyof typeof groups

export const tags = Object.entries(groups).map(([name, description]) => ({ name, description }))
