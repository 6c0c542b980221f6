// Saved accounts of the sandbox's online wallet, and charges of them.
import type { Randomness } from '../../src/kernel/random.ts'
import { type Clock, toTimestamp } from '../../src/kernel/time.ts'
import type { Notices, SavedAccounts, WalletAnswer } from '../../src/rails/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { newTransaction, testPayers } from './model.ts'

export interface AccountDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
}

/** Ends the customer's permission for charges. False if no order with this key saved an account. */
export type EndAccount = (key: string) => Promise<boolean>

const selectAccount = statement<{ account_ended: boolean; payer: string | null }>(`
  select account_ended, payer from sandbox.wallet_orders where key = $1 and saves_account and state = 'paid'`)
const endAccountRow = statement<{ key: string }>(`
  update sandbox.wallet_orders set account_ended = true
  where key = $1 and saves_account and state = 'paid' returning key`)

/** The account and its payer decide a charge at once. */
const insertCharge = statement<{ key: string }>(`
  insert into sandbox.wallet_orders
    (key, reference, merchant_name, amount, currency, return_url, language, state, decline, payer, transaction, created_at, expires_at)
  select $1, $2, merchant_name, $3, $4, return_url, language,
    case when account_ended or payer = $5 then 'declined' else 'paid' end,
    case when account_ended then 'account_ended' when payer = $5 then 'insufficient_funds' end,
    payer, $6, $7, $7
  from sandbox.wallet_orders where key = $8 and saves_account and state = 'paid'
  on conflict (key) do nothing
  returning key`)

export function createAccounts(
  { database, clock, random }: AccountDeps,
  known: (key: string) => Promise<WalletAnswer>,
): SavedAccounts {
  return {
    async charge({ key, account, reference, amount, currency }) {
      const [saved] = await database.run(selectAccount, [account])
      if (saved === undefined) return { kind: 'declined', reason: 'account_ended' }
      const made = await database.run(insertCharge, [
        ...[key, reference, amount, currency, testPayers.empty],
        ...[newTransaction(random), toTimestamp(clock.now()), account],
      ])
      if (made.length === 1 && saved.payer === testPayers.silent) return new Promise(() => undefined)
      return known(key)
    },
    async inquireAccount(account) {
      const [saved] = await database.run(selectAccount, [account])
      if (saved === undefined) return { kind: 'not_found' }
      return { kind: saved.account_ended ? 'ended' : 'saved' }
    },
    async forget(account) {
      const ended = await database.run(endAccountRow, [account])
      return { kind: ended.length === 1 ? 'ended' : 'not_found' }
    },
  }
}

export function createEndAccount(database: Database, notices: Pick<Notices, 'onlineWallet'>): EndAccount {
  return async (key) => {
    const isEnded = (await database.run(endAccountRow, [key])).length === 1
    if (isEnded) await notices.onlineWallet(key)
    return isEnded
  }
}
