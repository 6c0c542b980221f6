// Accepting a subscription by phone: the number is typed here, the customer approves a mandate in the app.
import { type Clock, second } from '../../kernel/time.ts'
import { findMandate, type Mandates } from '../../mandates/index.ts'
import type { MobilePayments } from '../../mobile-payments/index.ts'
import { mbwayTexts } from '../../pages/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Subscriptions } from '../../subscriptions/index.ts'
import { customerOf } from '../methods/customer-contact.ts'
import type { SubscriptionMethod } from '../methods/payment-method.ts'
import { noticeOf, readPhoneForm, spaced, unlessAskedTooOften } from '../methods/phone-form.ts'
import { addCustomerData } from '../store.ts'

export interface PhoneSubscriptionMethodDeps {
  readonly database: Database
  readonly clock: Clock
  readonly payments: Pick<MobilePayments, 'isRegistered'>
  readonly subscriptions: Subscriptions
  readonly mandates: Pick<Mandates, 'withdraw'>
}

export function createPhoneSubscriptionMethod(deps: PhoneSubscriptionMethodDeps): SubscriptionMethod {
  const { database, clock, payments, subscriptions } = deps
  return {
    async start(visit, form) {
      const { checkout, ip } = visit
      const read = await readPhoneForm(payments, visit, form)
      if (read.kind !== 'read') return read
      const { phone, filledIn } = read
      await addCustomerData(database, checkout, customerOf({ ...form, phone }), ip, clock.now())
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
          withdrawable: true,
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
