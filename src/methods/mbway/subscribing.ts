// Accepting a subscription by phone: the number is typed here, the customer approves a mandate in the app.
import { type Clock, second } from '../../kernel/time.ts'
import { findMandate, type Mandates } from '../../mandates/index.ts'
import type { MobilePayments } from '../../mobile-payments/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Subscriptions } from '../../subscriptions/index.ts'
import { customerOf } from '../contact.ts'
import type { MethodPage, SubscribingCheckout } from '../method.ts'
import { mbwayPanel } from './panel.ts'
import { noticeOf, readPhoneForm, spaced, unlessAskedTooOften } from './phone-form.ts'
import { mbwayTexts } from './texts.ts'

export interface MbwaySubscribingDeps {
  readonly database: Database
  readonly clock: Clock
  readonly payments: Pick<MobilePayments, 'isRegistered'>
  readonly subscriptions: Subscriptions
  readonly mandates: Pick<Mandates, 'withdraw'>
}

export function mbwaySubscribing(deps: MbwaySubscribingDeps): MethodPage<SubscribingCheckout> {
  const { database, clock, payments, subscriptions } = deps
  return {
    panel: () => mbwayPanel,
    async start(visit, form) {
      const { checkout } = visit
      const read = await readPhoneForm(payments, visit, form)
      if (read.kind !== 'read') return read
      const { phone, filledIn } = read
      await visit.keepCustomer(customerOf({ ...form, phone }))
      // A form posted twice finds the subscription being decided, and waits for the same phone.
      return unlessAskedTooOften(visit.locale, filledIn, async () => {
        const asked = await subscriptions.acceptByPhone(checkout.subscription, phone)
        return { kind: asked ? 'started' : 'too_late' }
      })
    },
    async state({ checkout, locale }) {
      const { walletId, attemptId, underApproval } = checkout.subscription
      const mandate =
        attemptId === undefined ? undefined : await findMandate({ database, clock }, walletId, attemptId)
      if (mandate === undefined) return { kind: 'open' }
      if (underApproval) {
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
      // Changed before its end: the customer refused it.
      const answered = mandate.modifiedAt < mandate.askedUntil ? 'refused' : 'expired'
      return { kind: 'open', notice: noticeOf(locale, mandate.withdrawn ? 'withdrawn' : answered) }
    },
    async withdraw({ checkout }) {
      const { walletId, attemptId, underApproval } = checkout.subscription
      if (underApproval && attemptId !== undefined) await deps.mandates.withdraw(walletId, attemptId)
    },
  }
}
