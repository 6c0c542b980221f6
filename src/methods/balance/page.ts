// Payment of a checkout from a consumer's balance.

import { recordEvents } from '../../callbacks/index.ts'
import { newId } from '../../kernel/random.ts'
import { deny, type Refusal } from '../../kernel/result.ts'
import { isEmailAddress } from '../../kernel/values/web-address.ts'
import {
  type FilledIn,
  field,
  fieldId,
  html,
  type Locale,
  type MethodPanel,
  nameField,
  type PanelContext,
  submitButton,
  texts,
} from '../../pages/index.ts'
import { type Subscription, subscriptionEvent } from '../../subscriptions/index.ts'
import { customerOf, customerProblems } from '../contact.ts'
import type { MethodPage, PaidCheckout, PostedForm, Started, SubscribingCheckout, Visit } from '../method.ts'
import { balanceTexts } from './i18n.ts'
import { type BalanceDeps, payFromBalance } from './pay.ts'
import { approveFromBalance, keepConsumer } from './store.ts'

export function balancePage(deps: BalanceDeps): MethodPage {
  return {
    panel: () => balancePanel,

    async start(visit, form) {
      const { locale, checkout } = visit
      const { operation, subscription } = checkout
      const logIn = await readLogIn(visit, form)
      if (logIn.kind === 'wrong_fields') return logIn
      const paid = await payFromBalance(deps, operation, logIn.consumer, async (tx, consumerId) => {
        if (subscription !== undefined) await keepConsumer(tx, subscription, consumerId, deps.clock.now())
      })
      if (!paid.ok) return logInRefused(paid.refusal, locale, form)
      if (paid.value === 'insufficient_funds') return refusedWith('notEnough', locale, form)
      return { kind: paid.value === 'paid' ? 'started' : 'too_late' }
    },

    state: async () => ({ kind: 'open' }),
  }
}

export function balanceSubscribing(deps: BalanceDeps): MethodPage<SubscribingCheckout> {
  return {
    panel: () => balancePanel,
    async start(visit, form) {
      const { checkout, locale } = visit
      const logIn = await readLogIn(visit, form)
      if (logIn.kind === 'wrong_fields') return logIn
      const { email, pin } = logIn.consumer
      const known = await deps.wallets.logInConsumer(email, pin)
      if (!known.ok) return logInRefused(known.refusal, locale, form)
      const accepted = await acceptFromBalance(deps, checkout.subscription, known.value)
      return { kind: accepted ? 'started' : 'too_late' }
    },

    state: async () => ({ kind: 'open' }),
  }
}

async function acceptFromBalance(
  { database, clock, random, wallets, callbacks }: BalanceDeps,
  subscription: Subscription,
  consumerId: bigint,
): Promise<boolean> {
  const wallet = await wallets.get(subscription.walletId)
  const at = clock.now()
  const acceptance = { consumerId, attemptId: newId(at, random) }
  const accepted = await database.transaction(async (tx) => {
    const approved = await approveFromBalance(tx, subscription, acceptance, at)
    if (approved === undefined) return false
    const details = { id: newId(at, random), wallet, event: 'APPROVED', at } as const
    await recordEvents(tx, [subscriptionEvent(approved, details)])
    return true
  })
  if (accepted) callbacks.wake()
  return accepted
}

const pinPattern = /^\d{4,8}$/

export type LogIn =
  | { readonly kind: 'typed'; readonly consumer: { readonly email: string; readonly pin: string } }
  | Extract<Started, { kind: 'wrong_fields' }>

async function readLogIn(visit: Visit<PaidCheckout | SubscribingCheckout>, form: PostedForm): Promise<LogIn> {
  const problems = { ...customerProblems(visit.checkout, form), ...problemsOf(form) }
  if (Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems, filledIn: filledInOf(form) }
  await visit.keepCustomer(customerOf(form))
  return { kind: 'typed', consumer: { email: (form.email ?? '').trim(), pin: (form.pin ?? '').trim() } }
}

function logInRefused(refusal: Refusal, locale: Locale, form: PostedForm): Started {
  const { kind } = refusal
  if (kind === 'service_unavailable') deny(refusal)
  return refusedWith(kind === 'pin_retries_exhausted' ? 'locked' : 'wrongPin', locale, form)
}

function refusedWith(why: 'locked' | 'wrongPin' | 'notEnough', locale: Locale, form: PostedForm): Started {
  const notice = { kind: 'message', ...balanceTexts[locale][why] } as const
  return { kind: 'refused', notice, filledIn: filledInOf(form) }
}

function filledInOf({ fullname, email, phone }: PostedForm): FilledIn {
  return { fullname, email, phone }
}

function problemsOf({ email = '', pin = '' }: PostedForm) {
  const typedEmail = email.trim()
  const typedPin = pin.trim()
  return {
    ...(typedEmail === '' ? ({ email: 'missing' } as const) : {}),
    ...(typedEmail !== '' && !isEmailAddress(typedEmail) ? ({ email: 'invalid' } as const) : {}),
    ...(typedPin === '' ? ({ pin: 'missing' } as const) : {}),
    ...(typedPin !== '' && !pinPattern.test(typedPin) ? ({ pin: 'invalid' } as const) : {}),
  }
}

const idPrefix = 'wallet'
const emailLengthMax = 100
const pinLengthMax = 8

export const balancePanel: MethodPanel = { render: balanceForm, fieldId: (name) => fieldId(idPrefix, name) }

function balanceForm(context: PanelContext): string {
  const { page, hint, chosen } = context
  const { locale, kind, requiredFields, filledIn } = page
  const words = texts[locale]
  const balance = balanceTexts[locale]
  const shared = { page, idPrefix, showErrors: chosen } as const
  const phone = { ...shared, name: 'phone', autocomplete: 'tel', inputMode: 'tel', maxLength: 100 } as const
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${words.submitting}">
<p>${kind === 'subscription' ? balance.explainedAccepting : balance.explained}</p>
!${field({
    ...shared,
    name: 'email',
    autocomplete: 'username',
    inputMode: 'email',
    value: filledIn.email,
    maxLength: emailLengthMax,
  })}
!${field({
    ...shared,
    name: 'pin',
    kind: 'secret',
    autocomplete: 'current-password',
    inputMode: 'numeric',
    maxLength: pinLengthMax,
  })}
!${nameField(context, idPrefix)}
!${requiredFields.phone === true ? field({ ...phone, value: filledIn.phone }) : ''}
!${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
