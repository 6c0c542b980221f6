// Beginning to pay from an online wallet: the attempt is written, the order is placed, the customer goes there.
import { newId } from '../kernel/ids.ts'
import { after, second } from '../kernel/time.ts'
import { chooseAttempt, type Operation } from '../operations/index.ts'
import { callRail } from '../rails/index.ts'
import { type OnlineWalletDeps, railTimeoutMs } from './deps.ts'
import type { WalletAttempt } from './model.ts'
import {
  abandonOthers,
  endAttempt,
  findAttemptByPageToken,
  insertAttempt,
  recordApproveUrl,
} from './store.ts'

/** When the wallet is asked first, where nobody told us that the customer decided. */
const firstInquirySeconds = 30

export interface NewWalletAttempt {
  readonly operation: Operation
  readonly merchantName: string
  readonly pageToken: string
  /** Where the wallet sends the customer back to. */
  readonly returnUrl: string
  readonly language: 'pt' | 'en'
}

export type WalletStarted =
  | { readonly kind: 'redirect'; readonly url: string }
  /** The wallet does not answer, or does not want the order. Nothing can have moved: only taking moves money. */
  | { readonly kind: 'unavailable' }
  /** The operation is final, something is being decided, or the page was used before. */
  | { readonly kind: 'too_late' }

/** Starts an attempt, or finds the one that the same page started (a double click). */
export async function startAttempt(deps: OnlineWalletDeps, asked: NewWalletAttempt): Promise<WalletStarted> {
  const { database, clock } = deps
  const { operation, pageToken } = asked
  const known = await findAttemptByPageToken(database, operation.walletId, operation.id, pageToken)
  if (known !== undefined) return againOf(known)

  const now = clock.now()
  const attempt = attemptOf(deps, asked)
  const reference = { walletId: operation.walletId, operationId: operation.id, attemptId: attempt.id }
  const chosen = await database.transaction(async (tx) => {
    if (!(await chooseAttempt(tx, reference, 'PAYPAL', now))) return false
    await abandonOthers(tx, attempt, now)
    await insertAttempt(tx, attempt, now, after(now, firstInquirySeconds * second))
    return true
  })
  return chosen ? placeOrder(deps, asked, attempt) : { kind: 'too_late' }
}

function againOf({ state, approveUrl }: WalletAttempt): WalletStarted {
  return state === 'OPEN' && approveUrl !== undefined
    ? { kind: 'redirect', url: approveUrl }
    : { kind: 'too_late' }
}

async function placeOrder(
  { database, clock, rail }: OnlineWalletDeps,
  { operation, merchantName, returnUrl, language }: NewWalletAttempt,
  attempt: WalletAttempt,
): Promise<WalletStarted> {
  const { id: key, amount, currency } = attempt
  const merchant = { id: operation.walletId, name: merchantName }
  const order = { key, reference: operation.id, merchant, amount, currency, returnUrl, language }
  const answer = await callRail((signal) => rail.open(order, signal), railTimeoutMs)
  if (answer.kind === 'open') {
    await recordApproveUrl(database, attempt, answer.approveUrl)
    return { kind: 'redirect', url: answer.approveUrl }
  }
  const failure = answer.kind === 'declined' ? answer.reason : 'wallet_unavailable'
  await endAttempt(database, attempt, { from: 'OPEN', state: 'DECLINED', failure }, clock.now())
  return { kind: 'unavailable' }
}

function attemptOf({ clock, random }: OnlineWalletDeps, asked: NewWalletAttempt): WalletAttempt {
  const { operation, pageToken, returnUrl } = asked
  return {
    id: newId(clock.now(), random),
    walletId: operation.walletId,
    operationId: operation.id,
    pageToken,
    state: 'OPEN',
    amount: operation.amount,
    currency: operation.currency,
    returnUrl,
    approveUrl: undefined,
    failure: undefined,
    inquiries: 0,
  }
}
