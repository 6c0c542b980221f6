// The SQL of merchants' logos.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { Logo } from './logo.ts'

const upsertLogo = statement(`
  with kept as (
    insert into wallet_logos (wallet_id, file, type, content, created_at) values ($1, $2, $3, $4, $5)
    on conflict (wallet_id) do update
      set file = excluded.file, type = excluded.type, content = excluded.content, created_at = excluded.created_at
    returning wallet_id, file
  )
  update wallets set logo = kept.file, modified_at = $5 from kept where wallets.id = kept.wallet_id`)

export async function writeLogo(
  tx: Executor,
  walletId: bigint,
  { file, type, content }: Logo,
  now: Instant,
): Promise<void> {
  await tx.run(upsertLogo, [walletId, file, type, content, toTimestamp(now)])
}

const deleteLogo = statement(`
  with gone as (delete from wallet_logos where wallet_id = $1)
  update wallets set logo = null, modified_at = $2 where id = $1`)

export async function removeLogo(tx: Executor, walletId: bigint, now: Instant): Promise<void> {
  await tx.run(deleteLogo, [walletId, toTimestamp(now)])
}

const selectLogo = statement<{ type: string; content: Uint8Array }>(
  'select type, content from wallet_logos where file = $1 limit 1',
)

/** The logo with this file name, of any merchant: logos are public. */
export async function findLogo(
  db: Executor,
  file: string,
): Promise<{ readonly type: string; readonly content: Uint8Array } | undefined> {
  const [row] = await db.run(selectLogo, [file])
  return row
}
