// The SQL of the demo world.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { execute, findFirst, type RowOf, storeFunction } from '../../storage/index.ts'
import { demoWallets } from '../model.ts'

/** Makes one of several processes create the demo world, and the others find it. */
export const lockDemoWorld = execute(() => [])`
  select pg_advisory_xact_lock(hashtext('comporta demo world'))`

const kept = demoWallets.pick('walletId', 'secretsSealed')
export type DemoWallet = RowOf<typeof kept>

export const findDemoWallet = findFirst(kept, (label: string) => [label])`
  select ${kept.list()} from demo_wallets where label = $1`

export const writeDemoWallet = execute((label: string, wallet: DemoWallet) => [
  label,
  wallet.walletId,
  wallet.secretsSealed,
])`
  insert into demo_wallets (label, wallet_id, secrets_sealed) values ($1, $2, $3)
  on conflict (label) do update set secrets_sealed = excluded.secrets_sealed`

/** Writes the id of the funding once; a repeated call changes nothing. */
export const planFunding = execute((walletId: bigint, fundingId: string) => [walletId, fundingId])`
  update demo_wallets set funding_id = coalesce(funding_id, $2) where wallet_id = $1`

export const listUnfunded = storeFunction(
  () => [],
  (rows: { wallet_id: bigint; funding_id: string }[]) =>
    rows.map(({ wallet_id, funding_id }) => ({ walletId: wallet_id, fundingId: funding_id })),
)`
  select wallet_id, funding_id from demo_wallets where funding_id is not null and funded_at is null`

export const markFunded = execute((walletId: bigint, now: Instant) => [walletId, toTimestamp(now)])`
  update demo_wallets set funded_at = $2 where wallet_id = $1`
