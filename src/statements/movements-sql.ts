// The SQL of postings as statement entries.

export function lisbonDaySql(moment: string): string {
  return `(${moment} at time zone 'Europe/Lisbon')::date`
}

export const feesAccount = `(select id from accounts where wallet_id = 0 and kind = 'fees' and currency = 'EUR')`

/** SQL of whether a posting moves the account or charges its wallet a fee. Arguments are SQL. */
export function concernsSql(account: string, wallet: string): string {
  return `(
      credit_account = ${account} or debit_account = ${account}
      or (wallet_id = ${wallet} and credit_account = ${feesAccount})
    )`
}

/** Postings as rows of merchants' accounts, with fees and bank charges. `gross` is before fees. */
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

/** Rows of {@link sidesSql} with `kind` and `method`. */
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

/** Rows of {@link movementsSql} with `is_first`, because an entry counts once, with its first posting. */
export function countedSql(where: string, account?: string): string {
  return `
    select movements.*, not exists (
        select from postings as sibling
        left join accounts as credited on credited.id = sibling.credit_account
        left join accounts as debited on debited.id = sibling.debit_account
        where sibling.operation_id = movements.operation_id and sibling.wallet_id = movements.operation_wallet
          and sibling.id < movements.posting_id
          and ${lisbonDaySql('sibling.created_at')} = ${lisbonDaySql('movements.created_at')}
          and case
            when movements.account_id in (sibling.credit_account, sibling.debit_account)
              then coalesce(credited.kind = 'merchant' and debited.kind = 'merchant', false) = movements.is_share
            when sibling.credit_account = ${feesAccount} then not movements.is_share and exists (
              select from accounts as own where own.id = movements.account_id and own.wallet_id = sibling.wallet_id
            )
            else false
          end
      ) as is_first
    from (${movementsSql(where, account)}) as movements`
}
