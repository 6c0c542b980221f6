// Requests to providers without idempotency keys: the driver records each first, and sends it once.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import type { Instant } from '../../src/kernel/time.ts'

type Deps = Pick<DriverTools, 'requests'>

/** The driver records this before the first request, and never changes it. Results are in `ids` and `status`. */
export interface Noted {
  readonly kind: 'reference' | 'payment' | 'card'
  /** Cents as text. */
  readonly amount: string
  readonly until?: Instant | undefined
}

export function notedOf(request: RailRequest | undefined): Noted | undefined {
  return (request?.answer ?? undefined) as Noted | undefined
}

export async function note(
  { requests }: Deps,
  key: string,
  noted: Noted,
  providerId?: string,
): Promise<RailRequest> {
  const { request } = await requests.begin(key, 'order')
  if (notedOf(request) !== undefined) return request
  await requests.record(key, 'order', { answer: noted, ...(providerId !== undefined && { providerId }) })
  return (await requests.find(key)) ?? request
}

export const declinedAs = 'declined: '

export function declineIn(request: RailRequest | undefined): string | undefined {
  const status = request?.status ?? ''
  return status.startsWith(declinedAs) ? status.slice(declinedAs.length) : undefined
}

export async function decline({ requests }: Deps, key: string, step: string, why: string): Promise<void> {
  await requests.record(key, step, { status: declinedAs + why })
}

export const declined = <Reason extends string>(decline: Reason) => ({ kind: 'declined', decline }) as const

/** If the answer about a new reference is lost, the driver requests another one with the next number. */
export const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** The number of the request whose answer has the value `name`. */
export function numberWith({ ids }: RailRequest, name: string): number | undefined {
  return numbers.find((number) => ids[name + number] !== undefined)
}
