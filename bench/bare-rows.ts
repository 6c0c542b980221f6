// The rows that the measured requests write, for the bare loop.
import { createHash, randomUUID } from 'node:crypto'
import type { BareStatement } from './bare-loop.ts'

const dayMs = 86_400_000

export function bareCheckout(walletId: number): readonly BareStatement[] {
  const operationId = randomUUID()
  const checkoutId = randomUUID()
  const now = new Date()
  const later = new Date(now.getTime() + dayMs)
  return [
    {
      text: `insert into operations (
          id, wallet_id, type, status, amount, currency, channel, checkout_id, ext_invoiceid, items, client,
          created_at, modified_at
        ) values ($1, $2, 'PAYMENT', 'NEW', 1000, 'EUR', 'WEBSITE', $3, 'BENCH-1', $4, $5, $6, $6)`,
      values: [
        operationId,
        walletId,
        checkoutId,
        JSON.stringify([{ name: 'T-shirt', qt: 1, descr: 'Blue' }]),
        JSON.stringify({ name: 'Ana Silva', email: 'ana@example.com' }),
        now,
      ],
    },
    {
      text: `insert into checkouts (
          id, wallet_id, kind, operation_id, url_confirm, url_cancel, required_fields, expires_at, created_at, due_at
        ) values ($1, $2, 'payment', $3, $4, $5, '{}', $6, $7, $6)`,
      values: [
        checkoutId,
        walletId,
        operationId,
        'https://shop.example/ok',
        'https://shop.example/no',
        later,
        now,
      ],
    },
  ]
}

export function bareAuthorizationAndCapture(
  walletId: number,
  accounts: BareAccounts,
  callback: string,
): readonly BareStatement[] {
  const [hold, capture] = [randomUUID(), randomUUID()]
  const now = new Date()
  const later = new Date(now.getTime() + 31 * dayMs)
  const card = JSON.stringify({ last4: '0027', type: 'visa' })
  const open = `insert into operations (
      id, wallet_id, type, status, method, amount, currency, channel, parent_id, attempt_id, under_approval, card,
      callback_url, expires, created_at, modified_at
    ) values ($1, $2, $3, 'PENDING', 'CC', 1000, 'EUR', 'API', $4, $1, true, $5, $6, $7, $8, $8)`
  const settle = `update operations set status = 'COMPLETED', fee = $3, under_approval = false,
      expires = $4, modified_at = $5, settled_at = $5
    where wallet_id = $2 and id = $1 and status = 'PENDING'`
  const lapse = 'insert into authorization_timers (due_at, wallet_id, id) values ($3, $2, $1)'
  return [
    { text: open, values: [hold, walletId, 'AUTH', null, card, callback, null, now] },
    {
      text: `insert into sandbox.authorizations (
          key, merchant_id, amount, currency, intent, last4, reference, approval_code, decided_at
        ) values ($1, $2, 1000, 'EUR', 'hold', '0027', $3, '123456', $4)`,
      values: [hold, walletId, hold, now],
    },
    { text: settle, values: [hold, walletId, 0, later, now] },
    { text: lapse, values: [hold, walletId, later] },
    ...bareEvent(walletId, hold, callback, now),
    {
      text: `update operations set captured = captured + 1000, captures = captures + 1
        where wallet_id = $2 and id = $1 and captured + released + 1000 <= amount`,
      values: [hold, walletId],
    },
    { text: open, values: [capture, walletId, 'CAPTURE', hold, card, callback, later, now] },
    {
      text: `insert into sandbox.follow_ups (key, original, kind, amount, reference, decided_at)
        values ($1, $2, 'capture', 1000, $3, $4)`,
      values: [capture, hold, capture, now],
    },
    {
      text: 'update sandbox.authorizations set captured = captured + 1000 where key = $1',
      values: [hold],
    },
    { text: settle, values: [capture, walletId, -25, later, now] },
    barePostings(walletId, accounts, capture, now),
    ...bareEvent(walletId, capture, callback, now),
  ]
}

export function bareReference(walletId: number, number: number): readonly BareStatement[] {
  const id = randomUUID()
  const now = new Date()
  const expires = new Date(now.getTime() + dayMs)
  const ref = `${String(number).padStart(7, '0')}00`
  return [
    {
      text: `insert into operations (
          id, wallet_id, type, status, method, amount, currency, channel, attempt_id, ext_invoiceid, mb_entity,
          mb_ref, expires, created_at, modified_at
        ) values ($1, $2, 'PAYMENT', 'PENDING', 'MB', 1000, 'EUR', 'API', $1, 'BENCH-1', '99999', $3, $4, $5, $5)`,
      values: [id, walletId, ref, expires, now],
    },
    {
      text: `insert into bank_references (
          wallet_id, id, kind, entity, number, ref, operation_id, amount_min, amount_max, expires, created_at,
          due_at, number_free_at
        ) values ($2, $1, 'time_limited', '99999', $6, $3, $1, 1000, 1000, $4, $5, $4, $4)`,
      values: [id, walletId, ref, expires, now, number],
    },
  ]
}

/** The ledger accounts of a card payment. */
export interface BareAccounts {
  readonly clearing: bigint
  readonly merchant: bigint
  readonly fees: bigint
}

export function barePayment(
  walletId: number,
  accounts: BareAccounts,
  callback: string,
): readonly BareStatement[] {
  const id = randomUUID()
  const now = new Date()
  return [
    {
      text: `insert into operations (
          id, wallet_id, type, status, method, amount, currency, channel, attempt_id, under_approval, card,
          callback_url, created_at, modified_at
        ) values ($1, $2, 'PAYMENT', 'PENDING', 'CC', 1000, 'EUR', 'API', $1, true, $3, $4, $5, $5)`,
      values: [id, walletId, JSON.stringify({ last4: '0027', type: 'visa' }), callback, now],
    },
    {
      text: `insert into sandbox.authorizations (
          key, merchant_id, amount, currency, intent, last4, reference, approval_code, decided_at
        ) values ($1, $2, 1000, 'EUR', 'sale', '0027', $3, '123456', $4)`,
      values: [id, walletId, id, now],
    },
    {
      text: `update operations set status = 'COMPLETED', fee = -25, under_approval = false,
          modified_at = $3, settled_at = $3
        where wallet_id = $2 and id = $1 and status = 'PENDING'`,
      values: [id, walletId, now],
    },
    barePostings(walletId, accounts, id, now),
    ...bareEvent(walletId, id, callback, now),
  ]
}

function barePostings(walletId: number, accounts: BareAccounts, operation: string, now: Date): BareStatement {
  return {
    text: `insert into postings (
        wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at
      ) values ($1, $2, 'settle', $3, $4, 975, $6), ($1, $2, 'settle', $3, $5, 25, $6)`,
    values: [walletId, operation, accounts.clearing, accounts.merchant, accounts.fees, now],
  }
}

function bareEvent(walletId: number, id: string, callback: string, now: Date): readonly BareStatement[] {
  const event = randomUUID()
  const payload = JSON.stringify({ operation_id: id, event: 'COMPLETED', amount: 10, user: walletId })
  return [
    {
      text: `insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
        values ($1, $2, 'operation', $3, 'COMPLETED', $4, $5, $6)`,
      values: [walletId, event, id, payload, createHash('sha256').update(payload).digest(), now],
    },
    {
      text: `insert into deliveries (wallet_id, event_id, lane, endpoint, url, state, finished_at)
        values ($1, $2, 'bench', 'operation', $3, 'DELIVERED', $4)`,
      values: [walletId, event, callback, now],
    },
  ]
}
