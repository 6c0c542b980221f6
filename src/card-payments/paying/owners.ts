// What becomes of attempts that the card API started: payments settle, stored cards get their token.
import { recordEvents } from '../../callbacks/index.ts'
import { type CardAttempt, type OwnerOfAttempts, openCardOf } from '../../cards/index.ts'
import { newId, randomId } from '../../kernel/random.ts'
import { beginApproval, completeBy, findOperation, hasPaid, type Operation } from '../../operations/index.ts'
import type { CardOwnersDeps } from '../deps.ts'
import { endStoring, findStoring } from '../store.ts'

/** Attempts at paying an operation that was opened with them: whatever ends one ends the operation. */
export function paymentOwner({ database, clock, settle }: CardOwnersDeps): OwnerOfAttempts {
  async function operationOf({ walletId, subjectId, id }: CardAttempt): Promise<Operation> {
    const operation = await findOperation(database, walletId, subjectId)
    if (operation === undefined) throw new Error(`attempt ${id} has no operation`)
    return operation
  }

  return {
    // The attempt was written together with its operation.
    choose: async () => true,
    beginApproval: (tx, { walletId, subjectId, id }) =>
      beginApproval(tx, { walletId, operationId: subjectId, attemptId: id }, clock.now()),
    async approved(attempt) {
      const { id, card } = attempt
      return completeBy({ database, settle }, await operationOf(attempt), { id, method: 'CC', card })
    },
    async declined(attempt, reason) {
      const guard = { kind: 'attempt', attemptId: attempt.id } as const
      const operation = await operationOf(attempt)
      if ((await settle(operation, { status: 'FAIL', guard, error: reason })) !== undefined) return true
      return !(await hasPaid(database, operation, attempt.id))
    },
    async authenticationFailed(attempt, reason) {
      await settle(await operationOf(attempt), {
        status: 'FAIL',
        guard: { kind: 'no_rail_deciding' },
        error: reason,
      })
    },
    async returnUrl(attempt) {
      const { status, cardSecureUrls } = await operationOf(attempt)
      if (status === 'PENDING' || cardSecureUrls === undefined) return `/secure/${attempt.subjectId}`
      return status === 'COMPLETED' ? cardSecureUrls.confirm : cardSecureUrls.cancel
    },
  }
}

/** Attempts at storing a card: authenticated, it gets its token, and the merchant gets an event. */
export function storingOwner(deps: CardOwnersDeps): OwnerOfAttempts {
  const { database, clock, keyring, vault, wallets, callbacks, random } = deps

  async function storingOf({ walletId, subjectId, id }: CardAttempt) {
    const storing = await findStoring(database, walletId, subjectId)
    if (storing === undefined) throw new Error(`attempt ${id} stores nothing`)
    return storing
  }

  async function end(attempt: CardAttempt, verified: boolean): Promise<void> {
    const storing = await storingOf(attempt)
    if (storing.state !== 'PENDING') return
    const { walletId, requestId } = storing
    const wallet = await wallets.get(walletId)
    const now = clock.now()
    await database.transaction(async (tx) => {
      const kept = verified ? await keep(attempt, tx) : undefined
      if (!(await endStoring(tx, storing, kept?.token, now)))
        throw new Error(`storing ${storing.id} ended meanwhile`)
      const event = verified ? 'COMPLETED' : 'FAIL'
      const named = kept === undefined ? {} : { token: kept.token.toUpperCase(), name: kept.name }
      await recordEvents(tx, [
        {
          id: newId(now, random),
          walletId,
          kind: 'card_stored',
          subject: requestId,
          event,
          payload: { type: 'ADD_CARD', event, ...named, request_id: requestId },
          endpoint: 'card',
          hasEndpoint: (wallet.cardCallbackUrl ?? wallet.callbackUrl) !== null,
          createdAt: now,
        },
      ])
    })
    callbacks.wake()
  }

  async function keep(
    attempt: CardAttempt,
    tx: Parameters<typeof vault.store>[0],
  ): Promise<{ token: string; name: string }> {
    const { walletId, authentication } = attempt
    const card = openCardOf(keyring, attempt)
    // Not the id of the storing, which stands in the address that the customer's browser was sent to.
    const token = randomId(random)
    const asked = { walletId, token, keptFor: 'merchant', card, authentication, verified: true } as const
    return { token: (await vault.store(tx, asked)).token, name: card.name }
  }

  return {
    // The attempt was written together with its storing.
    choose: async () => true,
    beginApproval: async () => true,
    async approved(attempt) {
      await end(attempt, true)
      return true
    },
    async declined(attempt) {
      await end(attempt, false)
      return true
    },
    authenticationFailed: (attempt) => end(attempt, false),
    async returnUrl(attempt) {
      const { state, urlConfirm, urlCancel } = await storingOf(attempt)
      if (state === 'PENDING') return `/secure/${attempt.subjectId}`
      return state === 'COMPLETED' ? urlConfirm : urlCancel
    },
  }
}
