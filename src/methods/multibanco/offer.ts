// References that a customer chooses on a checkout, for its operation.

import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../callbacks/index.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import { type Instant, instant } from '../../kernel/time.ts'
import { operationEvent } from '../../operations/for-methods.ts'
import { type Client, type Operation, withinLimits } from '../../operations/index.ts'
import { type Executor, rowSet } from '../../storage/index.ts'
import type { MultibancoDeps } from './deps.ts'
import type { BankReference } from './model.ts'
import type { NameReference } from './naming.ts'
import { latestExpiry, offeredExpiry, stateOf } from './rules.ts'
import { byNumbering, findReference, openReferencesSql, referenceColumns, referenceRow } from './store.ts'

export type ReferenceOffers = ReturnType<typeof createOffers>

export function createOffers(deps: MultibancoDeps, nameReference: NameReference) {
  const { database, clock, random, networks, wallets } = deps

  return {
    /** The end of a new reference for `operation`. `pageEnds`: end of the page that offers it. */
    expiryOf(operation: Operation, pageEnds: Instant): Instant {
      const now = clock.now()
      const wanted = offeredExpiry(operation, pageEnds, now)
      const network = networks.serving(operation.walletId)
      const latest = network?.numbering === 'theirs' ? latestExpiry(network.limits, now) : undefined
      return latest === undefined ? wanted : instant(Math.min(wanted, latest))
    },

    /**
     * Makes a reference the operation's attempt. The operation becomes PENDING with an event. Returns false
     * if it was decided meanwhile. Refusals: those of {@link NameReference}; limit_reached.
     * @param wanted the result of `expiryOf`
     */
    async offer(operation: Operation, wanted: Instant, customer: Client): Promise<boolean> {
      const { amount, walletId, starts } = operation
      const wallet = await wallets.get(walletId)
      unwrap(await withinLimits(deps, wallet, { amount, field: 'amount' }))
      const named = await nameReference({
        wallet,
        once: { requestId: operation.id, fingerprint: new Uint8Array() },
        payableOnce: true,
        ...{ amountMin: amount, amountMax: amount, starts, expires: wanted },
        description: operation.extInvoiceId,
        customer,
      })
      if (named === undefined) return false
      const { entity, ref, createdAt: now, expires = wanted } = named
      const reference: BankReference = {
        ...named,
        ...{ walletId, starts, expires },
        kind: operation.instant === true ? 'instant' : 'time_limited',
        operationId: operation.id,
        amountMin: amount,
        amountMax: amount,
      }
      const offered = {
        ...operation,
        status: 'PENDING',
        method: 'MB',
        mb: { entity, ref },
        expires,
        attemptId: reference.id,
        modifiedAt: now,
      } as const
      const event = operationEvent(offered, wallet, newId(now, random))
      const won = await insertOffer(database, { reference, event, replaces: operation.attemptId })
      if (won) deps.callbacks.wake()
      return won
    },

    async openReference(operation: Operation): Promise<BankReference | undefined> {
      const { walletId, method, attemptId } = operation
      if (method !== 'MB' || attemptId === undefined) return undefined
      const reference = await findReference(database, walletId, attemptId)
      if (reference === undefined) return undefined
      return stateOf(reference, operation, clock.now()) === 'open' ? reference : undefined
    },
  }
}

const offerSet = rowSet({
  wallet_id: 'bigint',
  replaced_attempt_id: 'uuid',
  ...referenceColumns,
  ...eventColumns,
})

const offerReference = byNumbering(
  (source) => `
  with input as (${offerSet.source}),${source.before}
  chosen as (
    update operations set
      status = 'PENDING', method = 'MB', attempt_id = input.reference_id, mb_entity = input.reference_entity,
      mb_ref = input.reference_ref, expires = input.reference_expires, modified_at = input.reference_created_at
    from ${source.name} as input
    where operations.wallet_id = input.wallet_id and operations.id = input.reference_operation_id
      and operations.status in ('NEW', 'PENDING') and not operations.under_approval
      and operations.attempt_id is not distinct from input.replaced_attempt_id
    returning input.*
  ),
  ${openReferencesSql('chosen')},
  ${recordEventsSql('chosen')}${source.after}
  select id from opened_references`,
)

export interface NewOffer {
  readonly reference: BankReference
  readonly event: NewEvent
  /** The attempt that the page showed. If the customer clicks twice, only one click replaces it. */
  readonly replaces: string | undefined
}

async function insertOffer(db: Executor, { reference, event, replaces }: NewOffer): Promise<boolean> {
  const row = {
    wallet_id: reference.walletId,
    replaced_attempt_id: replaces ?? null,
    ...referenceRow(reference),
    ...eventRow(event),
  }
  const numbering = reference.number === undefined ? 'theirs' : 'ours'
  return (await db.run(offerReference[numbering], offerSet.parameters([row]))).length === 1
}
