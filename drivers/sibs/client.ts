// Calls to the SIBS Payment Gateway (SPG): JSON over HTTPS.
import { type Cents, cents, decimalText } from '../../src/kernel/money.ts'
import { type Clock, toTimestamp } from '../../src/kernel/time.ts'
import { isTechnical, isUnknown } from './rules.ts'
import type { SibsSettings } from './settings.ts'

export interface SpgBody {
  readonly returnStatus?: { readonly statusCode?: string } | undefined
  readonly paymentStatus?: string | undefined
  readonly paymentType?: string | undefined
  readonly paymentMethod?: string | undefined
  readonly transactionID?: string | undefined
  readonly transactionId?: string | undefined
  readonly transactionSignature?: string | undefined
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

/** An amount in euros. Some answers have the value as a string. */
export interface SpgAmount {
  readonly value?: number | string | undefined
  readonly currency?: string | undefined
}

export interface SpgMandate {
  readonly mandateId?: string | undefined
  readonly mandateStatus?: string | undefined
  readonly mandateExpirationDate?: string | undefined
  readonly amountLimit?: SpgAmount | number | string | undefined
}

/**
 * `taken`: the body has the result. `refused`: SPG did nothing. `unknown`: SPG does not know the transaction. The
 * call throws if SPG may have executed it.
 */
export type SpgReply =
  | { readonly kind: 'taken'; readonly body: SpgBody }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' }

/** The message contains only the status and SPG's code, because a body can contain personal data. */
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
  readonly signature?: string | undefined
  readonly phone?: string | undefined
}

export interface SpgClient {
  post(path: string, call: SpgCall): Promise<SpgReply>
  get(path: string): Promise<SpgReply>
  /** A client whose calls end when the signal aborts. */
  within(signal: AbortSignal | undefined): SpgClient
  merchant(merchantTransactionId: string): { readonly merchant: object }
  transaction(amount: Cents, more?: object): { readonly transaction: object }
}

export function createClient(
  settings: SibsSettings,
  tools: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock },
  signal?: AbortSignal,
): SpgClient {
  const { fetch, clock } = tools
  const { baseUrl, terminalId, channel, clientId, token } = settings

  async function send(path: string, init: RequestInit, call: Partial<SpgCall>): Promise<SpgReply> {
    const { signature, phone } = call
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
    get: (path) => send(path, { method: 'GET' }, {}),
    within: (limit) => createClient(settings, tools, limit),
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

/** The result is exact, because a decimal of up to 15 digits survives the conversion to a number and back. */
export function amountOf(amount: Cents): { readonly value: number; readonly currency: 'EUR' } {
  return { value: Number(decimalText(amount)), currency: 'EUR' }
}

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
  // Without an SPG code, a 404 comes from a proxy or a wrong address.
  if (code !== undefined && (status === 404 || isUnknown(code))) return { kind: 'unknown' }
  // Wrong credentials, limits and time-outs say nothing about the payment.
  const isAnswer = isServed || (status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status))
  if (!isAnswer || code === undefined || isTechnical(code)) throw new SpgUnknownOutcome(status, code)
  return { kind: 'refused', code }
}
