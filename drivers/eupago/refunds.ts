// Refunds by the management API, each sent once.
import type { Cents } from '../../src/kernel/money.ts'
import type * as rails from '../../src/rails/index.ts'
import * as shared from '../shared/requests.ts'
import { textOf } from '../shared/texts.ts'
import type * as requests from './requests.ts'
import { eurosOf } from './rules.ts'

export type RefundOutcome =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: 'not_permitted' | 'withdrawn' }
  | { readonly kind: 'waiting' }
  | rails.UnknownAnswer

export interface Refund {
  readonly key: string
  /** Eupago's id of the payment, or undefined if it was not paid. */
  readonly transaction: string | undefined
  readonly amount: Cents
  readonly account?: { readonly iban: string; readonly bic: string } | undefined
}

export async function refund(
  deps: requests.Eupago,
  { key, transaction, amount, account }: Refund,
  signal: AbortSignal | undefined,
): Promise<RefundOutcome> {
  signal?.throwIfAborted()
  const { before, request } = await deps.requests.begin(key, 'refund')
  if (before !== 'new') return outcomeOf(deps, key)
  const isWithdrawn = request.steps.withdraw !== undefined
  if (isWithdrawn || transaction === undefined || amount <= 0n)
    await shared.decline(deps, key, 'refund', isWithdrawn ? 'withdrawn' : 'not_permitted')
  else {
    const asked = { amount: eurosOf(amount), reason: 'Refund', ...account }
    const { isOk, body } = await deps.client.refund(transaction, asked, signal)
    const [id, code] = [textOf(body.refundId), textOf(body.code)]
    if (!isOk && textOf(body.transactionStatus) === 'Rejected') {
      deps.logger.info({ code }, 'Eupago refused a refund')
      await shared.decline(deps, key, 'refund', 'not_permitted')
    } else if (isOk && id !== '')
      await deps.requests.record(key, 'refund', { ids: { refund: id }, status: textOf(body.status) })
  }
  return outcomeOf(deps, key)
}

/** The state is Reembolsado at once, or Pendente until the bank transfer of a Multibanco refund (observed). */
async function outcomeOf(
  { requests: records, client }: requests.Eupago,
  key: string,
): Promise<RefundOutcome> {
  const known = await records.find(key)
  const why = shared.declineIn(known)
  if (why !== undefined) return shared.declined(why as 'not_permitted' | 'withdrawn')
  const id = known?.ids.refund
  if (id === undefined)
    return {
      kind: 'unknown',
      why: 'the answer of Eupago was lost: a person must compare with its backoffice',
    }
  const status = isDone(known?.status) ? known?.status : await client.refundStatus(id)
  return isDone(status) ? { kind: 'approved', reference: id } : { kind: 'waiting' }
}

const isDone = (status = '') => /^(reembolsado|refunded)$/i.test(status)

export async function inquireRefund(
  deps: requests.Eupago,
  key: string,
): Promise<RefundOutcome | rails.NotReceived> {
  const known = await deps.requests.find(key)
  return known?.steps.refund === undefined ? { kind: 'not_found' } : outcomeOf(deps, key)
}

/** Declines a refund under this key, even if the request for it arrives later. */
export async function cancelRefund(deps: requests.Eupago, key: string): Promise<RefundOutcome> {
  const { request } = await deps.requests.begin(key, 'withdraw')
  return request.steps.refund === undefined ? shared.declined('withdrawn') : outcomeOf(deps, key)
}
