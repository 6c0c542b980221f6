// Saved accounts of the online wallet: stored for a subscription, charged and ended.
import {
  type AttemptPurpose,
  type CustomerAttempt,
  operationOf,
  type SettlingAttempt,
} from '../../operations/for-methods.ts'
import {
  callRail,
  type NotReceived,
  type OnlineWallet,
  type RailAnswer,
  railTimeoutMs,
  type SavedAccounts,
  type UnknownAnswer,
  type WalletAnswer,
} from '../../rails/index.ts'
import { findSubscription, type Recurring, type Subscription } from '../../subscriptions/index.ts'
import type { PaypalDeps, WalletAttempt, WalletDetails } from './model.ts'
import { keepAccount } from './store.ts'

type Purpose = AttemptPurpose<WalletDetails>
type Deps = Pick<PaypalDeps, 'database' | 'rail'>

/** Asks PayPal to forget an account if no subscription may charge it. */
export function savingPurpose(deps: Deps, purpose: Purpose): Purpose {
  async function forgetUnlessCharged(attempt: WalletAttempt): Promise<void> {
    if (attempt.details.saves !== true || isChargedTo(await subscriptionOf(deps, attempt), attempt)) return
    await forgetAccount(deps.rail, attempt.key)
  }
  return {
    ...purpose,
    async approved(attempt, heldUntil) {
      const outcome = await purpose.approved(attempt, heldUntil)
      if (outcome !== 'unknown') await forgetUnlessCharged(attempt)
      return outcome
    },
    async declined(attempt, reason) {
      const isDeclined = await purpose.declined(attempt, reason)
      if (isDeclined) await forgetUnlessCharged(attempt)
      return isDeclined
    },
  }
}

/** Links the account to the subscription before the settlement of the payment approves it. */
export function keepAccountOf({
  database,
  clock,
}: Pick<PaypalDeps, 'database' | 'clock'>): NonNullable<SettlingAttempt<WalletDetails>['beforeSettling']> {
  return async ({ walletId, id, subscriptionId }, { key, details }) => {
    if (subscriptionId === undefined || details.saves !== true) return
    await keepAccount(database, { walletId, subscriptionId, operationId: id, attemptId: key }, clock.now())
  }
}

/** The customer can end the permission at the wallet. The subscription is then cancelled. */
export async function followAccount(deps: PaypalDeps, attempt: WalletAttempt): Promise<void> {
  if (attempt.state !== 'APPROVED' || attempt.details.saves !== true) return
  const subscription = await subscriptionOf(deps, attempt)
  if (subscription === undefined || !isChargedTo(subscription, attempt)) return
  const { kind } = await callRail(() => savedAt(deps.rail).inquireAccount(attempt.key))
  if (kind === 'ended') await deps.subscriptions.cancel(subscription)
}

/** Charges of a subscription to the account that its accepted attempt saved. */
export function accountCharges({ rail }: Pick<PaypalDeps, 'rail'>): Recurring {
  return {
    charge: {
      blockedReason: async () => undefined,
      async charge({ subscription, operation, merchantName: name }, beforeSend) {
        const { id: key, walletId, amount, currency } = operation
        const { attemptId: account } = subscription
        if (account === undefined) throw new Error(`subscription ${subscription.id} has no saved account`)
        const merchant = { id: walletId, name }
        const charge = { key, account, reference: key, merchant, amount, currency }
        const ask = (signal: AbortSignal) => savedAt(rail).charge(charge, signal)
        return railAnswerOfWallet(await callRail(ask, railTimeoutMs, beforeSend))
      },
      inquire: async ({ operation }) => railAnswerOfWallet(await callRail(() => rail.inquire(operation.id))),
    },
    async drop({ attemptId }) {
      if (attemptId !== undefined) await forgetAccount(rail, attemptId)
    },
  }
}

/** A review can take days, and the payment stays undecided in that time. */
function railAnswerOfWallet(answer: WalletAnswer | UnknownAnswer | NotReceived): RailAnswer {
  switch (answer.kind) {
    case 'paid':
      return { kind: 'approved' }
    case 'declined':
    case 'not_found':
      return answer
    default:
      return { kind: 'unknown' }
  }
}

async function subscriptionOf(
  { database }: Pick<PaypalDeps, 'database'>,
  attempt: CustomerAttempt<WalletDetails>,
): Promise<Subscription | undefined> {
  const { walletId, owner, operationId } = attempt
  const id = owner === 'subscription' ? operationId : (await operationOf(database, attempt)).subscriptionId
  return id === undefined ? undefined : findSubscription(database, walletId, id)
}

function isChargedTo(subscription: Subscription | undefined, { key }: WalletAttempt): boolean {
  return subscription?.status === 'APPROVED' && subscription.attemptId === key
}

async function forgetAccount(rail: OnlineWallet, account: string): Promise<void> {
  await callRail((signal) => savedAt(rail).forget(account, signal))
}

function savedAt({ saved }: OnlineWallet): SavedAccounts {
  if (saved === undefined) throw new Error('the online wallet saves no accounts')
  return saved
}
