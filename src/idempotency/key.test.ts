// The stored fingerprint of a request reveals nothing without the master key.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Keyring } from '../kernel/sealing.ts'
import { fingerprinting } from './key.ts'

const keyringOf = (byte: number): Keyring => ({
  current: 1,
  keys: new Map([[1, new Uint8Array(32).fill(byte)]]),
})
const meaning = 'POST /prows/v2/payment\n{"newCard":{"number":"4176660000000027"}}'

it('digests a request under the master key', () => {
  const [one, again, other] = [keyringOf(1), keyringOf(1), keyringOf(2)].map((keyring) =>
    Buffer.from(fingerprinting(keyring)(meaning)).toString('hex'),
  )
  expect(again).toBe(one)
  expect(other).not.toBe(one)
  expect(one).not.toBe(createHash('sha256').update(meaning).digest('hex'))
})

it('outlives a rotation of the master keys', () => {
  const keys = new Map([...keyringOf(1).keys, [2, new Uint8Array(32).fill(9)]])
  expect(fingerprinting({ current: 2, keys })(meaning)).toEqual(fingerprinting(keyringOf(1))(meaning))
})
