// The SQL of bank charges and of merchants who pay them.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, rowSet, statement } from '../../storage/index.ts'
import type { SuspenseAccounts } from '../incoming/store.ts'

export interface OrderCharge {
  /** The id of the bank entry, or of the settlement by hand. */
  readonly id: string
  readonly amount: bigint
  /** The owner of the order. Undefined if there are several owners, or no order. */
  readonly walletId: bigint | undefined
}

const posted = rowSet(
  { wallet_id: 'bigint', id: 'uuid', debit_account: 'bigint', credit_account: 'bigint', amount: 'bigint' },
  2,
)

const insertPostings = statement(`
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  select wallet_id, id, 'charge', debit_account, credit_account, amount, $1 from (${posted.source}) as input`)

const selectBearing = statement<{ id: bigint }>(`
  select id from wallets where id = any($1::bigint[]) and kind = 'merchant' and bank_charges_passed_on`)

/** Posts new charges. The caller must pass each charge only once. */
export async function postCharges(
  tx: Executor,
  charges: readonly OrderCharge[],
  { bank, charges: account, ofMerchant }: SuspenseAccounts,
  now: Instant,
): Promise<void> {
  const due = charges.filter(({ amount }) => amount > 0n)
  if (due.length === 0) return
  const walletIds = due.flatMap(({ walletId }) => walletId ?? [])
  const own = new Map<bigint | undefined, bigint>()
  for (const { id } of await tx.run(selectBearing, [walletIds])) own.set(id, await ofMerchant(tx, id))
  const rows = due.flatMap(({ id, amount, walletId }) => {
    const ofBank = { wallet_id: 0n, id, debit_account: account, credit_account: bank, amount }
    const merchant = own.get(walletId)
    if (merchant === undefined) return [ofBank]
    return [ofBank, { wallet_id: walletId, id, debit_account: merchant, credit_account: account, amount }]
  })
  await tx.run(insertPostings, [toTimestamp(now), ...posted.parameters(rows)])
}
