// The SQL of cards that are being stored.
import { type Claim, idempotencyClaimCte } from '../../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import {
  attemptColumns,
  attemptRow,
  type OpenedRow,
  openAttemptsSql,
} from '../../../operations/for-methods.ts'
import { openOperationsSql, operationColumns, operationRow } from '../../../operations/index.ts'
import { batched, type Database, findFirst, hasRows, rowSet, statement } from '../../../storage/index.ts'
import { type CardAttempt, type CardStoring, cardStorings } from '../model.ts'

const newStorings = cardStorings.whole.pick('id', 'walletId', 'urlConfirm', 'urlCancel', 'createdAt')
const newStoringSet = rowSet({ ...newStorings.types, ...idempotencyClaimCte.columns })

export const insertStoring = hasRows(
  (
    storing: Pick<CardStoring, 'id' | 'walletId' | 'urlConfirm' | 'urlCancel'>,
    claim: Claim,
    createdAt: Instant,
  ) =>
    newStoringSet.parameters([
      { ...newStorings.write({ ...storing, createdAt }), ...idempotencyClaimCte.row(claim) },
    ]),
)`
  with input as (${newStoringSet.source}),
  ${idempotencyClaimCte.sql('input')}
  insert into card_storings (${newStorings.list()}, request_id, state, modified_at)
  select ${newStorings.list()}, request_id, 'PENDING', created_at from admitted
  returning id`

export const findStoring = findFirst(cardStorings, (walletId: bigint, id: string) => [walletId, id])`
  select * from card_storings where wallet_id = $1 and id = $2`

export const endStoring = hasRows(
  (
    { walletId, id }: Pick<CardStoring, 'walletId' | 'id'>,
    state: 'FAIL' | 'COMPLETED',
    token: string | undefined,
    now: Instant,
  ) => [walletId, id, state, token ?? null, toTimestamp(now)],
)`
  update card_storings set state = $3, token = $4, modified_at = $5
  where wallet_id = $1 and id = $2 and state = 'PENDING'
  returning id`

const operationSet = rowSet({ ...operationColumns, ...idempotencyClaimCte.columns })
const attemptSet = rowSet(attemptColumns, operationSet.parameters([]).length + 1)

const openPayments = statement<{ id: string }>(`
  with input as (${operationSet.source}),
  attempt as (${attemptSet.source}),
  ${idempotencyClaimCte.sql('input')},
  ${openOperationsSql('admitted')},
  opened_attempts as (
    ${openAttemptsSql('attempt')}
    where operation_id in (select id from admitted)
  )
  select id from opened_operations`)

export interface CardPayment extends OpenedRow {
  readonly attempt: CardAttempt
  readonly dueAt: Instant
}

export type OpenCardPayment = (payment: CardPayment) => Promise<boolean>

export function createOpenCardPayment(database: Database): OpenCardPayment {
  return batched<CardPayment, boolean>({
    database,
    async write(rows) {
      const operations = rows.map(({ operation, claim }) => ({
        ...operationRow(operation),
        ...idempotencyClaimCte.row(claim),
      }))
      const attempts = rows.map(({ attempt, dueAt }) => attemptRow(attempt, dueAt))
      const parameters = [...operationSet.parameters(operations), ...attemptSet.parameters(attempts)]
      const opened = new Set((await database.run(openPayments, parameters)).map(({ id }) => id))
      return rows.map(({ operation }) => opened.has(operation.id))
    },
  })
}
