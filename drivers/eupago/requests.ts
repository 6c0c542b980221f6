// The driver's records of its requests and Eupago's answers.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type { EupagoClient, EupagoPayment } from './client.ts'
import { paymentsIn } from './client.ts'

export interface Eupago extends Pick<DriverTools, 'requests' | 'clock' | 'logger'> {
  readonly client: EupagoClient
}

/** Recorded before the first request, and never changed. Results are in `ids` and `status`. */
export interface Noted {
  readonly kind: 'reference' | 'payment'
  /** Cents as text. */
  readonly amount: string
  readonly until?: Instant | undefined
}

export function notedOf(request: RailRequest | undefined): Noted | undefined {
  return (request?.answer ?? undefined) as Noted | undefined
}

export async function note({ requests }: Eupago, key: string, noted: Noted): Promise<RailRequest> {
  const { request } = await requests.begin(key, 'order')
  if (notedOf(request) !== undefined) return request
  await requests.record(key, 'order', { answer: noted })
  return (await requests.find(key)) ?? request
}

const declinedAs = 'declined: '

export function declineIn(request: RailRequest | undefined): string | undefined {
  const status = request?.status ?? ''
  return status.startsWith(declinedAs) ? status.slice(declinedAs.length) : undefined
}

export async function decline({ requests }: Eupago, key: string, step: string, why: string): Promise<void> {
  await requests.record(key, step, { status: declinedAs + why })
}

export const declined = <Reason extends string>(decline: Reason) => ({ kind: 'declined', decline }) as const

export const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** The number of the request whose answer contained `name`. */
export function numberWith({ ids }: RailRequest, name: string): number | undefined {
  return numbers.find((number) => ids[name + number] !== undefined)
}

/**
 * All payments of a key: those of its references, and, if an answer was lost, those of our identifier. Eupago has no
 * idempotency keys, and keeps the identifier of each request.
 */
export async function paymentsOf(
  { client }: Eupago,
  request: RailRequest,
): Promise<readonly EupagoPayment[]> {
  const { key, steps, ids } = request
  const found: EupagoPayment[] = []
  const sent = numbers.filter((number) => steps[`create${number}`] !== undefined)
  for (const number of sent) {
    const referencia = ids[`ref${number}`]
    if (referencia === undefined) continue
    const entidade = ids[`entity${number}`]
    const { estado, body } = await client.older('/multibanco/info', {
      referencia,
      ...(entidade && { entidade }),
    })
    if (estado !== 0) throw new Error(`Eupago answered ${estado} about its own reference`)
    found.push(...paymentsIn(body))
  }
  if (sent.every((number) => ids[`ref${number}`] !== undefined)) return found
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...(await client.transactionsOf(key)).filter(({ id }) => !known.has(id))]
}
