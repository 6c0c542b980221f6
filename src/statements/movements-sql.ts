// The SQL of what a posting means on a merchant's statement: the same for totals of days and for single entries.

/** The Lisbon day of an SQL timestamp. */
export function lisbonDaySql(moment: string): string {
  return `(${moment} at time zone 'Europe/Lisbon')::date`
}

/** The account of the gateway's fees. */
export const feesAccount = `(select id from accounts where wallet_id = 0 and kind = 'fees' and currency = 'EUR')`

/**
 * SQL of the condition that a posting moves an account of the merchant, or charges it a fee.
 *
 * @param account SQL of the account's number
 * @param wallet SQL of its wallet
 */
export function concernsSql(account: string, wallet: string): string {
  return `(
      credit_account = ${account} or debit_account = ${account}
      or (wallet_id = ${wallet} and credit_account = ${feesAccount})
    )`
}

/**
 * The rows that `postings` are on merchants' accounts: `account_id`, `posting_id`, `created_at`, `operation_wallet`,
 * `operation_id`, `is_share`, `gross` and `fee`. A posting is one row for each merchant's account that it moves. A fee is a
 * row of the merchant who was charged, which adds as much as it takes: gross is before fees. So is a charge of the bank that
 * the merchant bears.
 *
 * @param where SQL of a condition on `postings`
 * @param account SQL of a condition on `own.id`, the account
 */
export function sidesSql(where: string, account = 'true'): string {
  return `
    select side.account_id, moved.id as posting_id, moved.created_at, moved.wallet_id as operation_wallet,
      moved.operation_id, moved.purpose, coalesce(counterpart.kind = 'merchant', false) as is_share, side.gross, side.fee
    from (select * from postings where ${where}) as moved
    cross join lateral (
      select moved.credit_account as account_id, moved.debit_account as counterpart_id, moved.amount as gross,
        0::bigint as fee
      where moved.credit_account > 0
      union all
      select moved.debit_account, moved.credit_account,
        case when moved.purpose = 'charge' then 0 else -moved.amount end,
        case when moved.purpose = 'charge' then moved.amount else 0 end
      where moved.debit_account > 0
      union all
      select charged.id, null, moved.amount, moved.amount
      from accounts as charged
      where moved.credit_account = ${feesAccount}
        and charged.wallet_id = moved.wallet_id and charged.kind = 'merchant' and charged.currency = 'EUR'
    ) as side
    join accounts as own on own.id = side.account_id and own.kind = 'merchant' and ${account}
    left join accounts as counterpart on counterpart.id = side.counterpart_id`
}

/** The rows of {@link sidesSql}, with `kind` and `method`: what they are on a statement. */
export function movementsSql(where: string, account?: string): string {
  return `
    select sides.*,
      case
        when sides.is_share then 'share'
        when sides.purpose = 'charge' then 'bank_charge'
        when operations.type in ('PAYMENT', 'CAPTURE') then 'payment'
        when operations.type = 'REFUND' then 'refund'
        when operations.type = 'WALLETFUNDS' then 'payout'
        else 'other'
      end as kind,
      coalesce(operations.method, '') as method
    from (${sidesSql(where, account)}) as sides
    left join operations on operations.wallet_id = sides.operation_wallet and operations.id = sides.operation_id`
}

/**
 * The rows of {@link movementsSql}, with `is_first`: an entry is what one operation moved on a day, of one kind, and counts
 * with its first posting, so that it counts once wherever it is added up.
 */
export function countedSql(where: string, account?: string): string {
  return `
    select movements.*, not exists (
        select from postings as beside
        left join accounts as credited on credited.id = beside.credit_account
        left join accounts as debited on debited.id = beside.debit_account
        where beside.operation_id = movements.operation_id and beside.wallet_id = movements.operation_wallet
          and beside.id < movements.posting_id
          and ${lisbonDaySql('beside.created_at')} = ${lisbonDaySql('movements.created_at')}
          and case
            when movements.account_id in (beside.credit_account, beside.debit_account)
              then coalesce(credited.kind = 'merchant' and debited.kind = 'merchant', false) = movements.is_share
            when beside.credit_account = ${feesAccount} then not movements.is_share and exists (
              select from accounts as own where own.id = movements.account_id and own.wallet_id = beside.wallet_id
            )
            else false
          end
      ) as is_first
    from (${movementsSql(where, account)}) as movements`
}
