// The SQL of what a bank charges for orders: its account, and merchants to whom it is passed on.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, rowSet, statement } from '../../storage/index.ts'
import type { SuspenseAccounts } from '../incoming/store.ts'

/** What a bank charged. */
export interface OrderCharge {
  /** Under which it is posted: of the entry of the bank, or of the settlement by hand. */
  readonly id: string
  /** In cents; nothing is posted for 0. */
  readonly amount: bigint
  /** Whose order it was; undefined: several, or nobody's. */
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

/** Books charges, each once; the caller knows that they are new. */
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
