// Groups of the API reference, in the order of the specification.

const groups = {
  Checkout:
    'A page of the gateway on which a customer chooses a method and pays, authorizes or subscribes. Create a checkout, then send the customer to its `url_redirect`.',
  'Payment links': 'Addresses that open a new checkout for each customer: for messages, bills and posters.',
  Customers:
    'Customers of your shop, and the cards that they saved. A checkout with `customer: {id}` offers these cards to the customer.',
  'Card API':
    'Payments and authorizations by card without a checkout, and stored cards. For merchants with the right `partner`. Every call needs the key and the ESB token. Plain card data needs the right `pci_dss`. Without it, send the encrypted data of the secure form fields or the token of a stored card.',
  Authorizations:
    'Amounts reserved on a card or in the mobile wallet. Capture up to 10 times. Release the part that you do not need before the first capture: afterwards releases are refused. The gateway releases the rest after one month.',
  Operations:
    'Every movement of money is an operation: payment, authorization, capture, release, refund, transfer or payout. List, read, refund and split operations here.',
  'Bank references':
    'Entity, reference and amount, which customers enter at an ATM or in home banking (method MB). For merchants with the right `partner`.',
  'Mobile wallet':
    'Payments and authorizations that a customer approves on the phone (method MBWAY). Under a mandate, later ones need no approval. Mandates need the right `partner`.',
  Subscriptions:
    'Permission of a customer for repeated charges, up to an amount per billing cycle. A subscription begins with a checkout. Read, charge and end subscriptions here.',
  Callbacks:
    'The gateway posts each status change to the address of the merchant, signed. It repeats the request for about two days until the answer is 2xx. Verify the signature first. A callback may arrive twice. The section Webhooks describes the bodies. Read missed callbacks in order as events.',
  Payouts: 'Balance, statement and fees of the merchant, and payouts to its bank account.',
  Mail: 'Mail to your customers and your team: a switch for each kind, and the status of each mail.',
  Requests: 'Result of a request with a `request_id`, and the recent requests of your programs.',
  Audit:
    'Signed head of the history of the wallet. Keep it: it proves later that no earlier record was changed.',
} as const

export type Tag = keyof typeof groups

export const tags = Object.entries(groups).map(([name, description]) => ({ name, description }))
