// Multibanco references of Eupago. They can have an open amount and many payments.
import type { RailRequest } from '../../src/connections/index.ts'
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { endOfLisbonDay, lisbonDayOf } from '../../src/kernel/lisbon.ts'
import { cents } from '../../src/kernel/money.ts'
import { derivedId } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import * as shared from '../shared/requests.ts'
import { referenceOf, textOf } from '../shared/texts.ts'
import { refund } from './refunds.ts'
import * as requests from './requests.ts'
import { eurosOf, firstDayOf, keyRefused } from './rules.ts'

/** Eupago documents the largest amount, and no limit of the validity. */
const limits: rails.ReferenceLimits = {
  ...{ payableManyTimes: true, openAmount: true, startsLater: true },
  amountMax: cents(99_999_00),
}

export function referencesOf(deps: requests.Eupago): rails.ProviderReferences {
  const one = keyedMutex<rails.ReferenceAnswer>()
  return {
    ...{ numbering: 'theirs', limits },
    async create(asked, signal) {
      signal?.throwIfAborted()
      return one(asked.key, () => create(deps, asked, signal))
    },
    /**
     * Eupago documents no call that withdraws a reference. If a customer pays it later, the driver reports the
     * payment.
     */
    async withdraw(keys) {
      for (const key of keys)
        if ((await deps.requests.find(key)) !== undefined) await deps.requests.begin(key, 'withdraw')
    },
    paymentsOf: async (keys) => (await Promise.all(keys.map((key) => paidUnder(deps, key)))).flat(),
    async refundPayment({ key, of, paymentId, amount, to }, signal) {
      const known = await deps.requests.find(of)
      const payments = known === undefined ? [] : await requests.paymentsOf(deps, known)
      const paid = payments.find(({ id }) => idOf(id) === paymentId)
      if (paid === undefined) return { kind: 'declined', reason: 'unknown_payment' }
      // The documents require only an IBAN. The real API also requires a BIC (observed).
      if (to?.bic === undefined) return { kind: 'declined', reason: 'account_needed' }
      const account = { iban: to.iban, bic: to.bic }
      const answer = await refund(deps, { key, transaction: paid.id, amount, account }, signal)
      if (answer.kind !== 'declined') return answer
      const isTooMuch = answer.decline === 'not_permitted'
      return { kind: 'declined', reason: isTooMuch ? 'amount_exceeds_remaining' : 'not_possible' }
    },
  }
}

async function create(
  deps: requests.Eupago,
  asked: rails.ReferenceRequest,
  signal: AbortSignal | undefined,
): Promise<rails.ReferenceAnswer> {
  const { key, amountMax } = asked
  const known = await shared.note(deps, key, { kind: 'reference', amount: String(amountMax) })
  const before = answerIn(known)
  if (before !== undefined) return before
  // If the answer to a reference was lost, a customer may still have paid it.
  const [paid] = await requests.paymentsOf(deps, known)
  if (paid !== undefined) return { kind: 'named', entity: paid.entity, ref: paid.reference }
  for (const number of shared.numbers) {
    const step = `create${number}`
    const { before: started, request } = await deps.requests.begin(key, step)
    // If the answer was lost, no customer has seen the reference, so the driver makes another one.
    if (started === 'unknown') continue
    if (started === 'new' && request.steps.withdraw !== undefined)
      await shared.decline(deps, key, step, 'withdrawn')
    else if (started === 'new') await send(deps, asked, number, signal)
    const made = await deps.requests.find(key)
    return (made && answerIn(made)) ?? { kind: 'unknown', why: 'Eupago made no reference' }
  }
  return { kind: 'unknown', why: 'the answers of Eupago were lost' }
}

async function send(
  deps: requests.Eupago,
  { key, amountMin, amountMax, starts, expires, payableOnce }: rails.ReferenceRequest,
  number: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { client, clock, logger } = deps
  const isLater = starts !== undefined && starts > clock.now()
  const { estado, body } = await client.older(
    '/multibanco/create',
    {
      ...{ valor: eurosOf(amountMax), id: key, per_dup: payableOnce ? 0 : 1 },
      ...(amountMin !== amountMax && { valor_minimo: eurosOf(amountMin), valor_maximo: eurosOf(amountMax) }),
      ...(isLater && { data_inicio: firstDayOf(starts) }),
      ...(expires !== undefined && { data_fim: lisbonDayOf(expires) }),
    },
    signal,
  )
  const [entity, ref] = [textOf(body.entidade), referenceOf(body.referencia)]
  if (estado < 0 && estado !== keyRefused) {
    logger.warn({ estado }, 'Eupago made no reference')
    return shared.decline(deps, key, `create${number}`, 'not_permitted')
  }
  if (estado !== 0 || !/^\d{5} \d{9}$/.test(`${entity} ${ref}`)) throw new Error('Eupago named no reference')
  const ends = expires === undefined ? '' : String(Math.min(expires, endOfLisbonDay(lisbonDayOf(expires))))
  const ids = { [`entity${number}`]: entity, [`ref${number}`]: ref, [`ends${number}`]: ends }
  await deps.requests.record(key, `create${number}`, { ids })
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

const idOf = (transaction: string): string => derivedId(transaction, 'eupago payment')

export async function paidUnder(
  deps: requests.Eupago,
  key: string,
): Promise<readonly rails.ReferencePayment[]> {
  const known = await deps.requests.find(key)
  if (known === undefined || shared.notedOf(known)?.kind !== 'reference') return []
  return (await requests.paymentsOf(deps, known)).map(({ id, entity, reference: ref, amount, paidAt }) => {
    if (id === '' || paidAt === undefined) throw new Error('Eupago lists a payment without an id or a time')
    return { id: idOf(id), key, entity, ref, amount, paidAt }
  })
}
