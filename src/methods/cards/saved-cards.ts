// Cards that customers saved for a shop: offered on checkouts whose merchant names the customer.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { PaymentMethod } from '../../customers/index.ts'
import { findCustomer, lockCustomer } from '../../customers/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { randomId } from '../../kernel/random.ts'
import { deriveKey } from '../../kernel/sealing.ts'
import type { PageCore } from '../../module.ts'
import type { Executor } from '../../storage/index.ts'
import { lastDayOfCard } from '../../subscriptions/index.ts'
import type { AnyVisit } from '../method.ts'
import { cards } from './facts.ts'
import type { CardAttempt } from './model.ts'
import { type LiveCard, openCardOf, type StoredCard, type Vault } from './vault/index.ts'

/** The customer's shop page shows no more. The newest come first. */
const offeredMax = 10

export interface OfferedCard {
  /** Opaque, and valid on this checkout only. */
  readonly choice: string
  readonly card: LiveCard
}

export type SavedCards = ReturnType<typeof createSavedCards>

export function createSavedCards({
  clock,
  database,
  keyring,
  vault,
}: Pick<PageCore, 'clock' | 'database' | 'keyring'> & { readonly vault: Vault }) {
  const key = createSecretKey(deriveKey(keyring, 'choices of saved cards'))

  function choiceOf(checkoutId: string, { walletId, token }: LiveCard): string {
    return createHmac('sha256', key).update(`${checkoutId} ${walletId} ${token}`).digest('base64url')
  }

  function shown(card: StoredCard): PaymentMethod {
    const { token: id, brand, last4, valdate, createdAt, refusedAt } = card
    const { expired } = vault.cardOnWire(card, clock.now())
    const status = refusedAt !== undefined ? 'REFUSED' : expired ? 'EXPIRED' : 'ACTIVE'
    return { id, method: cards.code, brand, last4, valdate, status, createdAt }
  }

  async function offered({ checkout, wallet }: AnyVisit): Promise<readonly OfferedCard[]> {
    const { customerId, walletId, subscription, id, kind } = checkout
    // A subscription without a payment asks no acquirer, so nobody would check the security code.
    if (customerId === undefined || kind === 'subscription' || wallet.cardsAtAcquirer === true) return []
    const saved = await vault.ofCustomer(walletId, customerId)
    return saved
      .flatMap((card) => {
        if (card.voidedAt !== undefined || shown(card).status !== 'ACTIVE') return []
        const endsEarly = subscription !== undefined && lastDayOfCard(card.expiry) < subscription.startDate
        return endsEarly ? [] : [{ choice: choiceOf(id, card), card }]
      })
      .slice(0, offeredMax)
  }

  return {
    offered,

    /** Whether the page may offer to save a card. A subscription alone keeps its own card. */
    async canSave({ checkout: { customerId, kind, walletId }, wallet }: AnyVisit): Promise<boolean> {
      if (customerId === undefined || kind === 'subscription' || wallet.cardsAtAcquirer === true) return false
      return (await findCustomer(database, walletId, customerId)) !== undefined
    },

    /** The card of a posted choice. Undefined unless this checkout offers it now. */
    async chosen(visit: AnyVisit, choice: string): Promise<LiveCard | undefined> {
      const posted = Buffer.from(choice)
      const found = (await offered(visit)).find(({ choice: known }) => {
        const expected = Buffer.from(known)
        return expected.length === posted.length && timingSafeEqual(expected, posted)
      })
      return found?.card
    },

    async list(walletId: bigint, customerId: string): Promise<PaymentMethod[]> {
      return (await vault.ofCustomer(walletId, customerId)).map(shown)
    },

    async erase(walletId: bigint, customerId: string, token: string): Promise<PaymentMethod | undefined> {
      return database.transaction(async (tx) => {
        if (!(await lockCustomer(tx, walletId, customerId))) return undefined
        const card = await vault.find(walletId, token, tx)
        if (card?.customerId !== customerId || card.voidedAt !== undefined) return undefined
        await vault.void(walletId, token, tx)
        return shown(card)
      })
    },

    eraseAll: (tx: Executor, walletId: bigint, customerId: string) =>
      vault.voidOfCustomer(tx, walletId, customerId),
  }
}

/** Saves the card of a paid attempt. A repeated call finds the same card. A deleted customer saves none. */
export async function saveCardFor(
  { core, vault }: { readonly core: PageCore; readonly vault: Vault },
  attempt: CardAttempt,
): Promise<void> {
  const { walletId, details } = attempt
  const { savesFor: customerId, authentication } = details
  if (customerId === undefined) return
  const card = openCardOf(core.keyring, attempt)
  await core.database.transaction(async (tx) => {
    if (!(await lockCustomer(tx, walletId, customerId))) return
    const token = randomId(core.random)
    const shared = { walletId, token, customerId, card, authentication, verified: true } as const
    await vault.store(tx, { ...shared, keptFor: 'customer' })
  })
  crashPoint('card kept, its payment not settled')
}

/** Refusals of the card itself. Others may be different tomorrow. */
const refusedForGood: ReadonlySet<string> = new Set(['lost_or_stolen', 'expired_card', 'invalid_card'])

/** Stops offering a saved card that its issuer refused for good. */
export async function noteRefusal(
  { vault }: { readonly vault: Pick<Vault, 'refuse'> },
  { walletId, details: { savedCard } }: CardAttempt,
  reason: string,
): Promise<void> {
  if (savedCard !== undefined && refusedForGood.has(reason)) await vault.refuse(walletId, savedCard)
}
