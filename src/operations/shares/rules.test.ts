// Which operation can be divided now.
import { expect, it } from 'vitest'
import type { Operation } from '../model.ts'
import { splittable } from './rules.ts'

const paid = { type: 'PAYMENT', status: 'COMPLETED', refunded: 0n }

it.each([
  ['a payment', {}, false, undefined],
  ['a capture', { type: 'CAPTURE' }, false, undefined],
  ['an authorization', { type: 'AUTH' }, false, 'not_splittable: only a PAYMENT or CAPTURE can be split'],
  ['what is not paid', { status: 'PENDING' }, false, 'not_splittable: the operation must be COMPLETED'],
  ['what was made with a split', { split: [] }, false, 'not_splittable: the operation was split before'],
  ['what was divided', { splitAt: 1 }, false, 'not_splittable: the operation was split before'],
  ['what is being refunded', {}, true, 'pending_operations: a refund of the operation is pending'],
  ['what was refunded', { refunded: 1n }, false, 'not_splittable: the operation was refunded'],
])('%s', (_, changed, refundPending, problem) => {
  const result = splittable({ ...paid, ...changed } as unknown as Operation, refundPending)
  if (problem === undefined) expect(result).toEqual({ ok: true, value: undefined })
  else expect(result.ok ? '' : `${result.refusal.kind}: ${result.refusal.reason}`).toContain(problem)
})
