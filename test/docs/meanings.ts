// Meanings of the API's words. A word without a meaning does not compile.

import type { ComportaOptions } from '../../sdk/src/core/settings.ts'
import type { Ability } from '../../src/backoffice/access/role-rules.ts'
import type { DeliveryState } from '../../src/callbacks/model.ts'
import type { Permission, Right } from '../../src/kernel/values/permissions.ts'
import type { Method } from '../../src/methods/list.ts'
import type { Channel, OperationStatus, OperationType } from '../../src/operations/model.ts'
import type {
  DeclineReason,
  FollowUpDecline,
  OnlineWalletDecline,
  RefundAnswer,
  ReturnReason,
  WalletDecline,
} from '../../src/rails/index.ts'

export const types: Readonly<Record<OperationType, string>> = {
  PAYMENT:
    'Money from a customer: [checkout](checkout.md), [card API](card-api.md) and others. Also a top-up of a balance by bank transfer.',
  AUTH: 'A reserved amount: [authorizations](authorizations.md).',
  CAPTURE: 'Money taken from a reserved amount.',
  RELEASE: 'Reserved money that was given back.',
  REFUND:
    'Money given back to a customer: [refunds](refunds-and-splits.md). Also the amount that a [dispute](refunds-and-splits.md#disputes) takes.',
  USERTRANSFER:
    'A share of a [split](refunds-and-splits.md#split-a-payment) payment, in the list of the seller. Negative when a refund takes it back. It sends no callback.',
  WALLETFUNDS: 'A [payout](money.md#order-a-payout) to your bank account.',
}

export const statuses: Readonly<Record<OperationStatus, string>> = {
  NEW: 'The customer has not chosen how to pay. Do nothing.',
  PENDING:
    'Somebody else has to act: the customer, the phone, the bank. Do not ship. Do not ask for the money again. Wait for the callback.',
  COMPLETED: 'The money is yours. Ship.',
  FAIL: 'It was declined, refused, cancelled by the customer, or took too long. The customer may try again.',
  VOIDED: 'It was cancelled before anything was paid.',
}

export const methods: Readonly<Record<Method, string>> = {
  CC: 'A card.',
  MB: 'A Multibanco reference.',
  MBWAY: 'The phone of the customer.',
  PAYPAL: 'PayPal.',
  WALLET: 'A balance at this gateway.',
  SEPA: 'A direct debit. Of a payout: a transfer.',
  BANK: 'A bank transfer that tops up a balance.',
}

export const channels: Readonly<Record<Channel, string>> = {
  WEBSITE: 'A checkout or a payment link.',
  API: 'A request of your program.',
  BACKOFFICE: 'A person in the backoffice, or a command of the operator.',
  SCHEDULE: 'A payout by schedule.',
  SPLIT: 'The share of a seller.',
  BANK: 'Reported by the bank: a top-up, a returned debit or transfer.',
  RAIL: 'Reported by another provider: a dispute, a failed refund, the end of a hold.',
}

export const deliveries: Readonly<Record<DeliveryState, string>> = {
  DUE: 'The gateway will make its first or next attempt.',
  DELIVERED: 'Your program answered 2xx.',
  GIVEN_UP: 'The last attempt failed, or your program answered 410. You can send it again.',
  VERIFIED: 'Your program [verified](#verify-without-the-secret) it by a call. This counts as received.',
  NO_ENDPOINT: 'No address was set when it happened. Set an address, then send it again.',
}

export const permissions: Readonly<Record<Permission, string>> = {
  checkout: 'create, read and void checkouts; ask phones for payments; make, read and close payment links',
  operations:
    'read operations, balance, statement, fees, payouts, the request log and the head of the signed history',
  refund: 'refund',
  split: 'send `split` with a payment, and split a completed payment',
  authorizations: 'read, capture and release authorizations',
  card: 'use the [card API](card-api.md)',
  card_plain: 'send plain card numbers to the card API',
  mb_pay: 'make Multibanco references to pay once',
  mb_reference: 'make and delete recurring references; delete references',
  mandates: 'ask for, read and end MB WAY mandates',
  subscriptions: 'read, charge and end subscriptions',
  callbacks: 'verify callbacks, listen to them, read events',
  payouts: 'order payouts and set their schedule',
  mail: 'turn kinds of [mail](mail.md) on and off, list mails',
  callback_endpoints: 'add, change and delete further [callback endpoints](callback-endpoints.md)',
  customers: '[customers](customers.md) and their saved cards, and naming one in a checkout',
}

