// The SQL of cards that are being stored.
import { type Claim, idempotencyClaimCte } from '../../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../../storage/index.ts'
import { type CardStoring, cardStorings } from '../model.ts'

const newStorings = cardStorings.whole.pick('id', 'walletId', 'urlConfirm', 'urlCancel', 'createdAt')
const newStoringSet = rowSet({ ...newStorings.types, ...idempotencyClaimCte.columns })

const insertStoringRows = statement<{ id: string }>(`
  with input as (${newStoringSet.source}),
  ${idempotencyClaimCte.sql('input')}
  insert into card_storings (${newStorings.list()}, request_id, state, modified_at)
  select ${newStorings.list()}, request_id, 'PENDING', created_at from admitted
  returning id`)

export async function insertStoring(
  db: Executor,
  storing: Pick<CardStoring, 'id' | 'walletId' | 'urlConfirm' | 'urlCancel'>,
  claim: Claim,
  now: Instant,
): Promise<boolean> {
  const row = { ...newStorings.write({ ...storing, createdAt: now }), ...idempotencyClaimCte.row(claim) }
  const written = await db.run(insertStoringRows, newStoringSet.parameters([row]))
  return written.length === 1
}

const selectStoring = statement<StoredRowOf<typeof cardStorings>>(
  'select * from card_storings where wallet_id = $1 and id = $2',
)

export async function findStoring(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<CardStoring | undefined> {
  return cardStorings.first(await db.run(selectStoring, [walletId, id]))
}

const endStoringRow = statement<{ id: string }>(`
  update card_storings set state = $3, token = $4, modified_at = $5
  where wallet_id = $1 and id = $2 and state = 'PENDING'
  returning id`)

export async function endStoring(
  db: Executor,
  { walletId, id }: Pick<CardStoring, 'walletId' | 'id'>,
  token: string | undefined,
  now: Instant,
): Promise<boolean> {
  const state = token === undefined ? 'FAIL' : 'COMPLETED'
  return (await db.run(endStoringRow, [walletId, id, state, token ?? null, toTimestamp(now)])).length === 1
}
