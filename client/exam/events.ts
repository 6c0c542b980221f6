// Plays the stories of an examination, and collects their callbacks.
import { setTimeout as pause } from 'node:timers/promises'
import { CliError, type Session } from '../../src/cli/session.ts'
import { nameOf } from '../event-names.ts'
import { type Gateway, isFinalRefusal, type Json } from '../gateway.ts'
import { type Actor, createActor, type Step } from '../trigger/actor.ts'
import { type Awaited, stories } from './stories.ts'

export interface ExamEvent {
  readonly id: string
  readonly name: string
  /** The event before it in the feed. */
  readonly after: string
  readonly story: string
  /** Such as `refunded/refund.completed/2`: the same in every run. */
  readonly key: string
  /** The payment that it is about. For charges and subscriptions their own id. */
  readonly payment: string
  /** The program must know the payment. */
  readonly isRequired: boolean
  readonly body: Json
}

export interface Played {
  readonly events: readonly ExamEvent[]
  /** The reason of each part that could not be played. */
  readonly skipped: readonly string[]
  /** Refunds send no callback, because the merchant's self events are off. */
  readonly withoutOwn: boolean
}

const pollMs = 250
/** The gateway makes charges in the background. */
const awaitMsMax = 30_000
/** The callback of a merchant's own call comes at once or never. */
const ownMsMax = 2000

/** @param buyAt an address of the program that begins a payment. Undefined: the examination makes checkouts itself */
export async function playStories(
  session: Session,
  gateway: Gateway,
  buyAt: URL | undefined,
): Promise<Played> {
  const { stopped } = session
  const bought = new Set<string>()
  const skipped: string[] = []
  const events: ExamEvent[] = []
  let withoutOwn = false
  let after: string = (await gateway.ask('/api/v2/callback/listen')).next

  for (const { name, summary, act } of stories) {
    const steps: Step[] = []
    const own = createActor(gateway, steps, stopped)
    const actor = buyAt === undefined ? own : buyingAt(buyAt, own, bought)
    const awaited: Awaited[] = []
    const awaitedOwn: Awaited[] = []
    session.err(`- ${summary}`)
    await act(actor, awaited, awaitedOwn).catch((error: unknown) => {
      if (!(error instanceof CliError) || !(isFinalRefusal(error) || error.facts.kind === 'failed'))
        throw error
      skipped.push(`${summary}: ${error.message}`)
    })
    const found = await eventsAfter(gateway, after, awaited, awaitedOwn)
    if (!found.hasOwn) withoutOwn = true
    for (const event of found.events) {
      const named = nameOf(event)
      const count = events.filter((one) => one.story === name && one.name === named).length + 1
      const { id, body } = event
      const payment = paymentOf(body)
      const isRequired = bought.has(payment) || (buyAt === undefined && body.operation_id !== undefined)
      const key = `${name}/${named}/${count}`
      events.push({ id, after, body, story: name, name: named, key, payment, isRequired })
      after = id
    }
  }
  return { events, skipped, withoutOwn }
}

/** Every refund of the API and every chargeback names its payment. */
function paymentOf({
  type,
  operation_id,
  parent_operation_id,
  charge_order_id,
  subscription_id,
}: Json): string {
  const operation = type === 'REFUND' ? parent_operation_id : operation_id
  return operation ?? charge_order_id ?? subscription_id ?? ''
}

async function eventsAfter(
  gateway: Gateway,
  from: string,
  awaited: readonly Awaited[],
  own: readonly Awaited[],
): Promise<{ events: Json[]; hasOwn: boolean }> {
  const events: Json[] = []
  const hasAll = (wanted: readonly Awaited[]) =>
    wanted.every(([name, id]) =>
      events.some((event) => nameOf(event) === name && JSON.stringify(event.body).includes(id)),
    )
  const started = performance.now()
  let ownSince: number | undefined
  for (let after = from; ; ) {
    const page = await gateway.ask(`/api/v2/events?after=${after}`)
    events.push(...page.events)
    after = page.next
    const now = performance.now()
    if (page.more === true) continue
    if (hasAll(awaited)) {
      ownSince ??= now
      const hasOwn = hasAll(own)
      if (hasOwn || now - ownSince > ownMsMax) return { events, hasOwn }
    } else if (now - started > awaitMsMax) {
      const missing = awaited.map(([name, id]) => `${name} of ${id}`).join(', ')
      throw new CliError(
        'failed',
        `the gateway made no event within ${awaitMsMax / 1000} seconds: ${missing}`,
      )
    }
    await pause(pollMs)
  }
}

/** An actor whose payments begin at the merchant's program. */
function buyingAt(address: URL, actor: Actor, bought: Set<string>): Actor {
  return {
    ...actor,
    async checkout(body) {
      if (!('payment' in body)) return actor.checkout(body)
      // Shops take the same form twice for a double click, so each payment has another id.
      const fields = new URLSearchParams([...address.searchParams, ['request_id', actor.newRequestId()]])
      const page = await actor.customer.send(address.href, fields)
      const url = checkoutIn(page.url) ?? checkoutIn(page.html)
      if (url === undefined)
        throw new CliError(
          'no_checkout',
          `${address.href} must redirect to a checkout, or answer { "url_redirect": "…" }: it led to ${page.url}`,
        )
      const checkout = await actor.api(`/api/v2/checkout/${url.id}`)
      bought.add(checkout.payment.id)
      return { ...checkout, url_redirect: url.href }
    },
  }
}

function checkoutIn(text: string): { href: string; id: string } | undefined {
  const plain = text.replaceAll('\\/', '/')
  const [href, id] = /https?:\/\/[^\s"']+\/checkout\/([0-9a-f-]{36})/.exec(plain) ?? []
  return href === undefined || id === undefined ? undefined : { href, id }
}
