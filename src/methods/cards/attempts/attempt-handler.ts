// A customer's attempt to pay by card: authentication, then one authorization.

import { after, minute } from '../../../kernel/time.ts'
import type { PageCore } from '../../../module.ts'
import type { AttemptAnswer, CustomerHandler, NextStep } from '../../../operations/for-methods.ts'
import {
  type AcquirerAnswer,
  type CardAcquirer,
  type CardAuthorization,
  type CustomerNeeded,
  callRail,
  cancelAtAcquirer,
  isCancelled,
  type MayStart,
  type NotReceived,
  railTimeoutMs,
} from '../../../rails/index.ts'
import { cards } from '../facts.ts'
import {
  type CardAttempt,
  type CardAttemptDetails,
  type CardOwner,
  type CardPurpose,
  isReadyToAsk,
  threeDsIdOf,
} from '../model.ts'
import { openCardOf, type Vault } from '../vault/index.ts'
import { authenticationMinutesMax } from './authenticate.ts'
import type { SecurityCodes } from './in-flight.ts'
import { isSavedCardLive } from './start.ts'

/** The card was deleted while its customer authenticated: no acquirer is asked. */
export const savedCardDeleted = 'saved_card_deleted'
/** Only the security code proves that the customer has the saved card. The process that had the code is gone. */
const securityCodeLost = 'security_code_lost'
const authenticationTimeout = 'authentication_timeout'
const verified: AttemptAnswer = { kind: 'approved' }

export interface HandlerDeps {
  readonly core: PageCore
  readonly acquirer: CardAcquirer
  readonly vault: Pick<Vault, 'find'>
  readonly subjects: Readonly<Record<CardOwner, CardPurpose>>
  readonly securityCodes: SecurityCodes
}

type SaidOfAttempt = AcquirerAnswer | CustomerNeeded | NotReceived

export interface CardAttemptHandler extends CustomerHandler<CardAttemptDetails> {
  close(attempt: CardAttempt): Promise<AttemptAnswer>
}

/** The acquirer is asked for money only after the authentication. Until then the attempt is OPEN. */
export function cardAttemptHandler(deps: HandlerDeps): CardAttemptHandler {
  const { core, acquirer, vault, subjects, securityCodes } = deps
  const { baseUrl, clock, keyring } = core

  async function call(
    ask: (signal: AbortSignal) => Promise<SaidOfAttempt>,
    beforeSend?: MayStart,
  ): Promise<AttemptAnswer> {
    return answerOf(await callRail(ask, railTimeoutMs, beforeSend))
  }

  async function refusedSavedCard(
    attempt: CardAttempt,
    vcode: string | undefined,
  ): Promise<AttemptAnswer | undefined> {
    if (attempt.details.savedCard === undefined) return undefined
    if (!(await isSavedCardLive(vault, attempt))) return { kind: 'declined', reason: savedCardDeleted }
    return vcode === undefined ? { kind: 'declined', reason: securityCodeLost } : undefined
  }

  return {
    method: cards.code,
    purposes: subjects,
    whenNotReceived: 'give up',
    notReceived: 'acquirer_unavailable',
    look: async (attempt) => nextStep(attempt),
    async ask(attempt, beforeSend) {
      const vcode = securityCodes.take(attempt.key)
      const { key, walletId, merchantName: name, amount, currency, details } = attempt
      const { intent, browser } = details
      const customers = authenticatingAcquirer(attempt)
      if (customers === undefined && intent === 'verify') return verified
      const refused = await refusedSavedCard(attempt, vcode)
      if (refused !== undefined) return refused
      const request = {
        ...{ key, merchant: { id: walletId, name }, amount, currency },
        ...credentialOf(details),
      }
      const isTypedHere = details.card !== undefined
      const card = isTypedHere && {
        card: { ...openCardOf(keyring, attempt), ...(vcode === undefined ? {} : { vcode }) },
      }
      if (customers !== undefined) {
        const returnUrl = `${baseUrl}/3ds/return/${threeDsIdOf(attempt)}`
        return call(
          (signal) => customers.authorize({ ...request, ...card, intent, browser, returnUrl }, signal),
          beforeSend,
        )
      }
      if (!card) throw new Error(`attempt ${key} has no card to send`)
      const proven = { ...request, ...card, intent: intent as 'sale' | 'hold', ...authenticationOf(details) }
      return call((signal) => acquirer.authorize(proven, signal), beforeSend)
    },
    async inquire(attempt) {
      const { key, details } = attempt
      const customers = authenticatingAcquirer(attempt)
      if (customers === undefined)
        return details.intent === 'verify' ? verified : call((signal) => acquirer.inquire(key, signal))
      const answer = await call((signal) => customers.inquire(key, signal))
      return answer.kind === 'waiting' && hasTakenTooLong(attempt)
        ? closePage(attempt, authenticationTimeout)
        : answer
    },
    cancel: ({ key }) => call((signal) => cancelAtAcquirer(acquirer, key, signal)),
    close: (attempt) => closePage(attempt, 'authentication_cancelled'),
  }

  function authenticatingAcquirer({ details }: CardAttempt) {
    if (details.leftToAcquirer !== true) return undefined
    if (acquirer.customers === undefined) throw new Error('the acquirer authenticates no customers any more')
    return acquirer.customers
  }

  function hasTakenTooLong({ createdAt }: CardAttempt): boolean {
    return clock.now() >= after(createdAt, authenticationMinutesMax * minute)
  }

  async function closePage({ key }: CardAttempt, reason: string): Promise<AttemptAnswer> {
    const answer = await call((signal) => cancelAtAcquirer(acquirer, key, signal))
    return answer.kind === 'not_found' ? { kind: 'cancelled', reason } : answer
  }
}

function nextStep(attempt: CardAttempt): NextStep {
  return isReadyToAsk(attempt) ? { kind: 'ask' } : { kind: 'declined', reason: authenticationTimeout }
}

function answerOf(answer: SaidOfAttempt): AttemptAnswer {
  if (answer.kind === 'customer') return { kind: 'waiting', details: { page: answer.page } }
  if (isCancelled(answer)) return { kind: 'not_found' }
  if (answer.kind !== 'declined') return answer
  if (answer.mayArrive) return { kind: 'cancelled', reason: answer.decline }
  return { kind: 'declined', reason: answer.decline, reference: answer.reference }
}

function credentialOf({
  keepsCard,
  savesFor,
  savedCard,
}: CardAttemptDetails): Pick<CardAuthorization, 'credentialOnFile'> {
  if (keepsCard || savesFor !== undefined) return { credentialOnFile: 'initial' }
  return savedCard === undefined ? {} : { credentialOnFile: 'customer_initiated' }
}

function authenticationOf({ authentication }: CardAttemptDetails) {
  if (authentication === undefined) return {}
  const { eci, value, dsTransId, version } = authentication
  if (eci === undefined || value === undefined || dsTransId === undefined) return {}
  return { authentication: { eci, value, dsTransId, version } }
}
