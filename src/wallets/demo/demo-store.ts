// The SQL of the demo world.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { demoWallets } from '../model.ts'

const takeLock = statement(`select pg_advisory_xact_lock(hashtext('comporta demo world'))`)

/** Makes one of several processes create the demo world, and the others find it. */
export async function lockDemoWorld(tx: Executor): Promise<void> {
  await tx.run(takeLock)
}

const kept = demoWallets.pick('walletId', 'secretsSealed')
export type DemoWallet = RowOf<typeof kept>

const selectDemoWallet = statement<StoredRowOf<typeof kept>>(
  `select ${kept.list()} from demo_wallets where label = $1`,
)

export async function findDemoWallet(tx: Executor, label: string): Promise<DemoWallet | undefined> {
  return kept.first(await tx.run(selectDemoWallet, [label]))
}

const upsertDemoWallet = statement(`
  insert into demo_wallets (label, wallet_id, secrets_sealed) values ($1, $2, $3)
  on conflict (label) do update set secrets_sealed = excluded.secrets_sealed`)

export async function writeDemoWallet(tx: Executor, label: string, wallet: DemoWallet): Promise<void> {
  await tx.run(upsertDemoWallet, [label, wallet.walletId, wallet.secretsSealed])
}

const updateFundingId = statement(`
  update demo_wallets set funding_id = coalesce(funding_id, $2) where wallet_id = $1`)

/** Writes the id of the funding once; a repeated call changes nothing. */
export async function planFunding(tx: Executor, walletId: bigint, fundingId: string): Promise<void> {
  await tx.run(updateFundingId, [walletId, fundingId])
}

const selectUnfunded = statement<{ wallet_id: bigint; funding_id: string }>(`
  select wallet_id, funding_id from demo_wallets where funding_id is not null and funded_at is null`)

export async function listUnfunded(db: Executor): Promise<{ walletId: bigint; fundingId: string }[]> {
  const rows = await db.run(selectUnfunded)
  return rows.map(({ wallet_id, funding_id }) => ({ walletId: wallet_id, fundingId: funding_id }))
}

const updateFunded = statement(`update demo_wallets set funded_at = $2 where wallet_id = $1`)

export async function markFunded(db: Executor, walletId: bigint, now: Instant): Promise<void> {
  await db.run(updateFunded, [walletId, toTimestamp(now)])
}
