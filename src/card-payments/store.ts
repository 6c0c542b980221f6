// The SQL of cards on their way into the vault.
import { type Claim, claimParts } from '../idempotency/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Executor, rowSet, statement } from '../storage/index.ts'

export interface CardStoring {
  /** UUID; the customer's browser is sent to an address with it. */
  readonly id: string
  readonly walletId: bigint
  readonly requestId: string
  readonly state: 'PENDING' | 'COMPLETED' | 'FAIL'
  readonly urlConfirm: string
  readonly urlCancel: string
  /** Under which the card lies in the vault, once it is stored. */
  readonly token: string | undefined
}

const newStorings = rowSet({
  id: 'uuid',
  wallet_id: 'bigint',
  url_confirm: 'text',
  url_cancel: 'text',
  created_at: 'timestamptz',
  ...claimParts.columns,
})

const insertStoringRows = statement<{ id: string }>(`
  with input as (${newStorings.source}),
  ${claimParts.sql('input')}
  insert into card_storings (id, wallet_id, request_id, state, url_confirm, url_cancel, created_at, modified_at)
  select id, wallet_id, request_id, 'PENDING', url_confirm, url_cancel, created_at, created_at from admitted
  returning id`)

/** Begins to store a card under its idempotency key; false when that was used before. */
export async function insertStoring(
  db: Executor,
  storing: Pick<CardStoring, 'id' | 'walletId' | 'urlConfirm' | 'urlCancel'>,
  claim: Claim,
  now: Instant,
): Promise<boolean> {
  const { id, walletId, urlConfirm, urlCancel } = storing
  const row = {
    id,
    wallet_id: walletId,
    url_confirm: urlConfirm,
    url_cancel: urlCancel,
    created_at: toTimestamp(now),
  }
  const written = await db.run(
    insertStoringRows,
    newStorings.parameters([{ ...row, ...claimParts.row(claim) }]),
  )
  return written.length === 1
}

const selectStoring = statement<{
  id: string
  wallet_id: bigint
  request_id: string
  state: CardStoring['state']
  url_confirm: string
  url_cancel: string
  token: string | null
}>('select * from card_storings where wallet_id = $1 and id = $2')

export async function findStoring(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<CardStoring | undefined> {
  const [row] = await db.run(selectStoring, [walletId, id])
  if (row === undefined) return undefined
  return {
    id: row.id,
    walletId: row.wallet_id,
    requestId: row.request_id,
    state: row.state,
    urlConfirm: row.url_confirm,
    urlCancel: row.url_cancel,
    token: row.token ?? undefined,
  }
}

const endStoringRow = statement<{ id: string }>(`
  update card_storings set state = $3, token = $4, modified_at = $5
  where wallet_id = $1 and id = $2 and state = 'PENDING'
  returning id`)

/** Ends it, once; false when it had ended before. */
export async function endStoring(
  db: Executor,
  { walletId, id }: Pick<CardStoring, 'walletId' | 'id'>,
  token: string | undefined,
  now: Instant,
): Promise<boolean> {
  const state = token === undefined ? 'FAIL' : 'COMPLETED'
  return (await db.run(endStoringRow, [walletId, id, state, token ?? null, toTimestamp(now)])).length === 1
}
