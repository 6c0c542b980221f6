// Sealed secrets and the keys and data that open them.
import { describe, expect, it } from 'vitest'
import { systemRandomness } from './random.ts'
import { deriveKey, type Keyring, open, SealBroken, seal } from './sealing.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)
const keyring: Keyring = { current: 1, keys: new Map([[1, key(7)]]) }
const rotated: Keyring = { current: 2, keys: new Map([...keyring.keys, [2, key(8)]]) }
const place = 'wallet w1 callback secret'
const sealed = seal(keyring, 'whsec_ação', place, systemRandomness)

describe('a sealed secret', () => {
  it('opens where it was sealed', () => {
    expect(open(keyring, sealed, place).toString()).toBe('whsec_ação')
    expect(open(keyring, seal(keyring, '', place, systemRandomness), place)).toHaveLength(0)
  })

  it('opens after the master key was rotated, while new ones use the new key', () => {
    expect(open(rotated, sealed, place).toString()).toBe('whsec_ação')
    const fresh = seal(rotated, 'x', place, systemRandomness)
    expect(() => open(keyring, fresh, place)).toThrow(/no version 2/)
  })

  it('is different each time, so that equal secrets do not show', () => {
    expect(seal(keyring, 'whsec_ação', place, systemRandomness)).not.toEqual(sealed)
  })

  it('does not open in another place, nor under another key', () => {
    expect(() => open(keyring, sealed, 'wallet w2 callback secret')).toThrow(SealBroken)
    expect(() => open({ current: 1, keys: new Map([[1, key(9)]]) }, sealed, place)).toThrow(SealBroken)
  })

  it('does not open with any bit changed or bytes missing', () => {
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] as number) ^ 1
      expect(() => open(rotated, changed, place), `byte ${index}`).toThrow(SealBroken)
      expect(() => open(keyring, sealed.subarray(0, index), place), `${index} bytes`).toThrow(SealBroken)
    }
  })
})

it('derives one key per purpose that outlives rotation', () => {
  expect(deriveKey(rotated, 'api keys')).toEqual(deriveKey(keyring, 'api keys'))
  expect(deriveKey(keyring, 'pins')).not.toEqual(deriveKey(keyring, 'api keys'))
})
