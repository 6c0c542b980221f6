// Payment of a reference by JSON (CONTRACT section 15).
import { type App, parseAmount } from '../../src/http/index.ts'
import type { Cents } from '../../src/kernel/money.ts'
import { isUuid, type Randomness, randomId } from '../../src/kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../src/kernel/result.ts'
import type { ReferenceName } from '../../src/rails/index.ts'
import { sandboxJson } from '../route-options.ts'
import type { ReferenceMachines } from './network.ts'

export interface TypedPayment extends ReferenceName {
  readonly amount: Cents
}

/**
 * Pays a reference with `{entity, ref, amount}`. With a known `payment_id` (UUID) the network sends the notice of
 * that payment again.
 */
export function referenceApi(network: ReferenceMachines, random: Randomness): (app: App) => void {
  return (app) => {
    app.post('/sandbox/api/references/pay', sandboxJson, async (request) => {
      const body = fieldsOf(request.body)
      const typed = unwrap(readTyped(body))
      const { payment_id: id = randomId(random) } = body
      if (typeof id !== 'string' || !isUuid(id)) deny('invalid_parameter', 'payment_id must be a UUID')
      const receipt = await network.pay({ ...typed, id: String(id).toLowerCase() })
      if (receipt.kind === 'in_doubt') {
        return deny('service_unavailable', 'the gateway has not answered; the network repeats its notice')
      }
      return receipt.kind === 'accepted'
        ? { accepted: true, operation_id: receipt.operationId }
        : { accepted: false, reason: receipt.reason }
    })
  }
}

export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

export function readTyped(body: Readonly<Record<string, unknown>>): Result<TypedPayment> {
  const entity = readDigits(body.entity, 'entity', 5)
  if (!entity.ok) return entity
  const ref = readDigits(body.ref, 'ref', 9)
  if (!ref.ok) return ref
  const amount = parseAmount(body.amount, 'amount')
  if (!amount.ok) return amount
  if (amount.value <= 0n) return refuse('invalid_parameter', 'amount must be above zero')
  return ok({ entity: entity.value, ref: ref.value, amount: amount.value })
}

function readDigits(value: unknown, field: string, length: number): Result<string> {
  if (value === undefined || value === null || value === '') {
    return refuse('missing_parameter', `${field} is required`)
  }
  const digits = String(value)
    .replaceAll(/[\s.-]/g, '')
    .padStart(typeof value === 'string' ? 0 : length, '0')
  return /^\d+$/.test(digits) && digits.length === length
    ? ok(digits)
    : refuse('invalid_parameter', `${field} must be ${length} digits`)
}