export const rights: Readonly<Record<Right, string>> = {
  partner: 'Card API, Multibanco references by API, MB WAY mandates.',
  pci_dss: 'Plain card numbers.',
  marketplace: 'Splits.',
}

/** Kinds of callbacks: the schema, the kind, how a program knows it, and its explanation. */
export const callbackKinds: readonly (readonly [string, string, string, string])[] = [
  ['OperationCallback', 'operation', '`operation_id`, `operation_status`', '[Statuses](statuses.md)'],
  ['UserErrorCallback', 'wrong payment by reference', '`user_error`', '[References](references.md)'],
  ['CardStoredCallback', 'card stored', '`type` is `ADD_CARD`', '[Card API](card-api.md)'],
  ['MandateCallback', 'mandate', '`type` is `MANDATE`', '[MB WAY](mb-way.md)'],
  [
    'SubscriptionCallback',
    'subscription',
    '`subscription_id`, no `charge_order_id` and no `mandate_id`',
    '[Subscriptions](subscriptions.md)',
  ],
  ['ChargeCallback', 'charge', '`charge_order_id`', '[Subscriptions](subscriptions.md)'],
  [
    'PingCallback',
    'test of the address',
    '`ping_id`',
    '[In production](callbacks-in-production.md#set-the-address)',
  ],
]

const deeds: Readonly<Record<Ability, string>> = {
  checkout: 'checkouts and payment links',
  operations: '',
  refund: 'refund',
  split: 'split',
  authorizations: 'capture and release',
  card: 'delete stored cards',
  card_plain: '',
  mb_pay: 'Multibanco references',
  mb_reference: '',
  mandates: 'mandates',
  subscriptions: 'subscriptions',
  callbacks: 'send callbacks again, test the address',
  payouts: 'payouts and their schedule',
  mail: 'kinds of mail',
  customers: 'customers and their saved cards',
  callback_endpoints: '',
  keys: 'API keys, secrets and addresses',
  settings: 'settings',
  team: 'team',
}

/** Changes that these abilities allow. */
export function roleOf(abilities: readonly Ability[]): string {
  return (
    abilities
      .map((ability) => deeds[ability])
      .filter(Boolean)
      .join(', ') || 'nothing'
  )
}

export const client: Readonly<Record<keyof ComportaOptions, string>> = {
  apiKey: 'The API key of the merchant.',
  baseUrl: 'Address of the gateway.',
  esbToken: 'ESB token, for the card API (`cards`).',
  authScheme: 'Word before the key.',
  timeout: 'Milliseconds that one attempt may take.',
  totalTimeout: 'Milliseconds that all attempts of a call may take.',
  retries: 'How often a call is sent again.',
  fetch: 'A `fetch` of your own, for example with a proxy or a log.',
}

type Decline =
  | DeclineReason
  | FollowUpDecline
  | OnlineWalletDecline
  | ReturnReason
  | WalletDecline
  | Extract<RefundAnswer, { kind: 'declined' }>['reason']

const another = 'Ask for another card or method.'
const again = 'The customer may try again.'

