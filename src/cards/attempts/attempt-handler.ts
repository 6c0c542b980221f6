// A customer's attempt to pay by card: authenticated by the issuer, then the acquirer is asked, once.
import type { AttemptAnswer, CustomerHandler, NextStep } from '../../operations/index.ts'
import {
  type AcquirerAnswer,
  callRail,
  cancelAtAcquirer,
  isCancelled,
  type NotReceived,
} from '../../rails/index.ts'
import type { CardsDeps } from '../deps.ts'
import type { CardAttempt, CardAttemptDetails } from '../model.ts'
import { openCard } from './sealed-card.ts'
import type { SecurityCodes } from './security-codes.ts'

/** After this an acquirer's silence is an unclear answer. Real time: it bounds a network call. */
const acquirerTimeoutMs = 8000
/** A verification moves no money: it is done when the issuer has authenticated the holder. */
const verified: AttemptAnswer = { kind: 'approved' }

export interface HandlerDeps extends Pick<CardsDeps, 'acquirer' | 'keyring' | 'subjects'> {
  readonly securityCodes: SecurityCodes
}

/** The customer proves who they are while the attempt is OPEN; only then the acquirer is asked for money. */
export function cardAttemptHandler(deps: HandlerDeps): CustomerHandler<CardAttemptDetails> {
  const { acquirer, keyring, subjects, securityCodes } = deps

  async function call(
    ask: (signal: AbortSignal) => Promise<AcquirerAnswer | NotReceived>,
    mayStart?: Parameters<typeof callRail>[2],
  ): Promise<AttemptAnswer> {
    return answerOf(await callRail(ask, acquirerTimeoutMs, mayStart))
  }

  return {
    method: 'CC',
    subjects,
    whenNotReceived: 'give up',
    notReceived: 'acquirer_unavailable',
    look: async (attempt) => nextStep(attempt),
    async ask(attempt, mayStart) {
      const vcode = securityCodes.take(attempt.key)
      const { key, walletId, merchantName: name, amount, currency, details } = attempt
      const { intent } = details
      if (intent === 'verify') return verified
      const request = {
        ...{ key, merchant: { id: walletId, name }, amount, currency, intent },
        card: { ...openCard(keyring, attempt), ...(vcode === undefined ? {} : { vcode }) },
        ...authenticationOf(details),
        ...(details.keepsCard ? { credentialOnFile: 'initial' as const } : {}),
      }
      return call((signal) => acquirer.authorize(request, signal), mayStart)
    },
    inquire: async ({ key, details }) =>
      details.intent === 'verify' ? verified : call((signal) => acquirer.inquire(key, signal)),
    cancel: ({ key }) => call((signal) => cancelAtAcquirer(acquirer, key, signal)),
  }
}

/** It is looked at when its customer, or the issuer, has taken too long; or when it is authenticated and nobody asks. */
function nextStep({ details: { step } }: CardAttempt): NextStep {
  return step === 'AUTHENTICATED' ? { kind: 'ask' } : { kind: 'declined', reason: 'authentication_timeout' }
}

function answerOf(answer: AcquirerAnswer | NotReceived): AttemptAnswer {
  // Whoever cancelled it, before it arrived, says what becomes of the attempt.
  if (isCancelled(answer)) return { kind: 'not_found' }
  if (answer.kind !== 'declined') return answer
  return { kind: 'declined', reason: answer.decline, reference: answer.reference }
}

function authenticationOf({ authentication }: CardAttemptDetails) {
  if (authentication === undefined) return {}
  const { eci, value, dsTransId, version } = authentication
  if (eci === undefined || value === undefined || dsTransId === undefined) return {}
  return { authentication: { eci, value, dsTransId, version } }
}
