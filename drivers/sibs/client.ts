// Calls to the SIBS Payment Gateway (SPG): JSON over HTTPS, and which answers decide anything.
import { type Cents, cents, decimalText } from '../../src/kernel/money.ts'
import { type Clock, toTimestamp } from '../../src/kernel/time.ts'
import { isTechnical, isUnknown } from './rules.ts'
import type { SibsSettings } from './settings.ts'

/** What is read of SPG's answers; every field may be absent. */
export interface SpgBody {
  readonly returnStatus?: { readonly statusCode?: string } | undefined
  readonly paymentStatus?: string | undefined
  readonly paymentType?: string | undefined
  /** Absent before the customer's second step. */
  readonly paymentMethod?: string | undefined
  readonly transactionID?: string | undefined
  /** So it is spelt for mandates. */
  readonly transactionId?: string | undefined
  readonly transactionSignature?: string | undefined
  /** Of a checkout, for SPG's own form. */
  readonly formContext?: string | undefined
  readonly amount?: SpgAmount | undefined
  readonly mandate?: SpgMandate | undefined
  readonly paymentReference?: SpgReference | undefined
  readonly transactionDateTime?: string | undefined
}

export interface SpgReference {
  readonly entity?: string | undefined
  readonly reference?: string | undefined
  readonly expireDate?: string | undefined
}

/** In euros; a number, or in some answers a string. */
export interface SpgAmount {
  readonly value?: number | string | undefined
  readonly currency?: string | undefined
}

export interface SpgMandate {
  readonly mandateId?: string | undefined
  readonly mandateStatus?: string | undefined
  readonly mandateExpirationDate?: string | undefined
  /** A month. */
  readonly amountLimit?: SpgAmount | number | string | undefined
}

/**
 * `taken`: SPG understood, and the body says what became of it. `refused`: it did nothing, and says why. `unknown`: it
 * knows no such transaction. Everything else is thrown: the call may have been executed.
 */
export type SpgReply =
  | { readonly kind: 'taken'; readonly body: SpgBody }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' }

/** The outcome is unknown. Its text holds the status and SPG's code alone. */
class SpgUnknownOutcome extends Error {
  readonly code: string

  constructor(status: number, code: string | undefined) {
    super(`SIBS answered ${status}${code === undefined ? '' : ` ${code}`}`)
    this.name = 'SpgUnknownOutcome'
    this.code = `SPG_${status}`
  }
}

export interface SpgCall {
  readonly body: object
  /** Of the checkout: it stands in place of the token where the customer's method is chosen. */
  readonly signature?: string | undefined
  /** The phone that a mandate is about, as SPG writes it. */
  readonly phone?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SpgClient {
  post(path: string, call: SpgCall): Promise<SpgReply>
  get(path: string, signal?: AbortSignal): Promise<SpgReply>
  /** The part of every request that names the terminal and our id of the transaction, of at most 35 characters. */
  merchant(merchantTransactionId: string): { readonly merchant: object }
  /** The part that says what is to move. */
  transaction(amount: Cents, more?: object): { readonly transaction: object }
}

export function createClient(
  settings: SibsSettings,
  { fetch, clock }: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock },
): SpgClient {
  const { baseUrl, terminalId, channel, clientId, token } = settings

  async function send(path: string, init: RequestInit, call: Partial<SpgCall>): Promise<SpgReply> {
    const { signature, phone, signal } = call
    const response = await fetch(baseUrl + path, {
      ...init,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-ibm-client-id': clientId,
        authorization: signature === undefined ? `Bearer ${token}` : `Digest ${signature}`,
        ...(phone !== undefined && { 'mbway-id': phone }),
      },
      ...(signal && { signal }),
    })
    return replyOf(response.status, bodyOf(await response.text()))
  }

  return {
    post: (path, call) => send(path, { method: 'POST', body: JSON.stringify(call.body) }, call),
    get: (path, signal) => send(path, { method: 'GET' }, { signal }),
    merchant: (merchantTransactionId) => ({ merchant: { terminalId, channel, merchantTransactionId } }),
    transaction: (amount, more) => ({
      transaction: {
        transactionTimestamp: toTimestamp(clock.now()),
        description: 'Payment',
        moto: false,
        amount: amountOf(amount),
        ...more,
      },
    }),
  }
}

/** Euros as a JSON number. Of up to 15 digits, the shortest text that reads back as the same number is the decimal itself. */
export function amountOf(amount: Cents): { readonly value: number; readonly currency: 'EUR' } {
  return { value: Number(decimalText(amount)), currency: 'EUR' }
}

/** Undefined where it is no amount in whole cents of EUR. */
export function centsOf(amount: SpgAmount | number | string | undefined): Cents | undefined {
  const { value, currency = 'EUR' } = typeof amount === 'object' ? amount : { value: amount }
  const [, euros, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(String(value)) ?? []
  return euros === undefined || currency !== 'EUR'
    ? undefined
    : cents(BigInt(euros + decimals.padEnd(2, '0')))
}

function bodyOf(text: string): SpgBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : undefined
  } catch {
    return undefined
  }
}

function replyOf(status: number, body: SpgBody | undefined): SpgReply {
  const code = body?.returnStatus?.statusCode
  const isServed = status >= 200 && status < 300
  if (isServed && body !== undefined && (code === '000' || body.paymentStatus !== undefined))
    return { kind: 'taken', body }
  // A 404 without a code is that of a proxy, or of a wrong address: the payment may be there.
  if (code !== undefined && (status === 404 || isUnknown(code))) return { kind: 'unknown' }
  // Wrong credentials, a limit or a timeout say nothing about the payment.
  const isAnswer = isServed || (status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status))
  if (!isAnswer || code === undefined || isTechnical(code)) throw new SpgUnknownOutcome(status, code)
  return { kind: 'refused', code }
}
