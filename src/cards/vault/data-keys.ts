// Opened keys of stored cards, kept for a minute: a card that pays again is opened with half the work.
import type { KeyObject } from 'node:crypto'
import type { LiveCard } from './model.ts'

/** Under a kilobyte each. */
const keysMax = 5000
/** As long as a key may lie open in memory after its card has paid. */
const keptMs = 60_000

interface Kept {
  readonly wrapped: Uint8Array
  readonly key: KeyObject
  readonly until: number
}

export interface DataKeys {
  /** The key of the card's record as it was read; opened when it is not kept, or was sealed again since. */
  of(card: LiveCard): KeyObject
  forget(walletId: bigint, token: string): void
}

/**
 * @param openKey unwraps the key of a card
 * @param elapsed milliseconds of a clock that never goes back
 */
export function keepDataKeys(
  openKey: (card: LiveCard) => KeyObject,
  elapsed: () => number = () => performance.now(),
): DataKeys {
  // In the order in which they end.
  const kept = new Map<string, Kept>()

  /** Lets go of what has ended, and of what would be too much. */
  function makeRoom(now: number): void {
    for (const [name, { until }] of kept) {
      if (until > now && kept.size < keysMax) return
      kept.delete(name)
    }
  }

  let sweeping = false

  /** Ends what no payment comes by to end. */
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