/** For each reason of a rail or of the gateway: its cause, and advice for the merchant. */
export const declines: Readonly<Record<Decline | OwnReason, readonly [string, string]>> = {
  do_not_honour: ['The issuer of the card declined without a reason.', another],
  insufficient_funds: ['The account has too little money.', 'Ask for another card or method, or try later.'],
  expired_card: ['The card has expired.', another],
  lost_or_stolen: ['The card was reported lost or stolen.', `${another} Do not try this card again.`],
  wrong_security_code: ['The security code is wrong.', 'Ask the customer to type it again.'],
  invalid_card: ['There is no such card.', 'Ask the customer to check the number.'],
  limit_exceeded: ['The amount is above the limit of the card.', another],
  not_permitted: ['The card, the account or your contract does not allow this payment.', another],
  amount_too_small: [
    'The provider takes no payment this small.',
    'Ask for a larger amount, or another method.',
  ],
  amount_too_large: [
    'The provider takes no payment this large.',
    'Ask for a smaller amount, or another method.',
  ],
  suspected_fraud: ['The issuer suspects fraud.', `${another} Do not try this card again.`],
  authentication_required: [
    'The issuer wants 3-D Secure.',
    'Ask the customer to pay on a page: a checkout, or `newCard`.',
  ],
  authentication_failed: ['3-D Secure failed.', again],
  authentication_cancelled: ['The customer cancelled 3-D Secure.', again],
  authentication_rejected: ['The issuer rejected the customer in 3-D Secure.', another],
  authentication_timeout: ['The customer did not finish 3-D Secure in time.', again],
  not_enrolled: ['The card does not take part in 3-D Secure.', another],
  issuer_unavailable: ['3-D Secure of the issuer did not answer.', again],
  acquirer_unavailable: ['The request did not reach the card network.', again],
  wallet_unavailable: ['The request did not reach PayPal.', again],
  bank_unavailable: ['The request did not reach the bank.', again],
  rail_unavailable: [
    'The request did not reach the payment network.',
    'Send it again with a new `request_id`.',
  ],
  refused: ['The customer refused on the phone, or PayPal declined.', again],
  expired: ['Nobody paid or approved in time.', again],
  withdrawn: ['The gateway cancelled the request on the phone.', again],
  cancelled: ['The customer cancelled.', again],
  not_registered: ['The phone number is not registered with MB WAY.', 'Ask for another number or method.'],
  not_agreed: ['The customer has not agreed at PayPal.', again],
  account_ended: [
    'The customer or PayPal ended the permission to charge the account.',
    'Ask the customer for a new subscription.',
  ],
  account_needed: [
    'The provider refunds only to an account.',
    'Ask the operator: it needs the IBAN of the payer.',
  ],
  account_closed: ['The account is closed.', 'Ask for another account or method.'],
  refused_by_debtor: ['The debtor refused the debit, or disputed it.', 'Ask the customer.'],
  unspecified: ['The bank gave no reason.', 'Ask the bank or the customer.'],
  limit_reached: ['The amount is above a limit that the operator set for you.', 'See [20011](#20011).'],
  exceeds_hold: [
    'The provider reserves less than this amount, or no longer reserves it.',
    'Read the authorization.',
  ],
  exceeds_payment: ['The provider has less left to refund.', 'Look at the payment at the provider.'],
  hold_ended: ['The provider no longer reserves the amount.', 'Make a new authorization.'],
  unknown_payment: ['The provider does not know the payment.', 'Ask the operator.'],
  amount_exceeds_remaining: ['The provider has less left to refund.', 'Ask the operator.'],
  not_possible: ['The provider cannot refund this payment.', 'Pay the customer back another way.'],
  the_debit_was_returned: ['The bank had returned the debit: the debtor has the money.', 'Nothing.'],
  a_collected_debit_is_given_back_by_hand: [
    'The bank collected a debit whose payment had failed.',
    'The operator pays it back.',
  ],
  card_deleted: ['The stored card was deleted.', 'Ask the customer for a new subscription.'],
  method_not_served: ['No provider served the method for a day.', 'Charge again later, or ask the operator.'],
  mandate_limit: [
    'The mandate allows less this month.',
    'Charge next month, or ask the customer to raise the limit.',
  ],
  mandate_suspended: ['The customer suspended the mandate.', 'Ask the customer.'],
  mandate_voided: ['The mandate has ended.', 'Ask the customer for a new subscription.'],
  mandate_expired: ['The mandate has expired.', 'Ask the customer for a new subscription.'],
  subscription_canceled: ['The customer ended the subscription.', 'Ask the customer for a new one.'],
  subscription_voided: [
    'You ended the subscription, or deleted its card.',
    'Ask the customer for a new one.',
  ],
  not_approved: ['The customer did not approve the mandate of a subscription.', again],
}

type OwnReason =
  | `authentication_${'failed' | 'cancelled' | 'rejected' | 'timeout'}`
  | 'not_enrolled'
  | 'issuer_unavailable'
  | `${'acquirer' | 'wallet' | 'bank' | 'rail'}_unavailable`
  | 'limit_reached'
  | 'hold_ended'
  | 'the_debit_was_returned'
  | 'a_collected_debit_is_given_back_by_hand'
  | 'card_deleted'
  | 'method_not_served'
  | `mandate_${'limit' | 'suspended' | 'voided' | 'expired'}`
  | `subscription_${'canceled' | 'voided'}`
  | 'not_approved'
