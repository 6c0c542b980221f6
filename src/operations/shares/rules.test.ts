// Operations that can be divided.
import { expect, it } from 'vitest'
import type { Operation } from '../model.ts'
import { splittable } from './rules.ts'

const paid = { type: 'PAYMENT', status: 'COMPLETED', refunded: 0n }

it.each([
  ['a payment', {}, false, undefined],
  ['a capture', { type: 'CAPTURE' }, false, undefined],
  ['an authorization', { type: 'AUTH' }, false, 'not_splittable: only a PAYMENT or CAPTURE can be split'],
  ['an unpaid payment', { status: 'PENDING' }, false, 'not_splittable: the operation must be COMPLETED'],
  ['a payment made with a split', { split: [] }, false, 'not_splittable: the operation was split before'],
  ['a divided payment', { splitAt: 1 }, false, 'not_splittable: the operation was split before'],
  ['a payment with a pending refund', {}, true, 'pending_operations: a refund of the operation is pending'],
  ['a refunded payment', { refunded: 1n }, false, 'not_splittable: the operation was refunded'],
])('%s', (_, changed, refundPending, problem) => {
  const result = splittable({ ...paid, ...changed } as unknown as Operation, refundPending)
  if (problem === undefined) expect(result).toEqual({ ok: true, value: undefined })
  else expect(result.ok ? '' : `${result.refusal.kind}: ${result.refusal.reason}`).toContain(problem)
})
