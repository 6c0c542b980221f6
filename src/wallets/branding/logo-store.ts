// The SQL of merchants' logos.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { execute, storeFunction } from '../../storage/index.ts'
import type { Logo } from './logo.ts'

export const writeLogo = execute((walletId: bigint, { file, type, content }: Logo, now: Instant) => [
  walletId,
  file,
  type,
  content,
  toTimestamp(now),
])`
  with kept as (
    insert into wallet_logos (wallet_id, file, type, content, created_at) values ($1, $2, $3, $4, $5)
    on conflict (wallet_id) do update
      set file = excluded.file, type = excluded.type, content = excluded.content, created_at = excluded.created_at
    returning wallet_id, file
  )
  update wallets set logo = kept.file, modified_at = $5 from kept where wallets.id = kept.wallet_id`

export const removeLogo = execute((walletId: bigint, now: Instant) => [walletId, toTimestamp(now)])`
  with gone as (delete from wallet_logos where wallet_id = $1)
  update wallets set logo = null, modified_at = $2 where id = $1`

/** The logo with this file name, of any merchant: logos are public. */
export const findLogo = storeFunction(
  (file: string) => [file],
  ([row]: { type: string; content: Uint8Array }[]) => row,
)`
  select type, content from wallet_logos where file = $1 limit 1`
