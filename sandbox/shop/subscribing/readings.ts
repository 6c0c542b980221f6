// What the gateway's answers say of a subscription and of its charges, taken into what the shop remembers. Pure.
import { parseAmount } from '../../../src/http/index.ts'
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { instant } from '../../../src/kernel/time.ts'
import type { Answer } from '../gateway-api.ts'
import {
  chargeStateAfter,
  type Refusal,
  type ShopCharge,
  type ShopSubscription,
  subscriptionStateAfter,
} from './model.ts'

/** Of a charge that the shop has no name for. */
const lettersOfIdShown = 8

type Read = Readonly<Record<string, unknown>> | undefined

/** The subscription as an answer shows it: `body` is a subscription of the API. */
export function subscriptionRead(known: ShopSubscription, body: Read): ShopSubscription {
  const card = body?.card as { type?: unknown; last4?: unknown } | undefined
  return {
    ...known,
    state: subscriptionStateAfter(known.state, body?.status),
    gatewayId: textIn(body?.id) ?? known.gatewayId,
    amount: centsIn(body?.amount) ?? known.amount,
    startDate: textIn(body?.start_date) ?? known.startDate,
    endDate: textIn(body?.end_date) ?? known.endDate,
    method: textIn(body?.default_payment_method) ?? known.method,
    card: card === undefined ? known.card : { brand: String(card.type), last4: String(card.last4) },
  }
}

/** An element of the list of charges, which may be of one that somebody else made. */
export function chargeRead(
  known: ShopCharge | undefined,
  subscription: string,
  body: Read,
): ShopCharge | undefined {
  const gatewayId = textIn(body?.id)
  const amount = centsIn(body?.amount)
  if (gatewayId === undefined || amount === undefined) return undefined
  const first = known ?? {
    reference: `…${gatewayId.slice(-lettersOfIdShown)}`,
    subscription,
    gatewayId,
    amount,
    day: lisbonDayOf(instant(Date.parse(String(body?.date)))),
    state: 'asked',
  }
  return { ...first, gatewayId, state: chargeStateAfter(first.state, body?.status) }
}

/** Why the gateway did not take a request; undefined when it did. */
export function refusalIn({ status, body }: Answer): Refusal | undefined {
  if (status === 200) return undefined
  const code = typeof body?.code === 'number' ? body.code : undefined
  return { code, reason: textIn(body?.reason) ?? '' }
}

/** Whether an answer says no. One that did not come, or is the gateway's own trouble, leaves it open. */
export function saysNo({ status }: Answer): boolean {
  return status >= 400 && status < 500
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Of an amount on the wire. */
function centsIn(value: unknown): number | undefined {
  const amount = parseAmount(value, 'amount')
  return amount.ok ? Number(amount.value) : undefined
}
