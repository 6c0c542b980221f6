// The driver's records of its requests and Eupago's answers.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import { numbers } from '../shared/requests.ts'
import type { EupagoClient, EupagoPayment } from './client.ts'
import { paymentsIn } from './client.ts'

export interface Eupago extends Pick<DriverTools, 'requests' | 'clock' | 'logger'> {
  readonly client: EupagoClient
}

/**
 * All payments of a key. If an answer was lost, the driver also searches for our identifier: Eupago has no
 * idempotency keys, but keeps the identifier of each request.
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
