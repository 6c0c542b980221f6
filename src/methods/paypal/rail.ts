// Captures, releases and refunds at the online wallet.
import { type Cents, cents } from '../../kernel/money.ts'
import { keyOf } from '../../operations/for-methods.ts'
import type { RailHandler } from '../../operations/for-movements.ts'
import { findOperation, type Operation } from '../../operations/index.ts'
import {
  callRail,
  type MayStart,
  type RailAnswer,
  railAnswerOf,
  railAnswerOfRefund,
  railTimeoutMs,
  type WalletHolds,
} from '../../rails/index.ts'
import type { PaypalDeps } from './model.ts'

type Refund = Pick<Operation, 'id' | 'amount' | 'currency'>
type RefundDeps = Pick<PaypalDeps, 'database' | 'rail'>

export function paypalRail({ database, rail }: RefundDeps): RailHandler {
  async function requestRefund(
    { id: key, amount, currency }: Refund,
    payment: Operation,
  ): Promise<RailAnswer> {
    const request = { key, of: keyOf(payment), amount: cents(-amount), currency }
    return railAnswerOfRefund(await callRail((signal) => rail.refund(request, signal)))
  }

  async function move(
    verb: 'capture' | 'release',
    { key, amount }: { readonly key: string; readonly amount: Cents },
    authorization: Operation,
    beforeSend?: MayStart,
  ): Promise<RailAnswer> {
    const followUp = { key, payment: keyOf(authorization), amount }
    const holds = holdsOf(rail)
    return railAnswerOf(await callRail((signal) => holds[verb](followUp, signal), railTimeoutMs, beforeSend))
  }

  return {
    refund: requestRefund,
    capture: ({ id: key, amount }, authorization, beforeSend) =>
      move('capture', { key, amount }, authorization, beforeSend),
    release: ({ id: key, amount }, authorization, beforeSend) =>
      move('release', { key, amount }, authorization, beforeSend),
    releaseRest: (key, authorization, amount) => move('release', { key, amount }, authorization),
    releasesWholeOnly: ({ walletId }) => rail.lacks?.(walletId).includes('partial releases') === true,
    hasEnded: async (authorization) =>
      (await callRail(() => holdsOf(rail).inquireHold(keyOf(authorization)))).kind === 'ended',
    /** The gateway sends a refund again, under the same key, until the wallet has it. */
    async inquire({ key, walletId, type }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unknown' }
      if (type !== 'REFUND') return railAnswerOf(await callRail(() => holdsOf(rail).inquireFollowUp(key)))
      const known = await callRail(() => rail.inquireRefund(key))
      if (known.kind !== 'not_found') return railAnswerOfRefund(known)
      const payment = await findOperation(database, walletId, operation.parentId)
      return payment === undefined ? { kind: 'unknown' } : requestRefund(operation, payment)
    },
  }
}

function holdsOf({ holds }: PaypalDeps['rail']): WalletHolds {
  if (holds === undefined) throw new Error('the online wallet has no holds')
  return holds
}
