// The SQL of subscriptions in the settling statement.

/**
 * CTEs over the settled operations of `moved`. A charge ends like its payment, and a failed one releases its
 * allowance. A subscription is approved or fails with its first payment.
 */
export function settleSubscriptionsSql(moved: string): string {
  return `
    settled_charges as (
      update charges set
        status = case ${moved}.status when 'COMPLETED' then 'SUCCESS' else 'FAIL' end,
        error = case ${moved}.status when 'COMPLETED' then null else coalesce(${moved}.error, 'failed') end,
        due_at = null,
        modified_at = ${moved}.at
      from ${moved}
      where ${moved}.subscription_id is not null
        and charges.wallet_id = ${moved}.wallet_id and charges.operation_id = ${moved}.id
        and charges.status = 'PROCESSING'
      returning charges.wallet_id, charges.subscription_id, charges.cycle, charges.amount, charges.status
    ),
    failed_charges as (select * from settled_charges where status = 'FAIL'),
    ${freeAllowancesSql('failed_charges')},
    decided_subscriptions as (
      update subscriptions set
        status = case ${moved}.status when 'COMPLETED' then 'APPROVED' when 'FAIL' then 'FAILED' else 'VOIDED' end,
        error = ${moved}.error,
        under_approval = false,
        modified_at = ${moved}.at
      from ${moved}
      where ${moved}.subscription_id is not null
        and subscriptions.wallet_id = ${moved}.wallet_id and subscriptions.operation_id = ${moved}.id
        and subscriptions.status = 'NEW'
    )`
}

/**
 * A CTE that releases the allowance of `failed` charges in the current cycle; earlier cycles cannot be charged any
 * more.
 */
export function freeAllowancesSql(failed: string): string {
  return `
    freed_allowances as (
      update subscriptions set cycle_charged = subscriptions.cycle_charged - freed.amount
      from (
        select wallet_id, subscription_id, cycle, sum(amount)::bigint as amount
        from ${failed}
        group by wallet_id, subscription_id, cycle
      ) as freed
      where subscriptions.wallet_id = freed.wallet_id and subscriptions.id = freed.subscription_id
        and subscriptions.cycle = freed.cycle
    )`
}
