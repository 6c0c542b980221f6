// Audit: an operation moves money only between its own accounts.
import { accountRefundMethods, paidByConsumers, refundRailOf } from '../../methods/list.ts'
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

const ofConsumers = paidByConsumers.map((method) => `'${method}'`).join(', ')

/** SQL of the kind of account that pays by `method`, which is SQL too. */
export const payingKindSql = (method: string) =>
  `case when ${method} in (${ofConsumers}) then 'consumer' else 'clearing:' || ${method} end`

/** SQL of the method on whose rail an operation (alias) is booked, as `railMethodOf`. */
const railMethodSql = (operation: string) => {
  const over = accountRefundMethods.map((method) => `when '${method}' then '${refundRailOf(method)}'`)
  return over.length === 0
    ? `${operation}.method`
    : `case when ${operation}.type = 'REFUND' and ${operation}.channel <> 'RAIL' then
        case ${operation}.method ${over.join(' ')} else ${operation}.method end
      else ${operation}.method end`
}

/** SQL of the account kind of a refund (alias). */
export const refundingKindSql = (refund: string) => payingKindSql(railMethodSql(refund))

const roleOf = (account: string) => `
  case
    when ${account}.wallet_id = operations.wallet_id and ${account}.kind in ('merchant', 'consumer') then 'own'
    when ${account}.kind = 'merchant' then 'other'
    when ${account}.kind = 'consumer' and operations.method in (${ofConsumers}) then 'rail'
    when ${account}.wallet_id = 0 and ${account}.kind = 'clearing:' || ${railMethodSql('operations')} then 'rail'
    when ${account}.wallet_id = 0 and ${account}.kind = 'fees' then 'fees'
  end`

/** Payments post from the first role to the second. Refunds and payouts post the other way. */
const ends = `
  case when operations.amount > 0 then ${roleOf('debit')} || ' ' || ${roleOf('credit')}
    else ${roleOf('credit')} || ' ' || ${roleOf('debit')} end`

const secondWallet = 'case when operations.amount > 0 then credit.wallet_id else debit.wallet_id end'

const isTheirs = `
  postings.amount = case
    when operations.type in ('PAYMENT', 'CAPTURE') then (
      select sum(shares.amount) from shares
      where shares.wallet_id = operations.wallet_id and shares.operation_id = operations.id
        and shares.merchant_wallet_id = ${secondWallet}
    )
    when operations.type = 'REFUND' then (
      select sum((take ->> 'amount')::bigint) from jsonb_array_elements(operations.share_refunds) as take
      where (take ->> 'wallet')::bigint = ${secondWallet}
    )
  end`

/** A refund returns to the consumer balance that paid. */
const isOfWhoPaid = `
  exists (
    select 1 from postings as paid
    where paid.wallet_id = operations.wallet_id and paid.operation_id = operations.parent_id
      and paid.purpose = 'settle' and paid.debit_account = postings.credit_account
  )`

/** True if the operation makes such a posting. Amounts are checked here only if no other audit does it. */
const isMade = `
  case ${ends}
    when 'rail own' then postings.purpose = 'settle' and case operations.type
      when 'PAYMENT' then true
      when 'CAPTURE' then true
      when 'REFUND' then operations.method not in (${ofConsumers}) or ${isOfWhoPaid}
      when 'WALLETFUNDS' then postings.amount = abs(operations.amount)
    end
    when 'rail fees' then postings.purpose = 'settle' and operations.type in ('PAYMENT', 'CAPTURE')
    when 'own other' then ${isTheirs}
      and (postings.purpose = 'settle' or (postings.purpose = 'split' and operations.type in ('PAYMENT', 'CAPTURE')))
  end`

export const settleChecks: readonly AuditCheck[] = [
  auditCheck(
    'postings_are_of_their_operation',
    'postings',
    `select postings.operation_id::text as subject,
       postings.purpose || ' of a ' || operations.type || ' moved ' || postings.amount || ' cents from '
         || debit.kind || ' of wallet ' || debit.wallet_id || ' to ' || credit.kind || ' of wallet ' || credit.wallet_id
         as detail
     from postings
     -- Another check finds a missing account.
     join operations on operations.wallet_id = postings.wallet_id and operations.id = postings.operation_id
     join accounts as debit on debit.id = postings.debit_account
     join accounts as credit on credit.id = postings.credit_account
     where postings.purpose not in ('suspense', 'charge') and not coalesce(${isMade}, false)`,
  ),
]
