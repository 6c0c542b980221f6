// A customer's attempt to pay from an online wallet (PAYPAL).
import {
  type AttemptAnswer,
  type CustomerAttempt,
  type CustomerHandler,
  type NextStep,
  openOperation,
} from '../../operations/for-methods.ts'
import { callRail, type MayStart, type UnknownAnswer, type WalletAnswer } from '../../rails/index.ts'
import { type PaypalDeps, railTimeoutMs } from './deps.ts'
import { paypal } from './facts.ts'

export interface WalletDetails {
  readonly approveUrl?: string | undefined
}

export type WalletAttempt = CustomerAttempt<WalletDetails>

/** The customer agrees while the attempt is OPEN; only the later request moves money. */
export function walletAttemptHandler(deps: PaypalDeps): CustomerHandler<WalletDetails> {
  const { rail } = deps
  const inquire = (key: string) => callRail(() => rail.inquire(key), railTimeoutMs)
  return {
    method: paypal.code,
    purposes: { checkout: openOperation(deps) },
    whenNotReceived: 'send again',
    notReceived: 'wallet_unavailable',
    look: async ({ key }) => nextStep(await inquire(key)),
    ask: async ({ key }, beforeSend: MayStart) =>
      answerOf(await callRail((signal) => rail.capture(key, signal), railTimeoutMs, beforeSend)),
    inquire: async ({ key }) => answerOf(await inquire(key)),
  }
}

type Answer = WalletAnswer | UnknownAnswer | { readonly kind: 'not_found' }

function nextStep(answer: Answer): NextStep {
  switch (answer.kind) {
    case 'agreed':
    case 'paid':
    case 'waiting':
      return { kind: 'ask' }
    case 'declined':
      return answer
    case 'not_found':
      return { kind: 'declined', reason: 'wallet_unavailable' }
    case 'open':
    case 'unknown':
      return { kind: 'wait' }
  }
}

function answerOf(answer: Answer): AttemptAnswer {
  switch (answer.kind) {
    case 'paid':
      return { kind: 'approved', reference: answer.reference, heldUntil: answer.heldUntil }
    case 'declined':
    case 'waiting':
      return answer
    case 'agreed':
      return { kind: 'not_found' }
    case 'open':
    case 'not_found':
    case 'unknown':
      return { kind: 'unknown' }
  }
}
