// Acceptance of a subscription by phone.
import { second } from '../../../kernel/time.ts'
import type { WantedMandate } from '../../../rails/index.ts'
import {
  beginAcceptance,
  chooseAcceptance,
  endsAt,
  mostInAMonth,
  type Subscription,
  type Terms,
} from '../../../subscriptions/index.ts'
import { customerOf } from '../../contact.ts'
import type { MethodPage, SubscribingCheckout } from '../../method.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import { mbwayTexts } from '../i18n.ts'
import { askForSubscription } from '../mandates/changes/create.ts'
import { withdrawRequest } from '../mandates/changes/end.ts'
import { findMandate } from '../mandates/changes/move.ts'
import { mbwayPanel, noticeOf, readPhoneForm, spaced, unlessAskedTooOften } from '../phone-form.ts'

export function mbwaySubscribing(deps: MbwayDeps): MethodPage<SubscribingCheckout> {
  const { clock } = deps

  async function mandateOf({ walletId, attemptId }: Subscription) {
    return attemptId === undefined ? undefined : findMandate(deps, walletId, attemptId)
  }

  return {
    panel: () => mbwayPanel,
    async start(visit, form) {
      const { checkout } = visit
      const read = await readPhoneForm(deps, visit, form)
      if (read.kind !== 'read') return read
      const { phone, filledIn } = read
      await visit.keepCustomer(customerOf({ ...form, phone }))
      return unlessAskedTooOften(visit.locale, filledIn, async () => {
        const asked = await acceptByPhone(deps, checkout.subscription, phone)
        return { kind: asked ? 'started' : 'too_late' }
      })
    },
    async state({ checkout, locale }) {
      const mandate = await mandateOf(checkout.subscription)
      if (mandate === undefined) return { kind: 'open' }
      if (checkout.subscription.underApproval) {
        const secondsLeft = Math.ceil((mandate.askedUntil - clock.now()) / second)
        const { phone } = mandate
        const message = mbwayTexts[locale].waiting(spaced(phone))
        return {
          kind: 'waiting',
          message,
          phone,
          withdraw: mbwayTexts[locale].wrongNumber,
          ...(secondsLeft > 0 ? { secondsLeft } : {}),
        }
      }
      const answered = mandate.modifiedAt < mandate.askedUntil ? 'refused' : 'expired'
      return { kind: 'open', notice: noticeOf(locale, mandate.withdrawn ? 'withdrawn' : answered) }
    },
    async withdraw({ checkout }) {
      const { subscription } = checkout
      const mandate = subscription.underApproval ? await mandateOf(subscription) : undefined
      if (mandate !== undefined) await withdrawRequest(deps, mandate)
    },
  }
}

async function acceptByPhone(deps: MbwayDeps, subscription: Subscription, phone: string): Promise<boolean> {
  const { walletId, id: subscriptionId } = subscription
  const asked = await askForSubscription(deps, {
    walletId,
    subscriptionId,
    phone,
    wanted: wantedMandateOf(subscription),
    latest: endsAt(subscription.endDate),
    async open(tx, { id: attemptId, createdAt }) {
      const ours = { walletId, subscriptionId, attemptId }
      return (
        (await chooseAcceptance(tx, ours, mbway.code, createdAt)) &&
        (await beginAcceptance(tx, ours, createdAt))
      )
    },
  })
  return asked !== undefined
}

/** The limit of the mandate covers every charge that the terms allow. */
export function wantedMandateOf(terms: Terms): WantedMandate {
  return { limit: mostInAMonth(terms), from: terms.startDate }
}
