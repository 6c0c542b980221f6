// The entry point of the vault: cards that merchants stored, found by their token and opened for the acquirer alone.
import { isUuid } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Keyring } from '../../kernel/sealing.ts'
import type { Clock, Instant } from '../../kernel/time.ts'
import type { Database, Executor } from '../../storage/index.ts'
import { summaryOf } from '../rules.ts'
import { keepDataKeys } from './data-keys.ts'
import type { CardToStore, LiveCard, OpenedCard, StoredCard } from './model.ts'
import { type CreditCard, cardOnWire } from './rules.ts'
import { fingerprintKey, fingerprintOf, openDataKey, openNumber, sealNumber } from './sealing.ts'
import { findCard, voidCard, writeCard } from './store.ts'

export type { CardToStore, LiveCard, OpenedCard, StoredCard, VoidedCard } from './model.ts'
export type { CreditCard } from './rules.ts'
export { cardSecrets } from './sealed-secrets.ts'

export interface VaultDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
}

export interface Vault {
  /**
   * Stores a checked card in the transaction that its authentication settles in. A card that its merchant has stored
   * before keeps its token; expiry, name and verification become those given now. Cards of subscriptions are each a
   * record of their own, whatever their number.
   *
   * @returns the card's token in lower case, and whether it is the proposed one
   */
  store(tx: Executor, asked: CardToStore): Promise<{ readonly token: string; readonly created: boolean }>
  /** The wallet's card of that token, in either case; undefined for what is no token of this wallet. */
  find(walletId: bigint, token: string, tx?: Executor): Promise<StoredCard | undefined>
  /** Decrypts the card, for the acquirer; throws `SealBroken` when its record was tampered with. */
  open(card: LiveCard): OpenedCard
  /**
   * Voids the card: its number, key, fingerprint and name are erased, the rest stays to be read. Voiding again
   * answers true again. Old versions of the row go with the next vacuum of the database.
   *
   * @param tx where it belongs to a transaction
   *
   * Refusals: not_found.
   */
  void(walletId: bigint, token: string, tx?: Executor): Promise<Result<true>>
  /** The card as the API tells it; with its name only to whoever stores cards (SPEC.md CreditCard). */
  cardOnWire(card: StoredCard, now: Instant, told?: { readonly name?: boolean }): CreditCard
}

/** Opens the vault. */
export function createVault({ database, clock, random, keyring }: VaultDeps): Vault {
  const fingerprints = fingerprintKey(keyring)
  const dataKeys = keepDataKeys((card) => openDataKey(keyring, card))
  return {
    async store(tx, { walletId, token: proposed, keptFor, card, authentication, verified }) {
      const token = proposed.toLowerCase()
      const { number, name } = card
      const { last4, bin, type: brand, valdate } = summaryOf(card)
      const sealed = sealNumber(keyring, random, { walletId, token }, number)
      const fingerprint = fingerprintOf(fingerprints, walletId, number)
      const shown = { last4, bin, brand, valdate, name, verified, keptFor, authentication }
      const kept = await writeCard(tx, { walletId, token, fingerprint, ...sealed, ...shown }, clock.now())
      return { token: kept, created: kept === token }
    },
    find: async (walletId, token, tx = database) =>
      isUuid(token) ? findCard(tx, walletId, token.toLowerCase()) : undefined,
    open: (card) => ({ number: openNumber(dataKeys.of(card), card), expiry: card.expiry, name: card.name }),
    async void(walletId, token, tx = database) {
      dataKeys.forget(walletId, token.toLowerCase())
      const known = isUuid(token) && (await voidCard(tx, walletId, token.toLowerCase(), clock.now()))
      return known ? ok(true) : refuse('not_found', 'there is no card with that token')
    },
    cardOnWire,
  }
}
