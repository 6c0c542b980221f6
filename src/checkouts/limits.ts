// The page's message for amounts beyond the merchant's limits.
import { RefusalError } from '../kernel/result.ts'
import type { Started, Visit } from '../methods/method.ts'
import { withinLimits } from '../operations/index.ts'
import { type Locale, texts } from '../pages/index.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { Checkout } from './model.ts'

type Refused = Extract<Started, { kind: 'refused' }>

export async function beyondLimits(
  { core }: Pick<CheckoutsDeps, 'core'>,
  { checkout: { operation }, wallet, locale }: Visit<Checkout>,
): Promise<Refused | undefined> {
  if (operation === undefined) return undefined
  const fits = await withinLimits(core, wallet, { amount: operation.amount, field: 'amount' })
  return fits.ok ? undefined : refusedIn(locale)
}

/** Other payments may use up the day's limit meanwhile. */
export async function unlessBeyondLimits(locale: Locale, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal.kind !== 'limit_reached') throw error
    return refusedIn(locale)
  }
}

function refusedIn(locale: Locale): Refused {
  return { kind: 'refused', notice: { kind: 'message', ...texts[locale].beyondLimits } }
}
