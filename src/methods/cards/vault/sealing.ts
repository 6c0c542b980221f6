// Sealing of cards: each number under its own key, that key under the master key.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Randomness } from '../../../kernel/random.ts'
import { deriveKey, type Keyring, open, openWith, seal } from '../../../kernel/sealing.ts'
import { type SealedColumn, sealedColumn } from '../../../storage/index.ts'
import type { CardAttempt, CardDetails } from '../model.ts'
import type { LiveCard } from './model.ts'

const dataKeyBytes = 32

export interface SealedNumber {
  readonly wrappedKey: Uint8Array
  readonly sealedPan: Uint8Array
}

interface Whose {
  readonly walletId: bigint
  readonly token: string
}

/** The number is bound to its record: it cannot be opened in another one. */
export function sealNumber(keyring: Keyring, random: Randomness, whose: Whose, number: string): SealedNumber {
  const dataKey = random.bytes(dataKeyBytes)
  try {
    return {
      wrappedKey: seal(keyring, dataKey, dataKeyAssociatedData(whose), random),
      sealedPan: seal(alone(dataKey), number, numberAssociatedData(whose), random),
    }
  } finally {
    dataKey.fill(0)
  }
}

export function openDataKey(keyring: Keyring, whose: Whose & Pick<SealedNumber, 'wrappedKey'>): KeyObject {
  const dataKey = open(keyring, whose.wrappedKey, dataKeyAssociatedData(whose))
  try {
    return createSecretKey(dataKey)
  } finally {
    dataKey.fill(0)
  }
}

/** Throws `SealBroken` if record, number or key differ from the sealed ones. `dataKey`: from {@link openDataKey}. */
export function openNumber(dataKey: KeyObject, whose: Whose & Pick<SealedNumber, 'sealedPan'>): string {
  return openWith(dataKey, whose.sealedPan, numberAssociatedData(whose)).toString()
}

/** The key survives every rotation, so that old cards are still recognised. */
export function fingerprintKey(keyring: Keyring): KeyObject {
  return createSecretKey(deriveKey(keyring, 'card fingerprints'))
}

/** Recognises a stored card. Without the key the hash reveals nothing (PCI DSS 3.5.1.1). */
export function fingerprintOf(key: KeyObject, walletId: bigint, number: string): Buffer {
  return createHmac('sha256', key).update(`${walletId} ${number}`).digest()
}

/** A data key seals one number and never changes, so its keyring has one version. */
function alone(dataKey: Uint8Array): Keyring {
  return { current: 1, keys: new Map([[1, dataKey]]) }
}

export function dataKeyAssociatedData({ walletId, token }: Whose): string {
  return `stored card ${walletId} ${token} key`
}

function numberAssociatedData({ walletId, token }: Whose): string {
  return `stored card ${walletId} ${token} number`
}

export function attemptAssociatedData(attemptKey: string): string {
  return `card attempt ${attemptKey}`
}

export function openCardOf(keyring: Keyring, { key, sealedCard }: CardAttempt): Omit<CardDetails, 'vcode'> {
  if (sealedCard === undefined) throw new Error(`attempt ${key} has no card any more`)
  const card = open(keyring, sealedCard, attemptAssociatedData(key))
  return JSON.parse(card.toString()) as Omit<CardDetails, 'vcode'>
}

export const cardSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'stored_cards',
    table: 'stored_cards',
    column: 'wrapped_key',
    key: { wallet_id: 'bigint', token: 'uuid' },
    associatedDataOf: (row) =>
      dataKeyAssociatedData({ walletId: row.wallet_id as bigint, token: String(row.token) }),
  }),
  sealedColumn({
    name: 'cards_of_attempts',
    table: 'attempts',
    column: 'sealed_card',
    key: { wallet_id: 'bigint', id: 'uuid' },
    associatedDataOf: (row) => attemptAssociatedData(String(row.id)),
  }),
]

const keysMax = 5000
const keptMs = 60_000

interface Kept {
  readonly wrapped: Uint8Array
  readonly key: KeyObject
  readonly until: number
}

export interface DataKeys {
  of(card: LiveCard): KeyObject
  forget(walletId: bigint, token: string): void
}

export function keepDataKeys(
  openKey: (card: LiveCard) => KeyObject,
  elapsed: () => number = () => performance.now(),
): DataKeys {
  const kept = new Map<string, Kept>()

  function makeRoom(now: number): void {
    for (const [name, { until }] of kept) {
      if (until > now && kept.size < keysMax) return
      kept.delete(name)
    }
  }

  let sweeping = false

  function sweepLater(): void {
    if (sweeping) return
    sweeping = true
    setTimeout(() => {
      sweeping = false
      makeRoom(elapsed())
      if (kept.size > 0) sweepLater()
    }, keptMs).unref()
  }

  return {
    of(card) {
      const now = elapsed()
      const name = nameOf(card.walletId, card.token)
      const known = kept.get(name)
      if (known !== undefined && known.until > now && Buffer.compare(known.wrapped, card.wrappedKey) === 0) {
        return known.key
      }
      kept.delete(name)
      makeRoom(now)
      const key = openKey(card)
      kept.set(name, { wrapped: card.wrappedKey, key, until: now + keptMs })
      sweepLater()
      return key
    },
    forget(walletId, token) {
      kept.delete(nameOf(walletId, token))
    },
  }
}

function nameOf(walletId: bigint, token: string): string {
  return `${walletId} ${token}`
}
