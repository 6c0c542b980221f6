// The SQL that claims due rows.

/** Append a `returning`. Parameters: now, end of the lease, limit. `also` sets more columns. */
export function claimDueSql(table: string, also?: string): string {
  return `
    update ${table} set due_at = $2${also === undefined ? '' : `, ${also}`}
    where (wallet_id, id) in (
      select wallet_id, id from ${table} where due_at <= $1 order by due_at limit $3 for update skip locked
    )`
}
