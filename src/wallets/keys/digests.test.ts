// Digests of secrets under different peppers.
import { expect, it } from 'vitest'
import type { Keyring } from '../../kernel/sealing.ts'
import { createMatcher, digestOf, matchesDigest, pepperFor } from './credentials.ts'

const keyring = (byte: number): Keyring => ({
  current: 1,
  keys: new Map([[1, new Uint8Array(32).fill(byte)]]),
})
const pepper = pepperFor(keyring(1), 'apiKey')
const digest = digestOf(pepper, 'secret')

it('matches only the same secret under the same pepper', () => {
  expect(digest).toHaveLength(32)
  expect(matchesDigest(pepper, 'secret', digest)).toBe(true)
  expect(matchesDigest(pepper, 'Secret', digest)).toBe(false)
  expect(matchesDigest(pepper, '', digest)).toBe(false)
  expect(matchesDigest(pepperFor(keyring(2), 'apiKey'), 'secret', digest)).toBe(false)
  expect(matchesDigest(pepperFor(keyring(1), 'esbToken'), 'secret', digest)).toBe(false)
})

it('matches no other secret after a match', () => {
  const matches = createMatcher(pepper)
  const other = digestOf(pepper, 'sEcret')
  const presented = ['sEcret', 'secret', 'sEcret', 'secret', 'secre', 'secrets', '']
  expect(presented.map((secret) => matches(secret, digest))).toEqual(
    presented.map((secret) => secret === 'secret'),
  )
  expect(matches('secret', other)).toBe(false)
  expect(createMatcher(pepperFor(keyring(2), 'apiKey'))('secret', digest)).toBe(false)
})
