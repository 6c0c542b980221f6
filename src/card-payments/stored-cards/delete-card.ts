// Deleting a stored card: nothing can be paid with it any more, and what was to be charged with it ends.
import type { StoredCard } from '../../cards/index.ts'
import { unwrap } from '../../kernel/result.ts'
import type { CardPaymentsDeps } from '../deps.ts'

/** Erases the card and voids the subscriptions that are charged with it, all or nothing. Again is fine. */
export async function deleteCard(
  { database, wallets, vault, endSubscriptionsOf, callbacks }: CardPaymentsDeps,
  { walletId, token }: StoredCard,
): Promise<void> {
  const wallet = await wallets.get(walletId)
  await database.transaction(async (tx) => {
    unwrap(await vault.void(walletId, token, tx))
    await endSubscriptionsOf(tx, wallet, token)
  })
  callbacks.wake()
}
