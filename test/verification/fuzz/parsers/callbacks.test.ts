// Verification of callbacks by the SDK: only signed ones pass.
import { createHmac } from 'node:crypto'
import { CallbackError, verifyCallback } from '@comporta/sdk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonOf, oddBody, oddText, oddValue } from '../values.ts'
import { steepness } from './time.ts'

const seed = 18
const key = Buffer.alloc(24, 7)
const secret = `whsec_${key.toString('base64')}`

function signed(body: string, id = 'msg', time = String(Math.floor(Date.now() / 1000))) {
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
}

function verified(
  body: string | Uint8Array,
  headers: Record<string, string | string[] | undefined>,
): unknown {
  try {
    return verifyCallback(body, headers, secret)
  } catch (error) {
    if (error instanceof CallbackError) return undefined
    throw error
  }
}

it('a signed object is accepted, with its digits', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (fields) => {
      const body = JSON.stringify({ ...fields, event: 'COMPLETED' })
      expect(verified(body, signed(body))).toMatchObject({ event: 'COMPLETED' })
      expect(verified(Buffer.from(body), signed(body))).toMatchObject({ event: 'COMPLETED' })
      expect(verified(`${body} `, signed(body))).toBeUndefined()
    }),
    { seed, numRuns: 100 },
  )
})

it('a signed value other than an object is no callback', () => {
  const bodies = fc.oneof(fc.constantFrom('null', '1', '"x"', '[]', 'true', '', '{'), oddBody)
  fc.assert(
    fc.property(bodies, (body) => {
      const callback = verified(body, signed(body))
      expect(
        callback === undefined ||
          (typeof callback === 'object' && callback !== null && !Array.isArray(callback)),
      ).toBe(true)
    }),
    { seed, numRuns: 300 },
  )
})

it('odd headers and bodies are refused, and never throw anything else', () => {
  const right = signed('{}')
  const header = fc.oneof(oddText, fc.constant(undefined), fc.array(oddText, { maxLength: 3 }))
  const name = fc.constantFrom(...(Object.keys(right) as (keyof typeof right)[]))
  fc.assert(
    fc.property(name, header, (which, value) => {
      fc.pre(value !== right[which])
      expect(verified('{}', { ...right, [which]: value })).toBeUndefined()
    }),
    { seed, numRuns: 400 },
  )
  fc.assert(
    fc.property(fc.uint8Array(), oddValue, (bytes, value) => {
      expect(verified(bytes, right)).toBeUndefined()
      if (jsonOf(value) !== '{}') expect(verified(jsonOf(value), right)).toBeUndefined()
    }),
    { seed, numRuns: 300 },
  )
})

it('many signatures take time in proportion', () => {
  const read = (signatures: string) => verified('{}', { ...signed('{}'), 'webhook-signature': signatures })
  expect(steepness((size) => 'v1,AAAA '.repeat(size), read, 500)).toBeUndefined()
})
