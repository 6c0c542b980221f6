// Dynamic Multibanco references: ifthenpay chooses the number, and a customer can pay one amount once.
import type { RailRequest } from '../../src/connections/index.ts'
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { cents, decimalText } from '../../src/kernel/money.ts'
import { derivedId } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import * as shared from '../shared/requests.ts'
import { referenceOf, textOf } from '../shared/texts.ts'
import { refusalIn } from './client.ts'
import * as orders from './orders.ts'
import { endOf, expiryDaysOf } from './rules.ts'

const isName = (entity = '', ref = '') => /^\d{5} \d{9}$/.test(`${entity} ${ref}`)

/**
 * By the documents, a reference has no later start, no open amount and at most 730 days. The largest amount is from a
 * public client.
 */
const limits: rails.ReferenceLimits = {
  ...{ payableManyTimes: false, openAmount: false, startsLater: false },
  ...{ validityDaysMax: 730, amountMax: cents(99_999_99) },
}

/** The driver offers no refunds, because ifthenpay cannot refund Multibanco. */
export function referencesOf(deps: orders.Ifthenpay): rails.ProviderReferences {
  const { requests } = deps
  const one = keyedMutex<rails.ReferenceAnswer>()
  return {
    ...{ numbering: 'theirs', limits },
    async create(asked, signal) {
      signal?.throwIfAborted()
      return one(asked.key, () => create(deps, asked, signal))
    },
    /**
     * ifthenpay has no call that withdraws a reference. If a customer pays it later, the driver reports the payment.
     */
    async withdraw(keys) {
      for (const key of keys)
        if ((await requests.find(key)) !== undefined) await requests.begin(key, 'withdraw')
    },
    paymentsOf: async (keys) => (await Promise.all(keys.map((key) => paidUnder(deps, key)))).flat(),
  }
}

async function create(
  deps: orders.Ifthenpay,
  asked: rails.ReferenceRequest,
  signal: AbortSignal | undefined,
): Promise<rails.ReferenceAnswer> {
  const { clock } = deps
  const { key, amountMin, amountMax, starts, payableOnce } = asked
  const known = await orders.note(deps, key, { kind: 'reference', amount: String(amountMax) })
  const before = answerIn(known)
  if (before !== undefined) return before
  const isSupported = payableOnce && amountMin === amountMax && (starts ?? 0) <= clock.now()
  if (!isSupported) {
    await shared.decline(deps, key, 'order', 'not_permitted')
    return { kind: 'declined', reason: 'not_permitted' }
  }
  // If the answer to an order was lost, a customer may still have paid it.
  const [paid] = await orders.paymentsOf(deps, known, signal)
  if (paid !== undefined) return { kind: 'named', entity: paid.entity, ref: paid.reference }
  const made = await orders.make(deps, key, orderOf(deps, asked), signal)
  return (made && answerIn(made)) ?? { kind: 'unknown', why: 'the answers of ifthenpay were lost' }
}

function orderOf({ clock, settings }: orders.Ifthenpay, asked: rails.ReferenceRequest): orders.NewOrder {
  const { amountMax, expires, merchant, description, customer } = asked
  return {
    path: '/multibanco/reference/init',
    body: {
      ...{ mbKey: settings.mbKey, amount: decimalText(amountMax) },
      description: (description ?? merchant.name).slice(0, orders.textLengthMax),
      ...(customer?.email !== undefined && { clientEmail: customer.email }),
      ...(expires !== undefined && { expiryDays: expiryDaysOf(clock.now(), expires) }),
    },
    read(answer, orderId) {
      const [code, entity, request] = [answer.Status, answer.Entity, answer.RequestId].map(textOf)
      const ref = referenceOf(answer.Reference)
      if (/^-\d+$/.test(code ?? '')) return refusalIn(answer)
      if (code !== '0' || !isName(entity, ref) || textOf(answer.OrderId) !== orderId) return undefined
      const ends = endOf(textOf(answer.ExpiryDate)) ?? expires
      const last = ends === undefined ? '' : String(Math.min(ends, expires ?? ends))
      return { entity: entity ?? '', ref, request: request ?? '', ends: last }
    },
    again: true,
  }
}

function answerIn(known: RailRequest): rails.ReferenceAnswer | undefined {
  const { ids, steps } = known
  const n = shared.numberWith(known, 'ref')
  if (n !== undefined) {
    const [entity = '', ref = '', ends] = [ids[`entity${n}`], ids[`ref${n}`], ids[`ends${n}`]]
    return { kind: 'named', entity, ref, ...(ends && { expires: instant(Number(ends)) }) }
  }
  const reason = shared.declineIn(known) ?? (steps.withdraw && 'withdrawn')
  return reason === undefined ? undefined : { kind: 'declined', reason: reason as rails.ReferenceDecline }
}

/** A payment names its own reference. This can be one whose answer was lost. */
export async function paidUnder(
  deps: orders.Ifthenpay,
  key: string,
): Promise<readonly rails.ReferencePayment[]> {
  const known = await deps.requests.find(key)
  if (known === undefined || shared.notedOf(known)?.kind !== 'reference') return []
  return (await orders.paymentsOf(deps, known)).map((payment) => {
    const { number, requestId, orderId, entity, reference: ref, amount, paidAt } = payment
    const shown = known.ids[`ref${number}`]
    const isShown = shown === undefined || (shown === ref && known.ids[`entity${number}`] === entity)
    if (!isShown || !isName(entity, ref) || paidAt === undefined)
      throw new Error('ifthenpay lists another reference for this order, or no time')
    const id = derivedId(`${orderId} ${requestId}`, 'ifthenpay payment')
    return { id, key, entity, ref, amount, paidAt }
  })
}
