// The SQL that offers a reference for an operation.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../callbacks/index.ts'
import { type Executor, rowSet } from '../../storage/index.ts'
import type { BankReference } from './model.ts'
import { byNumbering, openReferencesSql, referenceColumns, referenceRow } from './store.ts'

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
  /** The attempt at the time of the choice: of two clicks, one wins. */
  readonly replaces: string | undefined
}

export async function insertOffer(db: Executor, { reference, event, replaces }: NewOffer): Promise<boolean> {
  const row = {
    wallet_id: reference.walletId,
    replaced_attempt_id: replaces ?? null,
    ...referenceRow(reference),
    ...eventRow(event),
  }
  const numbering = reference.number === undefined ? 'theirs' : 'ours'
  return (await db.run(offerReference[numbering], offerSet.parameters([row]))).length === 1
}
