// Opened keys are cached for a minute, per record.
import { expect, it } from 'vitest'
import { systemRandomness } from '../../../kernel/random.ts'
import { type Keyring, reseal } from '../../../kernel/sealing.ts'
import { instant } from '../../../kernel/time.ts'
import type { LiveCard } from './model.ts'
import { dataKeyAssociatedData, keepDataKeys, openDataKey, openNumber, sealNumber } from './sealing.ts'

const keyring: Keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(3)]]) }
const number = '4176660000000027'
const opened: string[] = []
let now = 0
const keys = keepDataKeys(
  (card) => {
    opened.push(card.token)
    return openDataKey(keyring, card)
  },
  () => now,
)

function cardOf(walletId: bigint, token: string): LiveCard {
  const at = instant(0)
  return {
    ...{
      walletId,
      token,
      last4: '0027',
      bin: '417666',
      brand: 'visa',
      valdate: '12/2030',
      name: 'Ana Silva',
    },
    ...{
      expiry: { month: 12, year: 2030 },
      verificationStatus: 'VERIFIED',
      keptFor: 'merchant',
      createdAt: at,
      modifiedAt: at,
    },
    ...sealNumber(keyring, systemRandomness, { walletId, token }, number),
  }
}

function unwraps(card: LiveCard): boolean {
  const before = opened.length
  expect(openNumber(keys.of(card), card)).toBe(number)
  return opened.length > before
}

it('opens a key again after a minute, a deletion or a rotation', () => {
  const card = cardOf(1000n, 'one')
  expect([unwraps(card), unwraps(card), unwraps({ ...card })]).toEqual([true, false, false])
  now += 59_999
  expect(unwraps(card)).toBe(false)
  now += 1
  expect([unwraps(card), unwraps(card)]).toEqual([true, false])
  const rotated = {
    ...card,
    wrappedKey: reseal(keyring, card.wrappedKey, dataKeyAssociatedData(card), systemRandomness),
  }
  expect([unwraps(rotated), unwraps(rotated)]).toEqual([true, false])
  keys.forget(1000n, 'one')
  expect(unwraps(rotated)).toBe(true)
})

it('separates two wallets with one token, and a replaced card', () => {
  const [mine, theirs, replaced] = [cardOf(1n, 'two'), cardOf(2n, 'two'), cardOf(1n, 'two')]
  expect([mine, theirs, mine, theirs, replaced, mine].map(unwraps)).toEqual([
    ...[true, true, false, false],
    ...[true, true],
  ])
})

it('has a size limit and drops the oldest', () => {
  const first = cardOf(3n, 'first')
  unwraps(first)
  for (let count = 0; count < 5000; count++)
    keys.of({ ...first, token: `t${count}`, ...sealedFor(`t${count}`) })
  expect(unwraps(first)).toBe(true)
})

function sealedFor(token: string) {
  return sealNumber(keyring, systemRandomness, { walletId: 3n, token }, number)
}
