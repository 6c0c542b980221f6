// Number and key are bound to their record.
import { expect, it } from 'vitest'
import { systemRandomness } from '../../../kernel/random.ts'
import { type Keyring, open, SealBroken, seal } from '../../../kernel/sealing.ts'
import { dataKeyAssociatedData, openDataKey, openNumber, sealNumber } from './sealing.ts'

const keyring: Keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(3)]]) }
const token = '0198a1f0-0000-7000-8000-000000000001'
const mine = { walletId: 1000n, token }
const number = '4176660000000027'
const numberOf = (card: typeof mine & typeof sealed) => openNumber(openDataKey(keyring, card), card)
const sealed = sealNumber(keyring, systemRandomness, mine, number)

it.each([
  ['another wallet', { walletId: 1001n, token }],
  ['another card', { walletId: 1000n, token: token.replace(/1$/, '2') }],
])('does not open in a record of %s', (_, other) => {
  expect(numberOf({ ...mine, ...sealed })).toBe(number)
  expect(() => open(keyring, sealed.wrappedKey, dataKeyAssociatedData(other))).toThrow(SealBroken)
  const dataKey = open(keyring, sealed.wrappedKey, dataKeyAssociatedData(mine))
  const wrappedKey = seal(keyring, dataKey, dataKeyAssociatedData(other), systemRandomness)
  expect(() => numberOf({ ...other, ...sealed, wrappedKey })).toThrow(SealBroken)
})
