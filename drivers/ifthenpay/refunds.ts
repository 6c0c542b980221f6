// Refunds of MB WAY and cards. Each is sent once, because ifthenpay has no inquiry about refunds.
import { type Cents, cents, decimalText } from '../../src/kernel/money.ts'
import type * as rails from '../../src/rails/index.ts'
import * as shared from '../shared/requests.ts'
import { textOf } from '../shared/texts.ts'
import { IfthenpayUnclear } from './client.ts'
import * as orders from './orders.ts'

export type RefundDecline = 'not_permitted' | 'insufficient_funds' | 'withdrawn'
export type RefundOutcome =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: RefundDecline }
  | rails.UnknownAnswer

/** ifthenpay documents 1 (done), 0 (refused) and -1 (more than the money that came in since 20:00 of the day before). */
const refusals: Readonly<Record<string, RefundDecline>> = { '0': 'not_permitted', '-1': 'insufficient_funds' }

export async function refund(
  deps: orders.Ifthenpay,
  { key, original, amount }: rails.Reversal & { readonly amount: Cents },
  signal: AbortSignal | undefined,
): Promise<RefundOutcome> {
  const { requests } = deps
  signal?.throwIfAborted()
  const of = await requests.find(original)
  const noted = shared.notedOf(of)
  const isPayment = of !== undefined && (noted?.kind === 'payment' || noted?.kind === 'card')
  const [paid] = isPayment ? await orders.paymentsOf(deps, of, signal) : []
  const requestId = paid?.requestId ?? of?.ids.request0
  const { before, request } = await requests.begin(key, 'refund')
  if (before !== 'new') return outcomeOf(deps, key)
  const isPossible = isPayment && amount > 0n && amount <= BigInt(noted?.amount ?? 0)
  const isWithdrawn = request.steps.withdraw !== undefined
  const refusal = isWithdrawn ? 'withdrawn' : isPossible ? undefined : 'not_permitted'
  if (refusal !== undefined || requestId === undefined)
    await shared.decline(deps, key, 'refund', refusal ?? 'not_permitted')
  else await send(deps, key, { requestId, amount: decimalText(amount) }, signal)
  return outcomeOf(deps, key)
}

/** Refunds the whole payment. ifthenpay refuses this after a partial refund. */
export async function reverse(
  deps: orders.Ifthenpay,
  { key, original }: rails.Reversal,
  signal: AbortSignal | undefined,
): Promise<RefundOutcome> {
  const amount = cents(BigInt(shared.notedOf(await deps.requests.find(original))?.amount ?? 0))
  return refund(deps, { key, original, amount }, signal)
}

async function send(
  deps: orders.Ifthenpay,
  key: string,
  asked: { readonly requestId: string; readonly amount: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { client, requests, logger, settings } = deps
  try {
    const body = { backofficekey: settings.backofficeKey, ...asked }
    const code = textOf((await client.post(settings.refundPath, body, signal)).Code)
    const refusal = refusals[code]
    if (code === '1') await requests.record(key, 'refund', { ids: { refunded: asked.requestId } })
    else if (refusal !== undefined) await shared.decline(deps, key, 'refund', refusal)
  } catch (error) {
    // ifthenpay does not know the path or the key, so it refunded nothing.
    const isRefused = error instanceof IfthenpayUnclear && [401, 403, 404, 405].includes(error.status)
    if (!isRefused) throw error
    logger.error({ status: error.status }, 'ifthenpay takes no refunds: check backoffice_key and refund_path')
    await shared.decline(deps, key, 'refund', 'not_permitted')
  }
}

/** If no result was recorded, a person must look in ifthenpay's backoffice. */
async function outcomeOf({ requests }: orders.Ifthenpay, key: string): Promise<RefundOutcome> {
  const known = await requests.find(key)
  const decline = shared.declineIn(known)
  const reference = known?.ids.refunded
  if (decline !== undefined) return { kind: 'declined', decline: decline as RefundDecline }
  if (reference !== undefined) return { kind: 'approved', reference }
  return { kind: 'unknown', why: 'the answer of ifthenpay was lost, and it has no inquiry about refunds' }
}

export async function inquireRefund(
  deps: orders.Ifthenpay,
  key: string,
): Promise<RefundOutcome | rails.NotReceived> {
  const known = await deps.requests.find(key)
  return known?.steps.refund === undefined ? { kind: 'not_found' } : outcomeOf(deps, key)
}

/** Declines a refund under this key, even if the request for it arrives later. */
export async function cancelRefund(deps: orders.Ifthenpay, key: string): Promise<RefundOutcome> {
  const { request } = await deps.requests.begin(key, 'withdraw')
  const isSent = request.steps.refund !== undefined
  return isSent ? outcomeOf(deps, key) : { kind: 'declined', decline: 'withdrawn' }
}
